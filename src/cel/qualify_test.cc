#include "cel/qualify.h"

#include "cel/testing/expression_case.h"

namespace berth::cel {
namespace {

using testing::expect_values;
using testing::ExpressionCase;

TEST(Qualify, FindsMembersAndElementsOrTellsWhatIsMissing) {
  const ExpressionCase cases[] = {
      {"[1, 2, 3][0]", "1", 12},
      {"[1, 2, 3][3]", "!index out of bounds: 3", 12},
      {"[1, 2, 3][-1]", "!index out of bounds: -1", 12},
      {"[1, 2, 3][dyn(1u)]", "2", 13},
      {"[1, 2, 3][dyn(1.0)]", "2", 13},
      {"[1, 2, 3][dyn(1.5)]", "!unsupported index value 1.5 in list", 13},
      {R"([1, 2, 3][dyn("a")])", "!unsupported index type 'string' in list", 13},
      {R"({"a": 1}["a"])", "1", 32},
      {R"({"a": 1}["b"])", "!no such key: b", 32},
      {R"({"a": 1}.a)", "1", 32},
      {R"({"a": 1}.b)", "!no such key: b", 32},
      {R"({1: "x"}[1])", R"("x")", 32},
      {R"({1u: "x"}[dyn(1)])", R"("x")", 33},
      {R"({1: "x"}[dyn(1.0)])", R"("x")", 33},
      {"{true: 1}[true]", "1", 32},
      {R"({"a": {"b": [1, {"c": 5}]}}.a.b[1].c)", "5", 105},
      {"dyn(1).foo", "!no such key: foo", 3},
      {R"(dyn("abc").foo)", "!no such key: foo", 3},
      {"dyn([1]).foo", "!unsupported index type 'string' in list", 13},
      {"dyn(null).foo", "!no such key: foo", 3},
      {R"(dyn("abc").size())", "3", 2},
      {"{}.a", "!no such key: a", 32},
      {"[][0]", "!index out of bounds: 0", 12},
      {"{}[1]", "!no such key: 1", 32},
  };
  expect_values(cases);
}

}  // namespace
}  // namespace berth::cel
