#include "apiserver/defaults/rules.h"

#include <utility>

namespace berth::apiserver {
namespace {

using json::Value;

bool holds(const Condition& condition, const Value& object) {
  const Value* value = object.find(condition.member);
  switch (condition.kind) {
    case Condition::Kind::Always:
      return true;
    case Condition::Kind::Equals:
      return value && value->string_or_empty() == condition.text;
    case Condition::Kind::Missing:
      return is_missing(value);
    case Condition::Kind::Present:
      return !is_missing(value);
  }
  return false;
}

bool needs_value(const DefaultRule& rule, const Value& object) {
  const Value* value = object.find(rule.member);
  if (is_missing(value)) return true;
  return rule.zero == Zero::IsMissing && value->as_int() == 0;
}

Value value_of(const Literal& literal, const Value& object) {
  switch (literal.kind) {
    case Literal::Kind::Text:
      return literal.text;
    case Literal::Kind::Integer:
      return literal.number;
    case Literal::Kind::Boolean:
      return literal.number != 0;
    case Literal::Kind::EmptyObject:
      return Value::object();
    case Literal::Kind::OneText:
      return Value::array({literal.text});
    case Literal::Kind::Copy:
      const Value* source = object.find(literal.text);
      return source ? *source : Value();
  }
  return nullptr;
}

// In place: objects are large and the rules touch little of them.
void apply_to(const RuleGroup& group, Value& object);

void apply_at(std::string_view place, const RuleGroup& group, Value& object) {
  const std::size_t dot = place.find('.');
  std::string_view name = place.substr(0, dot);
  const bool is_list = name.ends_with("[]");
  if (is_list) name.remove_suffix(2);
  Value* member = object.find(name);
  if (!member) return;

  const auto go_on = [&](Value& target) {
    if (dot == std::string_view::npos) {
      apply_to(group, target);
    } else {
      apply_at(place.substr(dot + 1), group, target);
    }
  };
  if (!is_list) return go_on(*member);
  for (Value& element : member->elements()) go_on(element);
}

void apply_to(const RuleGroup& group, Value& object) {
  if (!object.is_object()) return;
  for (const DefaultRule& rule : group.rules) {
    if (!needs_value(rule, object) || !holds(rule.when, object)) continue;
    Value value = value_of(rule.value, object);
    if (!value.is_null()) object[rule.member] = std::move(value);
  }
  for (const Inclusion& inclusion : group.includes) {
    apply_at(inclusion.place, *inclusion.group, object);
  }
  if (group.adjust) object = group.adjust(std::move(object));
}

}  // namespace

bool is_missing(const Value* value) {
  return !value || value->is_null() || value->as_string() == "";
}

Value* object_under(Value& parent, std::string_view name) {
  if (!parent.is_object()) return nullptr;
  Value& member = parent[name];
  if (member.is_null()) member = Value::object();
  return member.is_object() ? &member : nullptr;
}

Value apply_rules(const RuleGroup& group, Value object) {
  apply_to(group, object);
  return object;
}

}  // namespace berth::apiserver
