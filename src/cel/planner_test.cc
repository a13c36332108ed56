#include "cel/planner.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "cel/parser.h"
#include "cel/testing/expression_case.h"

namespace berth::cel {
namespace {

EvaluationPlan plan(std::string_view text) {
  const auto environment = testing::language_environment();
  Issues issues;
  const Ast ast = parse(text, {.macros = environment->macros(), .optional_syntax = true}, issues);
  const Checked checked = check(ast, *environment, issues);
  EXPECT_TRUE(issues.empty()) << issues.display(text);
  return make_plan(ast, checked, *environment).value();
}

std::size_t count(const EvaluationPlan& plan, Op op) {
  return static_cast<std::size_t>(std::ranges::count(plan.nodes, op, &PlanNode::op));
}

TEST(Planner, MakesOneAttributeOfAWholePath) {
  EXPECT_EQ(count(plan("{'a': {'b': [1]}}.a.b[0]"), Op::Attribute), 1U);
}

TEST(Planner, CompilesLiteralPatternsOnce) {
  EXPECT_EQ(plan("'a'.matches('x+')").prepared.size(), 1U);
  EXPECT_EQ(plan("'a'.matches('x' + '+')").prepared.size(), 0U);
}

TEST(Planner, TurnsMapAndFilterIntoCollections) {
  const EvaluationPlan both = plan("[1].filter(x, x > 0).map(x, x)");
  EXPECT_EQ(count(both, Op::Collect), 2U);
  EXPECT_EQ(count(both, Op::Fold), 0U);
}

TEST(Planner, PlansASubtreeThatAMacroUsesTwiceOnce) {
  std::string chain = "optional.of(1)";
  for (int i = 0; i < 100; ++i) chain += ".optMap(x, x)";
  EXPECT_LT(plan(chain).nodes.size(), 5000U);
}

}  // namespace
}  // namespace berth::cel
