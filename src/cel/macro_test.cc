#include "cel/macro.h"

#include "cel/testing/expression_case.h"

namespace berth::cel {
namespace {

using testing::expect_values;
using testing::ExpressionCase;

TEST(Macros, ExpandToLoopsThatAbsorbErrorsLikeLogic) {
  const ExpressionCase cases[] = {
      {"has(dyn(1).foo)", "false", 3},
      {"has(dyn([1]).foo)", "!unsupported index type 'string' in list", 13},
      {R"(has({"a": 1}.a))", "true", 32},
      {R"(has({"a": 1}.b))", "false", 32},
      {R"(has({"a": {}}.a.b))", "false", 63},
      {"[1, 2, 3].all(x, x > 0)", "true", 26},
      {"[1, 2, 3].all(x, x > 1)", "false", 18},
      {"[1, 2, 3].exists(x, x == 2)", "true", 26},
      {"[1, 2, 3].exists(x, x == 9)", "false", 29},
      {"[1, 2, 3].exists_one(x, x > 2)", "true", 20},
      {"[1, 2, 3].exists_one(x, x > 1)", "false", 22},
      {"[1, 2, 3].map(x, x * 2)", "[2, 4, 6]", 63},
      {"[1, 2, 3].map(x, x > 1, x * 2)", "[4, 6]", 55},
      {"[1, 2, 3].filter(x, x > 1)", "[2, 3]", 53},
      {R"({"a": 1, "b": 2}.all(k, k < "c"))", "true", 41},
      {R"({"a": 1, "b": 2}.exists(k, k == "b"))", "true", 43},
      {R"({"a": 1}.map(k, k + "x"))", R"(["ax"])", 55},
      {"[1, 0, 2].all(x, 1 / x > 0)", "false", 29},
      {"[1, 0, 2].exists(x, 1 / x > 0)", "true", 21},
      {"[0, 1].exists(x, 1 / x > 0)", "true", 25},
      {"[0, 0].exists(x, 1 / x > 0)", "!division by zero", 25},
      {"[1, 0].map(x, 1 / x)", "!division by zero", 49},
      {"[1, 0, 2].filter(x, 1 / x > 0)", "!division by zero", 43},
      {"[1, 0, 1].exists_one(x, 1 / x > 0)", "!division by zero", 25},
      {"[].all(x, x > 0)", "true", 11},
      {"[].exists(x, x > 0)", "false", 11},
      {"[[1, 2], [3]].map(l, l.map(x, x + 1))", "[[2, 3], [4]]", 131},
      {"[1, 2].map(x, [3, 4].map(y, x * y))", "[[3, 4], [6, 8]]", 147},
      {"[1, 2].all(x, [x].all(x, x > 0))", "true", 51},
      {"dyn(1).all(x, true)", "!got 'types.Int', expected iterable type", 1},
      {R"(dyn("abc").map(x, x))", "!got 'types.String', expected iterable type", 1},
      {"dyn(null).exists(x, true)", "!got 'types.Null', expected iterable type", 1},
      {R"([{"y": 1}].all(x, x.y == 1))", "true", 47},
      {"[].map(x, x.foo)", "[]", 21},
      {"[[1]].all(x, x.all(y, y == 1))", "true", 31},
      {"[1, 2].exists_one(x, x == 1) && dyn(1) < 2.0 && 1 < 2.0", "true", 21},
      {"[1].all(x, x < 2.0)", "true", 16},
      {"[1].all(x, true) && 1 < 2.0", "true", 15},
  };
  expect_values(cases);
}

}  // namespace
}  // namespace berth::cel
