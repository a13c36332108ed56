#include "cel/planner.h"

#include <algorithm>
#include <optional>
#include <ranges>
#include <string>
#include <utility>
#include <variant>

#include "base/check.h"
#include "cel/operators.h"

namespace berth::cel {
namespace {

class Planner {
 public:
  Planner(const Ast& ast, const Checked& checked, const Environment& environment)
      : ast_(ast), checked_(checked), planned_(ast.size()) {
    plan_.slot_count = static_cast<std::uint32_t>(environment.variables().size());
  }

  Result<EvaluationPlan> run() {
    plan_.root = plan(ast_.root);
    RETURN_IF_ERROR(status_);
    return std::move(plan_);
  }

 private:
  NodeIndex plan(ExprIndex index);
  NodeIndex plan_new(ExprIndex index);
  NodeIndex plan_literal(const Literal& literal);
  NodeIndex plan_attribute(ExprIndex index);
  NodeIndex plan_call(ExprIndex index);
  NodeIndex plan_list_or_map(const Expr& expr, Op op);
  NodeIndex plan_comprehension(const Expr& loop);
  std::optional<NodeIndex> plan_collect(const Expr& loop, PlanNode node);

  // An attribute that costs nothing on its own where it stands; anything else as usual.
  NodeIndex plan_free(ExprIndex index);
  bool is_attribute(ExprIndex index) const;
  bool is_path_step(ExprIndex index) const;
  Qualifier plan_qualifier(const Expr& step);
  void prepare(PlanNode& node);

  NodeIndex add(PlanNode node, std::span<const NodeIndex> children = {});
  NodeIndex add_constant(Value value) { return add({.op = Op::Constant, .constant = value}); }
  Value literal_value(const Literal& literal);
  std::uint32_t slot_of(ExprIndex identifier) const;
  std::uint32_t declare(const std::string& name);

  const Ast& ast_;
  const Checked& checked_;
  EvaluationPlan plan_;
  Status status_;
  std::vector<std::optional<NodeIndex>> planned_;  // A subtree that is used twice is planned once.
  std::vector<std::pair<std::string, std::uint32_t>> locals_;
};

NodeIndex Planner::plan(ExprIndex index) {
  if (!planned_[index]) planned_[index] = plan_new(index);
  return *planned_[index];
}

NodeIndex Planner::plan_new(ExprIndex index) {
  const Expr& expr = ast_[index];
  if (checked_.references[index].kind == Reference::Kind::TypeName) {
    const Type& denoted = checked_.types[index].parameters()[0];
    return add_constant(Value::type(plan_.constants->copy(denoted.runtime_name())));
  }
  switch (expr.kind) {
    case ExprKind::Literal:
      return plan_literal(expr.literal);
    case ExprKind::Identifier:
    case ExprKind::Select:
      return plan_attribute(index);
    case ExprKind::Call:
      return is_attribute(index) ? plan_attribute(index) : plan_call(index);
    case ExprKind::List:
      return plan_list_or_map(expr, Op::List);
    case ExprKind::Map:
      return plan_list_or_map(expr, Op::Map);
    case ExprKind::Comprehension:
      return plan_comprehension(expr);
    case ExprKind::Struct:
    case ExprKind::Error:
      break;
  }
  CHECK(false);  // The checker reports both.
}

Value Planner::literal_value(const Literal& literal) {
  struct Maker {
    Arena& arena;
    Value operator()(std::monostate) const { return {}; }
    Value operator()(bool it) const { return Value::boolean(it); }
    Value operator()(std::int64_t it) const { return Value::integer(it); }
    Value operator()(std::uint64_t it) const { return Value::unsigned_integer(it); }
    Value operator()(double it) const { return Value::floating(it); }
    Value operator()(const std::string& it) const { return Value::string(arena.copy(it)); }
    Value operator()(const BytesLiteral& it) const { return Value::bytes(arena.copy(it.bytes)); }
  };
  return std::visit(Maker{*plan_.constants}, literal);
}

NodeIndex Planner::plan_literal(const Literal& literal) {
  return add_constant(literal_value(literal));
}

// A step of a path whose operand is its first child.
bool Planner::is_path_step(ExprIndex index) const {
  const Expr& expr = ast_[index];
  if (checked_.references[index].kind == Reference::Kind::Variable) return false;
  if (expr.kind == ExprKind::Select) return true;
  return expr.kind == ExprKind::Call &&
         (expr.name == operators::kIndex || expr.name == operators::kOptionalIndex ||
          expr.name == operators::kOptionalSelect);
}

bool Planner::is_attribute(ExprIndex index) const {
  const Reference& reference = checked_.references[index];
  if (reference.kind == Reference::Kind::TypeName) return false;
  const Expr& expr = ast_[index];
  return expr.kind == ExprKind::Identifier || is_path_step(index) ||
         reference.kind == Reference::Kind::Variable ||
         (expr.kind == ExprKind::Call && expr.name == operators::kConditional);
}

Qualifier Planner::plan_qualifier(const Expr& step) {
  if (step.kind == ExprKind::Select) {
    return {.key = Value::string(plan_.constants->copy(step.name)), .is_test = step.is_test_only};
  }
  Qualifier qualifier = {.is_optional = step.name != operators::kIndex};
  const Expr& key = ast_[step.children[1]];
  if (key.kind == ExprKind::Literal) {
    qualifier.key = literal_value(key.literal);
  } else {
    qualifier.is_computed = true;
    qualifier.node = plan_free(step.children[1]);
  }
  return qualifier;
}

NodeIndex Planner::plan_attribute(ExprIndex index) {
  std::vector<ExprIndex> steps;
  ExprIndex base = index;
  while (is_path_step(base)) {
    steps.push_back(base);
    base = ast_[base].children[0];
  }
  PlanNode node = {.op = Op::Attribute};
  std::vector<NodeIndex> children;
  const Expr& start = ast_[base];
  const bool is_name = is_attribute(base) && start.kind != ExprKind::Call;
  if (is_name) {
    node.slot = slot_of(base);
  } else if (is_attribute(base)) {
    node.base = Base::Conditional;
    node.has_own_cost = false;
    children = {plan(start.children[0]), plan_free(start.children[1]),
                plan_free(start.children[2])};
  } else {
    node.base = Base::Node;
    children = {plan(base)};
  }
  // Keys may contain attributes of their own, so all are planned before they are stored together.
  std::vector<Qualifier> qualifiers;
  for (const ExprIndex step : std::views::reverse(steps)) {
    qualifiers.push_back(plan_qualifier(ast_[step]));
  }
  node.qualifiers = {.first = static_cast<std::uint32_t>(plan_.qualifiers.size()),
                     .count = static_cast<std::uint32_t>(qualifiers.size())};
  plan_.qualifiers.insert(plan_.qualifiers.end(), qualifiers.begin(), qualifiers.end());
  return add(std::move(node), children);
}

NodeIndex Planner::plan_free(ExprIndex index) {
  if (!is_attribute(index)) return plan(index);
  const NodeIndex node = plan_attribute(index);
  plan_.nodes[node].has_own_cost = false;
  return node;
}

NodeIndex Planner::plan_call(ExprIndex index) {
  const Expr& call = ast_[index];
  const Reference& reference = checked_.references[index];
  const std::size_t skipped = reference.is_namespaced ? 1 : 0;
  std::vector<NodeIndex> children;
  for (const ExprIndex child : std::span(call.children).subspan(skipped)) {
    children.push_back(plan(child));
  }
  struct Special {
    std::string_view name;
    Op op;
  };
  static constexpr Special kSpecial[] = {
      {operators::kLogicalAnd, Op::And},
      {operators::kLogicalOr, Op::Or},
      {operators::kEquals, Op::Equal},
      {operators::kNotEquals, Op::NotEqual},
      {operators::kNotStrictlyFalse, Op::NotStrictlyFalse},
  };
  for (const Special& special : kSpecial) {
    if (call.name == special.name) return add({.op = special.op}, children);
  }
  PlanNode node = {.op = Op::Call, .function = reference.function, .overload = reference.overload};
  if (reference.overload && reference.overload->id == "optional_or_optional") {
    node.op = Op::OptionalOr;
  } else if (reference.overload && reference.overload->id == "optional_orValue_value") {
    node.op = Op::OptionalOrValue;
  }
  // The reference looks for the overload of one or two values only after it has them all.
  const bool one_of_many = !reference.overload && !reference.function->implementation;
  node.stops_at_error = children.size() > 2 || one_of_many;
  const NodeIndex result = add(std::move(node), children);
  prepare(plan_.nodes[result]);
  return result;
}

void Planner::prepare(PlanNode& node) {
  if (!node.overload || !node.overload->prepare) return;
  std::vector<const Value*> literals;
  for (const NodeIndex child : plan_.children_of(node)) {
    const PlanNode& argument = plan_.nodes[child];
    literals.push_back(argument.op == Op::Constant ? &argument.constant : nullptr);
  }
  auto prepared = node.overload->prepare(literals);
  if (!prepared.ok()) {
    if (status_.ok()) status_ = failure(std::move(prepared).error());
    return;
  }
  node.prepared = prepared->get();
  if (node.prepared) plan_.prepared.push_back(*std::move(prepared));
}

NodeIndex Planner::plan_list_or_map(const Expr& expr, Op op) {
  PlanNode node = {.op = op};
  if (std::ranges::find(expr.optional, true) != expr.optional.end()) {
    plan_.optionals.push_back(std::make_unique<const std::vector<bool>>(expr.optional));
    node.optional = plan_.optionals.back().get();
  }
  std::vector<NodeIndex> children;
  for (const ExprIndex child : expr.children) children.push_back(plan(child));
  return add(std::move(node), children);
}

NodeIndex Planner::plan_comprehension(const Expr& loop) {
  PlanNode node = {.op = Op::Fold};
  std::vector<NodeIndex> children(5);
  children[kRange] = plan(loop.children[kRange]);
  children[kInitial] = plan(loop.children[kInitial]);
  node.accumulator = declare(loop.accumulator);
  plan_.initials.resize(node.accumulator + 1);
  plan_.initials[node.accumulator] = children[kInitial];
  node.slot = declare(loop.name);
  NodeIndex result = 0;
  if (const auto collect = plan_collect(loop, node)) {
    result = *collect;
    locals_.pop_back();
  } else {
    children[kCondition] = plan(loop.children[kCondition]);
    children[kStep] = plan(loop.children[kStep]);
    locals_.pop_back();
    children[kResult] = plan(loop.children[kResult]);
    result = add(std::move(node), children);
  }
  locals_.pop_back();
  return result;
}

// Recognizes the loops that map() and filter() expand to, which only append to a list.
std::optional<NodeIndex> Planner::plan_collect(const Expr& loop, PlanNode node) {
  const Expr* step = &ast_[loop.children[kStep]];
  std::optional<ExprIndex> filter;
  if (step->kind == ExprKind::Call && step->name == operators::kConditional) {
    filter = step->children[0];
    step = &ast_[step->children[1]];
  }
  const bool appends = loop.accumulator == kAccumulator && step->kind == ExprKind::Call &&
                       step->name == operators::kAdd &&
                       ast_[step->children[1]].kind == ExprKind::List;
  if (!appends) return std::nullopt;
  std::vector<NodeIndex> children = {plan(loop.children[kRange]),
                                     plan(ast_[step->children[1]].children[0])};
  if (filter) children.push_back(plan(*filter));
  node.op = Op::Collect;
  return add(std::move(node), children);
}

NodeIndex Planner::add(PlanNode node, std::span<const NodeIndex> children) {
  node.children = {.first = static_cast<std::uint32_t>(plan_.children.size()),
                   .count = static_cast<std::uint32_t>(children.size())};
  plan_.children.insert(plan_.children.end(), children.begin(), children.end());
  plan_.nodes.push_back(std::move(node));
  return static_cast<NodeIndex>(plan_.nodes.size() - 1);
}

std::uint32_t Planner::slot_of(ExprIndex identifier) const {
  const Reference& reference = checked_.references[identifier];
  if (reference.kind == Reference::Kind::Variable) {
    return static_cast<std::uint32_t>(reference.variable);
  }
  for (const auto& [name, slot] : std::views::reverse(locals_)) {
    if (name == ast_[identifier].name) return slot;
  }
  CHECK(false);  // The checker found it.
}

std::uint32_t Planner::declare(const std::string& name) {
  locals_.emplace_back(name, plan_.slot_count);
  return plan_.slot_count++;
}

}  // namespace

Result<EvaluationPlan> make_plan(const Ast& ast, const Checked& checked,
                                 const Environment& environment) {
  return Planner(ast, checked, environment).run();
}

}  // namespace berth::cel
