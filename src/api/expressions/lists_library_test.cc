#include "api/expressions/testing/cluster_case.h"

namespace berth::api {
namespace {

using cel::testing::ExpressionCase;
using testing::expect_for_cluster;

TEST(ListsLibrary, SumsSortsAndSearches) {
  const ExpressionCase cases[] = {
      {"[1, 2, 3].isSorted()", "true", 11},
      {"[3, 1].isSorted()", "false", 11},
      {R"(["a", "b"].isSorted())", "true", 11},
      {"[].isSorted()", "true", 11},
      {"[1, 2, 3].sum()", "6", 11},
      {"[1.5, 2.5].sum()", "4.0", 11},
      {"[1u, 2u].sum()", "3u", 11},
      {R"([duration("1s"), duration("1m")].sum())", R"(duration("61s"))", 13},
      {"[].sum()", "0", 11},
      {"[9223372036854775807, 1].sum()", "!integer overflow", 11},
      {"[dyn(1), dyn(2)].sum()", "3", 13},
      {R"([dyn(1), dyn("a")].sum())", "!no such overload", 13},
      {"[3, 1, 2].min()", "1", 11},
      {"[3, 1, 2].max()", "3", 11},
      {R"(["b", "a"].min())", R"("a")", 11},
      {"[].min()", "!min called on empty list", 11},
      {"[].max()", "!max called on empty list", 11},
      {"[1, 2, 3, 2].indexOf(2)", "1", 11},
      {"[1, 2, 3, 2].lastIndexOf(2)", "3", 11},
      {"[1].indexOf(5)", "-1", 11},
      {"[true, false].max()", "true", 11},
  };
  expect_for_cluster(cases);
}

}  // namespace
}  // namespace berth::api
