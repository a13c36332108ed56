#include "cel/evaluator.h"

#include "cel/testing/expression_case.h"

namespace berth::cel {
namespace {

using testing::expect_values;
using testing::ExpressionCase;

TEST(Evaluator, AbsorbsErrorsInLogicFromEitherSide) {
  const ExpressionCase cases[] = {
      {"1 < 2 && 2 <= 2 && 3 > 2 && 3 >= 3", "true", 4},
      {"!true", "false", 1},
      {"!false", "true", 1},
      {"true && false", "false", 0},
      {"true || false", "true", 0},
      {"false || true", "true", 0},
      {"true ? 1 : 2", "1", 0},
      {"false ? 1 : 2", "2", 0},
      {"true && 1/0 == 0", "!division by zero", 2},
      {"1/0 == 0 && false", "false", 2},
      {"false && 1/0 == 0", "false", 0},
      {"1/0 == 0 || true", "true", 2},
      {"true || 1/0 == 0", "true", 0},
      {"1/0 == 0 || false", "!division by zero", 2},
      {"(1/0 == 0) ? 1 : 2", "!division by zero", 2},
      {R"(dyn("x") ? 1 : 2)", "!no such overload", 1},
      {"dyn(1) && true", "!no such overload", 1},
      {"true && dyn(1)", "!no such overload", 1},
      {"dyn(1) || true", "true", 1},
      {"dyn(1) || false", "!no such overload", 1},
      {"!dyn(1)", "!no such overload", 2},
  };
  expect_values(cases);
}

}  // namespace
}  // namespace berth::cel
