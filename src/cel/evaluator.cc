#include "cel/evaluator.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "cel/ast.h"
#include "cel/compare.h"
#include "cel/cost.h"
#include "cel/map_builder.h"
#include "cel/qualify.h"

namespace berth::cel {
namespace {

// Calls with more arguments keep them in the arena.
constexpr std::size_t kInlineArguments = 4;

std::string_view iterable_complaint(const Value& value) {
  switch (value.kind()) {
    case ValueKind::Null:
      return "got 'types.Null', expected iterable type";
    case ValueKind::Bool:
      return "got 'types.Bool', expected iterable type";
    case ValueKind::Int:
      return "got 'types.Int', expected iterable type";
    case ValueKind::Uint:
      return "got 'types.Uint', expected iterable type";
    case ValueKind::Double:
      return "got 'types.Double', expected iterable type";
    case ValueKind::String:
      return "got 'types.String', expected iterable type";
    case ValueKind::Bytes:
      return "got 'types.Bytes', expected iterable type";
    default:
      return "expected iterable type";
  }
}

// Stands in a slot until somebody reads it. It is no error that anybody sees.
constexpr std::string_view kPending = "pending";

class Evaluator {
 public:
  Evaluator(const EvaluationPlan& plan, Context& context, std::span<Value> slots)
      : plan_(plan), context_(context), slots_(slots) {}

  Value eval(NodeIndex index);

 private:
  Value eval_attribute(const PlanNode& node);
  Value read_failed_slot(std::uint32_t slot);
  Value eval_conditional(const PlanNode& node);
  Value qualify_path(const PlanNode& node, Value value);
  Value eval_and(const PlanNode& node);
  Value eval_or(const PlanNode& node);
  Value eval_equality(const PlanNode& node);
  Value eval_not_strictly_false(const PlanNode& node);
  Value eval_call(const PlanNode& node);
  Value invoke(const PlanNode& node, std::span<const Value> arguments);
  Value eval_optional_or(const PlanNode& node);
  Value eval_list(const PlanNode& node);
  Value eval_map(const PlanNode& node);
  Value eval_fold(const PlanNode& node);
  Value eval_collect(const PlanNode& node);

  NodeIndex child(const PlanNode& node, std::size_t i) const {
    return plan_.children[node.children.first + i];
  }
  Value item(const Value& range, std::size_t i) const {
    return range.is(ValueKind::List) ? range.element(i) : range.entry(i).key;
  }

  const EvaluationPlan& plan_;
  Context& context_;
  std::span<Value> slots_;
};

Value Evaluator::eval(NodeIndex index) {
  if (context_.is_cancelled()) [[unlikely]]
    return context_.cancelled();
  const PlanNode& node = plan_.nodes[index];
  switch (node.op) {
    case Op::Constant:
      return node.constant;
    case Op::Attribute:
      return eval_attribute(node);
    case Op::And:
      return eval_and(node);
    case Op::Or:
      return eval_or(node);
    case Op::Equal:
    case Op::NotEqual:
      return eval_equality(node);
    case Op::NotStrictlyFalse:
      return eval_not_strictly_false(node);
    case Op::Call:
      return eval_call(node);
    case Op::OptionalOr:
    case Op::OptionalOrValue:
      return eval_optional_or(node);
    case Op::List:
      return eval_list(node);
    case Op::Map:
      return eval_map(node);
    case Op::Fold:
      return eval_fold(node);
    case Op::Collect:
      return eval_collect(node);
  }
  return Context::no_such_overload();
}

Value Evaluator::eval_attribute(const PlanNode& node) {
  Value value;
  switch (node.base) {
    case Base::Slot:
      value = slots_[node.slot];
      if (value.is_error()) value = read_failed_slot(node.slot);
      break;
    case Base::Node:
      value = eval(child(node, 0));
      break;
    case Base::Conditional:
      value = eval_conditional(node);
      break;
  }
  if (!value.is_error() && node.qualifiers.count > 0) {
    value = qualify_path(node, value);
    // has() of a path through an optional that is empty.
    const Qualifier& last = plan_.qualifiers[node.qualifiers.first + node.qualifiers.count - 1];
    if (last.is_test && value.is(ValueKind::Optional)) value = Value::boolean(value.has_value());
  }
  if (node.has_own_cost) context_.add_cost(kSelectCost);
  return value;
}

// An accumulator is computed when it is first read: optMap(x, 1) never looks at x.
Value Evaluator::read_failed_slot(std::uint32_t slot) {
  if (slots_[slot].text().data() != kPending.data()) return slots_[slot];
  const Value initial = eval(plan_.initials[slot]);
  slots_[slot] = initial;
  return initial;
}

Value Evaluator::eval_conditional(const PlanNode& node) {
  const Value condition = eval(child(node, 0));
  if (condition.is_error()) return condition;
  if (!condition.is(ValueKind::Bool)) return Context::no_such_overload();
  return eval(child(node, condition.as_bool() ? 1 : 2));
}

Value Evaluator::qualify_path(const PlanNode& node, Value value) {
  bool is_optional = false;
  if (value.is(ValueKind::Optional)) {
    if (!value.has_value()) return value;
    is_optional = true;
    value = value.inner();
  }
  for (const Qualifier& qualifier : plan_.qualifiers_of(node)) {
    const Value key = qualifier.is_computed ? eval(qualifier.node) : qualifier.key;
    is_optional = is_optional || qualifier.is_optional;
    const bool may_miss = is_optional || qualifier.is_test;
    const Qualified found = key.is_error() ? Qualified::failed(key) : qualify(context_, value, key);
    if (found.state != Qualified::State::Missing || !is_optional) context_.add_cost(kSelectCost);
    switch (found.state) {
      case Qualified::State::Failed:
        return found.value;
      case Qualified::State::Missing:
        if (qualifier.is_test) return Value::boolean(false);
        return may_miss ? Value::none() : missing(context_, value, key);
      case Qualified::State::Found:
        if (qualifier.is_test) return Value::boolean(true);
        value = found.value;
    }
  }
  return is_optional ? context_.some(value) : value;
}

Value Evaluator::eval_and(const PlanNode& node) {
  const Value left = eval(child(node, 0));
  if (left.is_false()) return left;
  const Value right = eval(child(node, 1));
  if (right.is_false()) return right;
  if (left.is_error()) return left;
  if (!left.is(ValueKind::Bool)) return Context::no_such_overload();
  if (right.is_error() || right.is(ValueKind::Bool)) return right;
  return Context::no_such_overload();
}

Value Evaluator::eval_or(const PlanNode& node) {
  const Value left = eval(child(node, 0));
  if (left.is_true()) return left;
  const Value right = eval(child(node, 1));
  if (right.is_true()) return right;
  if (left.is_error()) return left;
  if (!left.is(ValueKind::Bool)) return Context::no_such_overload();
  if (right.is_error() || right.is(ValueKind::Bool)) return right;
  return Context::no_such_overload();
}

Value Evaluator::eval_equality(const PlanNode& node) {
  const Value left = eval(child(node, 0));
  const Value right = eval(child(node, 1));
  context_.add_cost(comparison_cost(left, right));
  if (left.is_error()) return left;
  if (right.is_error()) return right;
  const bool same = equal(context_, left, right);
  if (context_.is_cancelled()) return context_.cancelled();
  return Value::boolean(same == (node.op == Op::Equal));
}

Value Evaluator::eval_not_strictly_false(const PlanNode& node) {
  const Value value = eval(child(node, 0));
  context_.add_cost(1);
  return value.is(ValueKind::Bool) ? value : Value::boolean(true);
}

Value Evaluator::eval_call(const PlanNode& node) {
  const std::size_t count = node.children.count;
  std::array<Value, kInlineArguments> few;
  std::span<Value> arguments = std::span(few).first(std::min(count, few.size()));
  if (count > few.size()) {
    arguments = {context_.arena().allocate_array<Value>(count), count};
    std::ranges::uninitialized_default_construct(arguments);
  }
  const Value* failed = nullptr;
  for (std::size_t i = 0; i < count; ++i) {
    arguments[i] = eval(child(node, i));
    if (!arguments[i].is_error()) continue;
    if (!failed) failed = &arguments[i];
    // What was not evaluated has no cost, and neither has the call.
    if (node.stops_at_error && i + 1 < count) return *failed;
  }
  const Value result = failed ? *failed : invoke(node, arguments);
  const CostFunction cost = node.overload ? node.overload->cost : nullptr;
  context_.add_cost(cost ? cost(arguments, result) : 1);
  return result;
}

Value Evaluator::invoke(const PlanNode& node, std::span<const Value> arguments) {
  if (context_.is_cancelled()) return context_.cancelled();
  Call call = {.context = context_, .arguments = arguments, .prepared = node.prepared};
  if (node.function->implementation) return node.function->implementation(call);
  if (node.overload) {
    if (accepts(*node.overload, arguments)) return node.overload->implementation(call);
  } else {
    for (const Overload& overload : node.function->overloads) {
      if (accepts(overload, arguments)) return overload.implementation(call);
    }
  }
  std::string message = "no such overload: " + node.function->name + "(";
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (i > 0) message += ", ";
    message += arguments[i].type_name();
  }
  return context_.error({message, ")"});
}

Value Evaluator::eval_optional_or(const PlanNode& node) {
  const Value left = eval(child(node, 0));
  if (left.is_error()) return left;
  if (!left.is(ValueKind::Optional)) return Context::no_such_overload();
  if (!left.has_value()) return eval(child(node, 1));
  return node.op == Op::OptionalOr ? left : left.inner();
}

Value Evaluator::eval_list(const PlanNode& node) {
  const std::size_t count = node.children.count;
  context_.add_cost(kListCost);
  if (!context_.charge(count * sizeof(Value))) return context_.cancelled();
  Value* elements = context_.arena().allocate_array<Value>(count);
  std::size_t size = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Value element = eval(child(node, i));
    if (element.is_error()) return element;
    if (node.optional && (*node.optional)[i]) {
      if (!element.is(ValueKind::Optional)) {
        return context_.error({"cannot initialize optional list element from non-optional value ",
                               display_key(element)});
      }
      if (!element.has_value()) continue;
      element = element.inner();
    }
    std::construct_at(&elements[size++], element);
  }
  return Value::list({elements, size});
}

Value Evaluator::eval_map(const PlanNode& node) {
  context_.add_cost(kMapCost);
  MapBuilder builder;
  for (std::size_t i = 0; i < node.children.count; i += 2) {
    const Value key = eval(child(node, i));
    if (key.is_error()) return key;
    Value value = eval(child(node, i + 1));
    if (value.is_error()) return value;
    if (node.optional && (*node.optional)[i / 2]) {
      if (!value.is(ValueKind::Optional)) {
        return context_.error({"cannot initialize optional entry '", display_key(key),
                               "' from non-optional value ", display_key(value)});
      }
      if (!value.has_value()) {
        builder.erase(key);
        continue;
      }
      value = value.inner();
    }
    builder.set(key, value);
  }
  return builder.build(context_);
}

Value Evaluator::eval_fold(const PlanNode& node) {
  const Value range = eval(child(node, kRange));
  if (range.is_error()) return range;
  if (!range.is(ValueKind::List) && !range.is(ValueKind::Map)) {
    return Value::error(iterable_complaint(range));
  }
  slots_[node.accumulator] = Value::error(kPending);
  for (std::size_t i = 0; i < range.size(); ++i) {
    slots_[node.slot] = item(range, i);
    if (eval(child(node, kCondition)).is_false()) break;
    slots_[node.accumulator] = eval(child(node, kStep));
    if (context_.is_cancelled()) return context_.cancelled();
  }
  return eval(child(node, kResult));
}

// What the loop `accumulator + [element]` does and costs, without copying the list each time.
Value Evaluator::eval_collect(const PlanNode& node) {
  const Value range = eval(child(node, 0));
  if (range.is_error()) return range;
  if (!range.is(ValueKind::List) && !range.is(ValueKind::Map)) {
    return Value::error(iterable_complaint(range));
  }
  if (!context_.charge(range.size() * sizeof(Value))) return context_.cancelled();
  Value* collected = context_.arena().allocate_array<Value>(range.size());
  std::size_t size = 0;
  std::optional<Value> error;   // Once there is one, the loop goes on but its result stands.
  bool is_initialized = false;  // The empty list is made, and paid for, when it is first needed.
  const auto initialize = [&] {
    if (!is_initialized && !error) context_.add_cost(kListCost);
    is_initialized = true;
  };
  for (std::size_t i = 0; i < range.size() && !context_.is_cancelled(); ++i) {
    slots_[node.slot] = item(range, i);
    if (node.children.count == 3) {
      const Value passes = eval(child(node, 2));
      if (passes.is_false()) {
        initialize();
        continue;
      }
      if (!passes.is_true()) {
        error = passes.is_error() ? passes : Context::no_such_overload();
        continue;
      }
    }
    initialize();
    const Value element = eval(child(node, 1));
    context_.add_cost(kSelectCost + kListCost + 1);
    if (!error && element.is_error()) error = element;
    if (!error) std::construct_at(&collected[size++], element);
  }
  if (context_.is_cancelled()) return context_.cancelled();
  initialize();
  context_.add_cost(kSelectCost);
  return error ? *error : Value::list({collected, size});
}

}  // namespace

Value evaluate(const EvaluationPlan& plan, Context& context) {
  std::span<Value> slots(context.arena().allocate_array<Value>(plan.slot_count), plan.slot_count);
  std::ranges::uninitialized_default_construct(slots);
  std::ranges::copy(context.variables(), slots.begin());
  const Value result = Evaluator(plan, context, slots).eval(plan.root);
  return context.is_cancelled() ? context.cancelled() : result;
}

}  // namespace berth::cel
