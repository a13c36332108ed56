#include "cel/macro.h"

#include <optional>
#include <utility>

#include "cel/operators.h"

namespace berth::cel {
namespace {

struct Loop {
  ExprIndex range = 0;
  std::string variable = {};
  std::string accumulator = std::string(kAccumulator);
  ExprIndex initial = 0;
  ExprIndex condition = 0;
  ExprIndex step = 0;
  ExprIndex result = 0;
};

ExprIndex add_loop(MacroCall& call, Loop loop) {
  return call.ast.add(
      {.kind = ExprKind::Comprehension,
       .position = call.position,
       .name = std::move(loop.variable),
       .accumulator = std::move(loop.accumulator),
       .children = {loop.range, loop.initial, loop.condition, loop.step, loop.result}});
}

ExprIndex accumulator(MacroCall& call) { return call.identifier(kAccumulator); }

// The first argument as the name of the loop's variable; reports what is wrong otherwise.
std::optional<std::string> loop_variable(MacroCall& call) {
  const Expr& variable = call.ast[call.arguments[0]];
  if (variable.kind != ExprKind::Identifier) return std::nullopt;
  return variable.name;
}

ExprIndex expand_has(MacroCall& call) {
  const Expr& argument = call.ast[call.arguments[0]];
  if (argument.kind != ExprKind::Select || argument.is_test_only) {
    return call.fail(call.arguments[0], "invalid argument to has() macro");
  }
  Expr test = argument;
  test.is_test_only = true;
  test.position = call.position;
  return call.ast.add(std::move(test));
}

constexpr const char* kNotAName = "argument must be a simple name";

ExprIndex expand_all(MacroCall& call) {
  const auto variable = loop_variable(call);
  if (!variable) return call.fail(call.arguments[0], kNotAName);
  return add_loop(
      call, {.range = call.target,
             .variable = *variable,
             .initial = call.literal(true),
             .condition = call.call(operators::kNotStrictlyFalse, {accumulator(call)}),
             .step = call.call(operators::kLogicalAnd, {accumulator(call), call.arguments[1]}),
             .result = accumulator(call)});
}

ExprIndex expand_exists(MacroCall& call) {
  const auto variable = loop_variable(call);
  if (!variable) return call.fail(call.arguments[0], kNotAName);
  const ExprIndex not_found = call.call(operators::kLogicalNot, {accumulator(call)});
  return add_loop(call,
                  {.range = call.target,
                   .variable = *variable,
                   .initial = call.literal(false),
                   .condition = call.call(operators::kNotStrictlyFalse, {not_found}),
                   .step = call.call(operators::kLogicalOr, {accumulator(call), call.arguments[1]}),
                   .result = accumulator(call)});
}

ExprIndex expand_exists_one(MacroCall& call) {
  const auto variable = loop_variable(call);
  if (!variable) return call.fail(call.arguments[0], kNotAName);
  const ExprIndex one_more =
      call.call(operators::kAdd, {accumulator(call), call.literal(std::int64_t{1})});
  return add_loop(
      call,
      {.range = call.target,
       .variable = *variable,
       .initial = call.literal(std::int64_t{0}),
       .condition = call.literal(true),
       .step = call.call(operators::kConditional, {call.arguments[1], one_more, accumulator(call)}),
       .result =
           call.call(operators::kEquals, {accumulator(call), call.literal(std::int64_t{1})})});
}

// Appends `element` for every item that the filter, if there is one, lets pass.
ExprIndex collect(MacroCall& call, std::string variable, std::optional<ExprIndex> filter,
                  ExprIndex element) {
  ExprIndex step = call.call(operators::kAdd, {accumulator(call), call.list({element})});
  if (filter) step = call.call(operators::kConditional, {*filter, step, accumulator(call)});
  return add_loop(call, {.range = call.target,
                         .variable = std::move(variable),
                         .initial = call.list({}),
                         .condition = call.literal(true),
                         .step = step,
                         .result = accumulator(call)});
}

ExprIndex expand_map(MacroCall& call) {
  const auto variable = loop_variable(call);
  if (!variable) return call.fail(call.arguments[0], "argument is not an identifier");
  if (call.arguments.size() == 2) {
    return collect(call, *variable, std::nullopt, call.arguments[1]);
  }
  return collect(call, *variable, call.arguments[1], call.arguments[2]);
}

ExprIndex expand_filter(MacroCall& call) {
  const auto variable = loop_variable(call);
  if (!variable) return call.fail(call.arguments[0], "argument is not an identifier");
  return collect(call, *variable, call.arguments[1], call.arguments[0]);
}

// target.hasValue() ? f(target.value()) : optional.none(), where the value gets its name from a
// loop over nothing whose accumulator is that name.
ExprIndex expand_optional(MacroCall& call, ExprIndex (*wrap)(MacroCall&, ExprIndex),
                          std::string complaint) {
  const auto variable = loop_variable(call);
  if (!variable) return call.fail(call.arguments[0], std::move(complaint));
  const ExprIndex body = add_loop(call, {.range = call.list({}),
                                         .variable = "#unused",
                                         .accumulator = *variable,
                                         .initial = call.member_call("value", call.target),
                                         .condition = call.literal(false),
                                         .step = call.identifier(*variable),
                                         .result = call.arguments[1]});
  return call.call(operators::kConditional, {call.member_call("hasValue", call.target),
                                             wrap(call, body), call.call("optional.none", {})});
}

ExprIndex expand_opt_map(MacroCall& call) {
  return expand_optional(
      call, [](MacroCall& c, ExprIndex body) { return c.call("optional.of", {body}); },
      "optMap() variable name must be a simple identifier");
}

ExprIndex expand_opt_flat_map(MacroCall& call) {
  return expand_optional(
      call, [](MacroCall&, ExprIndex body) { return body; },
      "optFlatMap() variable name must be a simple identifier");
}

constexpr Macro kStandard[] = {
    {.name = "has", .argument_count = 1, .expand = expand_has},
    {.name = "all", .argument_count = 2, .is_receiver = true, .expand = expand_all},
    {.name = "exists", .argument_count = 2, .is_receiver = true, .expand = expand_exists},
    {.name = "exists_one", .argument_count = 2, .is_receiver = true, .expand = expand_exists_one},
    {.name = "map", .argument_count = 2, .is_receiver = true, .expand = expand_map},
    {.name = "map", .argument_count = 3, .is_receiver = true, .expand = expand_map},
    {.name = "filter", .argument_count = 2, .is_receiver = true, .expand = expand_filter},
};

constexpr Macro kOptional[] = {
    {.name = "optMap", .argument_count = 2, .is_receiver = true, .expand = expand_opt_map},
    {.name = "optFlatMap", .argument_count = 2, .is_receiver = true, .expand = expand_opt_flat_map},
};

}  // namespace

ExprIndex MacroCall::literal(Literal value) {
  return ast.add({.kind = ExprKind::Literal, .position = position, .literal = std::move(value)});
}

ExprIndex MacroCall::identifier(std::string_view name) {
  return ast.add({.kind = ExprKind::Identifier, .position = position, .name = std::string(name)});
}

ExprIndex MacroCall::call(std::string_view function, std::vector<ExprIndex> arguments_of_call) {
  return ast.add({.kind = ExprKind::Call,
                  .position = position,
                  .name = std::string(function),
                  .children = std::move(arguments_of_call)});
}

ExprIndex MacroCall::member_call(std::string_view function, ExprIndex receiver) {
  return ast.add({.kind = ExprKind::Call,
                  .position = position,
                  .is_member = true,
                  .name = std::string(function),
                  .children = {receiver}});
}

ExprIndex MacroCall::list(std::vector<ExprIndex> elements) {
  return ast.add({.kind = ExprKind::List, .position = position, .children = std::move(elements)});
}

ExprIndex MacroCall::fail(ExprIndex at, std::string message) {
  issues.add(ast[at].position, std::move(message));
  return ast.add({.kind = ExprKind::Error, .position = position});
}

std::span<const Macro> standard_macros() { return kStandard; }
std::span<const Macro> optional_macros() { return kOptional; }

}  // namespace berth::cel
