#include "cel/checker.h"

#include <algorithm>
#include <optional>
#include <ranges>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "cel/operators.h"
#include "cel/unification.h"

namespace berth::cel {
namespace {

using Unbound = TypeBindings::Unbound;

Type type_of_literal(const Literal& literal) {
  constexpr TypeKind kKinds[] = {TypeKind::Null,   TypeKind::Bool,   TypeKind::Int,  TypeKind::Uint,
                                 TypeKind::Double, TypeKind::String, TypeKind::Bytes};
  return kKinds[literal.index()];
}

class Checker {
 public:
  Checker(const Ast& ast, const Environment& environment, Issues& issues)
      : ast_(ast),
        environment_(environment),
        issues_(issues),
        cross_type_allowed_(environment.has_cross_type_comparisons()) {
    result_.types.resize(ast.size(), TypeKind::Error);
    result_.references.resize(ast.size());
    done_.resize(ast.size());
  }

  Checked run() {
    check(ast_.root);
    for (Type& type : result_.types) type = bindings_.resolve(type, Unbound::ToDyn);
    return std::move(result_);
  }

 private:
  void check(ExprIndex index);
  Type check_identifier(ExprIndex index);
  Type check_select(ExprIndex index);
  enum class Selection { Plain, Optional };
  Type check_field(ExprIndex index, const std::string& field, Selection selection);
  Type field_type(ExprIndex index, const Type& target, const std::string& field);
  Type check_optional_select(ExprIndex index);
  Type check_call(ExprIndex index);
  Type check_list(const Expr& list);
  Type check_map(const Expr& map);
  Type check_struct(const Expr& message);
  Type check_comprehension(const Expr& loop);

  Type resolve_overload(ExprIndex index, const Function& function, std::span<const ExprIndex> args,
                        CallStyle style);
  Type check_logical(ExprIndex index, const Function& function, std::span<const ExprIndex> args);
  Type unwrap_optional_element(ExprIndex element);
  Type join(const std::optional<Type>& previous, const Type& current);
  Type range_element(const Expr& loop, const Type& range);

  std::optional<std::string> qualified_name(ExprIndex index) const;
  const Type* find_local(std::string_view name) const;
  std::optional<Type> resolve_global(ExprIndex index, std::string_view name);
  Type undeclared(ExprIndex index, std::string_view name);

  const Type& type(ExprIndex index) const { return result_.types[index]; }
  void report(ExprIndex at, std::string message) {
    issues_.add(ast_[at].position, std::move(message));
  }

  const Ast& ast_;
  const Environment& environment_;
  Issues& issues_;
  Checked result_;
  std::vector<bool> done_;  // A macro may use a subtree twice; it is checked once.
  TypeBindings bindings_;
  std::vector<std::pair<std::string, Type>> locals_;
  // The reference forgets its ban on comparing int with double once it has left the outermost
  // scope, that is from the first comprehension on; expressions in the field rely on it.
  bool cross_type_allowed_;
};

void Checker::check(ExprIndex index) {
  if (done_[index]) return;
  const Expr& expr = ast_[index];
  Type type = TypeKind::Error;
  switch (expr.kind) {
    case ExprKind::Error:
      break;
    case ExprKind::Literal:
      type = type_of_literal(expr.literal);
      break;
    case ExprKind::Identifier:
      type = check_identifier(index);
      break;
    case ExprKind::Select:
      type = check_select(index);
      break;
    case ExprKind::Call:
      type = check_call(index);
      break;
    case ExprKind::List:
      type = check_list(expr);
      break;
    case ExprKind::Map:
      type = check_map(expr);
      break;
    case ExprKind::Struct:
      type = check_struct(expr);
      break;
    case ExprKind::Comprehension:
      type = check_comprehension(expr);
      break;
  }
  result_.types[index] = std::move(type);
  done_[index] = true;
}

const Type* Checker::find_local(std::string_view name) const {
  for (const auto& [local, type] : std::views::reverse(locals_)) {
    if (local == name) return &type;
  }
  return nullptr;
}

// A variable or the name of a type; sets the reference.
std::optional<Type> Checker::resolve_global(ExprIndex index, std::string_view name) {
  if (name.starts_with('.')) name.remove_prefix(1);
  if (const auto variable = environment_.find_variable(name)) {
    result_.references[index] = {.kind = Reference::Kind::Variable, .variable = *variable};
    return environment_.variables()[*variable].type;
  }
  if (const Type* denoted = environment_.find_type_name(name)) {
    result_.references[index] = {.kind = Reference::Kind::TypeName};
    return Type::type_of(*denoted);
  }
  return std::nullopt;
}

Type Checker::undeclared(ExprIndex index, std::string_view name) {
  report(index, fmt::format("undeclared reference to '{}' (in container '')", name));
  return TypeKind::Error;
}

Type Checker::check_identifier(ExprIndex index) {
  const std::string& name = ast_[index].name;
  if (const Type* local = find_local(name)) {
    result_.references[index] = {.kind = Reference::Kind::Local};
    return *local;
  }
  if (auto global = resolve_global(index, name)) return *std::move(global);
  return undeclared(index, name);
}

// "a.b.c" for a chain of plain selections that starts with a name.
std::optional<std::string> Checker::qualified_name(ExprIndex index) const {
  const Expr& expr = ast_[index];
  if (expr.kind == ExprKind::Identifier) return expr.name;
  if (expr.kind != ExprKind::Select || expr.is_test_only) return std::nullopt;
  auto operand = qualified_name(expr.children[0]);
  if (!operand) return std::nullopt;
  return *std::move(operand) + "." + expr.name;
}

Type Checker::check_select(ExprIndex index) {
  const Expr& select = ast_[index];
  if (const auto name = qualified_name(index)) {
    const std::string_view first = std::string_view(*name).substr(0, name->find('.'));
    if (!find_local(first)) {
      if (auto global = resolve_global(index, *name)) return *std::move(global);
    }
  }
  const Type type = check_field(index, select.name, Selection::Plain);
  return select.is_test_only ? Type(TypeKind::Bool) : type;
}

Type Checker::check_optional_select(ExprIndex index) {
  const ExprIndex field = ast_[index].children[1];
  check(field);
  return check_field(index, std::get<std::string>(ast_[field].literal), Selection::Optional);
}

// Selecting from an optional gives an optional.
Type Checker::check_field(ExprIndex index, const std::string& field, Selection selection) {
  const ExprIndex operand = ast_[index].children[0];
  check(operand);
  const Type whole = bindings_.resolve(type(operand), Unbound::Keep);
  const Type& target = whole.is_optional() ? whole.parameters()[0] : whole;
  Type result = bindings_.resolve(field_type(index, target, field), Unbound::Keep);
  const bool wrap = whole.is_optional() || selection == Selection::Optional;
  return wrap ? Type::optional(std::move(result)) : result;
}

Type Checker::field_type(ExprIndex index, const Type& target, const std::string& field) {
  switch (target.kind()) {
    case TypeKind::Map:
      return target.parameters()[1];
    case TypeKind::Struct:
      if (const StructType* declared = environment_.find_struct(target.runtime_name())) {
        for (const auto& [name, type] : declared->fields) {
          if (name == field) return type;
        }
      }
      report(index, fmt::format("undefined field '{}'", field));
      return TypeKind::Error;
    case TypeKind::Variable:
      bindings_.assign(TypeKind::Dyn, target);
      return TypeKind::Dyn;
    case TypeKind::Dyn:
    case TypeKind::Error:
      return TypeKind::Dyn;
    default:
      report(index, fmt::format("type '{}' does not support field selection", target.display()));
      return TypeKind::Dyn;
  }
}

Type Checker::check_call(ExprIndex index) {
  const Expr& call = ast_[index];
  if (call.name == operators::kOptionalSelect) return check_optional_select(index);
  const std::span<const ExprIndex> children = call.children;
  const auto arguments = children.subspan(call.is_member ? 1 : 0);
  for (const ExprIndex argument : arguments) check(argument);

  if (!call.is_member) {
    std::string_view name = call.name;
    if (name.starts_with('.')) name.remove_prefix(1);
    const Function* function = environment_.find_function(name);
    if (!function) return undeclared(index, call.name);
    return resolve_overload(index, *function, arguments, CallStyle::Global);
  }
  if (const auto prefix = qualified_name(children[0])) {
    if (const Function* function = environment_.find_function(*prefix + "." + call.name)) {
      const Type result = resolve_overload(index, *function, arguments, CallStyle::Global);
      result_.references[index].is_namespaced = true;
      return result;
    }
  }
  check(children[0]);
  const Function* function = environment_.find_function(call.name);
  if (!function) return undeclared(index, call.name);
  return resolve_overload(index, *function, children, CallStyle::Member);
}

Type Checker::check_logical(ExprIndex index, const Function& function,
                            std::span<const ExprIndex> args) {
  bool fits = true;
  for (const ExprIndex arg : args) {
    if (bindings_.assign(type(arg), TypeKind::Bool)) continue;
    report(arg, fmt::format("expected type 'bool' but found '{}'", type(arg).display()));
    fits = false;
  }
  if (!fits) return TypeKind::Error;
  result_.references[index] = {.kind = Reference::Kind::Function, .function = &function};
  return TypeKind::Bool;
}

std::string signature(std::span<const Type> types, CallStyle style) {
  std::string text;
  if (style == CallStyle::Member) {
    text = types.front().display() + ".";
    types = types.subspan(1);
  }
  text += '(';
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (i > 0) text += ", ";
    text += types[i].display();
  }
  return text + ')';
}

Type Checker::resolve_overload(ExprIndex index, const Function& function,
                               std::span<const ExprIndex> args, CallStyle style) {
  if (function.name == operators::kLogicalAnd || function.name == operators::kLogicalOr) {
    return check_logical(index, function, args);
  }
  std::vector<Type> types;
  for (const ExprIndex arg : args) types.push_back(type(arg));

  std::optional<Type> result;
  std::size_t candidates = 0;
  const Overload* first = nullptr;
  for (const Overload& overload : function.overloads) {
    if (overload.is_cross_type && !cross_type_allowed_) continue;
    if (overload.style != style || overload.parameters.size() != types.size()) continue;
    const int base = bindings_.reserve_variables(count_type_variables(overload));
    std::vector<Type> parameters;
    for (const Type& parameter : overload.parameters) {
      parameters.push_back(bindings_.instantiate(parameter, base));
    }
    if (!bindings_.assign(types, parameters)) continue;
    if (++candidates == 1) first = &overload;
    const Type own = bindings_.resolve(bindings_.instantiate(overload.result, base), Unbound::Keep);
    if (!result) {
      result = own;
    } else if (!result->is_dyn() && own != *result) {
      result = TypeKind::Dyn;
    }
  }
  if (!result) {
    for (Type& it : types) it = bindings_.resolve(it, Unbound::ToDyn);
    report(index, fmt::format("found no matching overload for '{}' applied to '{}'", function.name,
                              signature(types, style)));
    return TypeKind::Error;
  }
  result_.references[index] = {.kind = Reference::Kind::Function,
                               .function = &function,
                               .overload = candidates == 1 ? first : nullptr};
  return *result;
}

Type Checker::join(const std::optional<Type>& previous, const Type& current) {
  if (!previous) return current;
  if (bindings_.assign(*previous, current)) return more_general(*previous, current);
  return TypeKind::Dyn;
}

// The type inside an element written with '?'.
Type Checker::unwrap_optional_element(ExprIndex element) {
  const Type& found = type(element);
  if (found.is_optional()) return found.parameters()[0];
  if (!found.is_dyn()) {
    report(element, fmt::format("expected type '{}' but found '{}'",
                                Type::optional(found).display(), found.display()));
  }
  return found;
}

Type Checker::check_list(const Expr& list) {
  std::optional<Type> element;
  for (std::size_t i = 0; i < list.children.size(); ++i) {
    const ExprIndex child = list.children[i];
    check(child);
    const bool is_optional = !list.optional.empty() && list.optional[i];
    element = join(element, is_optional ? unwrap_optional_element(child) : type(child));
  }
  return Type::list(element ? *element : bindings_.fresh_variable());
}

Type Checker::check_map(const Expr& map) {
  std::optional<Type> key;
  std::optional<Type> value;
  for (std::size_t i = 0; i < map.children.size(); i += 2) {
    check(map.children[i]);
    key = join(key, type(map.children[i]));
    const ExprIndex child = map.children[i + 1];
    check(child);
    const bool is_optional = map.optional[i / 2];
    value = join(value, is_optional ? unwrap_optional_element(child) : type(child));
  }
  if (key) return Type::map(*key, *value);
  const Type free_key = bindings_.fresh_variable();
  return Type::map(free_key, bindings_.fresh_variable());
}

// No environment has a message type whose values can be written down.
Type Checker::check_struct(const Expr& message) {
  std::string_view name = message.name;
  if (name.starts_with('.')) name.remove_prefix(1);
  const Position position = message.position;
  if (const Type* denoted = environment_.find_type_name(name)) {
    issues_.add(position, fmt::format("'{}' is not a message type", denoted->runtime_name()));
  } else {
    issues_.add(position,
                fmt::format("undeclared reference to '{}' (in container '')", message.name));
  }
  return TypeKind::Error;
}

Type Checker::range_element(const Expr& loop, const Type& range) {
  switch (range.kind()) {
    case TypeKind::List:
    case TypeKind::Map:
      return range.parameters()[0];
    case TypeKind::Dyn:
    case TypeKind::Error:
    case TypeKind::Variable:
      bindings_.assign(TypeKind::Dyn, range);
      return TypeKind::Dyn;
    default:
      report(loop.children[kRange],
             fmt::format("expression of type '{}' cannot be range of a comprehension (must be "
                         "list, map, or dynamic)",
                         range.display()));
      return TypeKind::Error;
  }
}

Type Checker::check_comprehension(const Expr& loop) {
  check(loop.children[kRange]);
  check(loop.children[kInitial]);
  const Type range = bindings_.resolve(type(loop.children[kRange]), Unbound::Keep);
  const Type accumulator = type(loop.children[kInitial]);
  cross_type_allowed_ = true;

  locals_.emplace_back(loop.accumulator, accumulator);
  locals_.emplace_back(loop.name, range_element(loop, range));
  const auto expect = [&](ExprIndex part, const Type& wanted) {
    check(part);
    if (bindings_.assign(wanted, type(part))) return;
    report(part, fmt::format("expected type '{}' but found '{}'", wanted.display(),
                             type(part).display()));
  };
  expect(loop.children[kCondition], TypeKind::Bool);
  expect(loop.children[kStep], accumulator);
  locals_.pop_back();
  check(loop.children[kResult]);
  locals_.pop_back();
  return bindings_.resolve(type(loop.children[kResult]), Unbound::Keep);
}

}  // namespace

Checked check(const Ast& ast, const Environment& environment, Issues& issues) {
  return Checker(ast, environment, issues).run();
}

}  // namespace berth::cel
