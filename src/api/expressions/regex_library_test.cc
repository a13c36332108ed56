#include "api/expressions/testing/cluster_case.h"

namespace berth::api {
namespace {

using cel::testing::ExpressionCase;
using testing::expect_for_cluster;

TEST(RegexLibrary, FindsMatches) {
  const ExpressionCase cases[] = {
      {R"("abc 123".find("[0-9]+"))", R"("123")", 1},
      {R"("abc".find("[0-9]+"))", R"("")", 1},
      {R"("123 abc 456".findAll("[0-9]+"))", R"(["123", "456"])", 1},
      {R"("123 abc 456".findAll("[0-9]+", 1))", R"(["123"])", 1},
      {R"("123 abc 456".findAll("[0-9]+", 0))", "[]", 1},
      {R"("abc".findAll(""))", R"(["", "", "", ""])", 1},
      {R"("aaa".findAll("a*"))", R"(["aaa"])", 1},
      {R"("baaac".findAll("a*"))", R"(["", "aaa", ""])", 1},
      {R"("h\u00e9".findAll(""))", R"(["", "", ""])", 1},
      {R"("abc".findAll("[0-9]"))", "[]", 1},
  };
  expect_for_cluster(cases);
}

}  // namespace
}  // namespace berth::api
