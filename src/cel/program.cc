#include "cel/program.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "cel/checker.h"
#include "cel/evaluator.h"
#include "cel/parser.h"
#include "cel/planner.h"

namespace berth::cel {

Evaluation Program::evaluate(std::span<const Value> variables, Arena& arena,
                             const Limits& limits) const {
  CHECK(variables.size() == environment_->variables().size());
  Context context(arena, limits, variables);
  const Value value = cel::evaluate(plan_, context);
  return {.value = value, .cost = context.cost()};
}

bool Program::uses_variable(std::size_t index) const {
  return std::ranges::any_of(plan_.nodes, [index](const PlanNode& node) {
    return node.op == Op::Attribute && node.base == Base::Slot && node.slot == index;
  });
}

Result<Program> compile(std::shared_ptr<const Environment> environment, std::string_view text) {
  Issues issues;
  const Ast ast = parse(
      text,
      {.macros = environment->macros(), .optional_syntax = environment->has_optional_syntax()},
      issues);
  if (!issues.empty()) return failure(Code::Invalid, issues.display(text));
  const Checked checked = check(ast, *environment, issues);
  if (!issues.empty()) return failure(Code::Invalid, issues.display(text));
  for (const Validator validate : environment->validators()) validate(ast, checked, issues);
  if (!issues.empty()) return failure(Code::Invalid, issues.display(text));

  Program program;
  ASSIGN_OR_RETURN(program.plan_, make_plan(ast, checked, *environment));
  program.result_type_ = checked.types[ast.root];
  program.environment_ = std::move(environment);
  return program;
}

}  // namespace berth::cel
