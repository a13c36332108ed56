#include "apiserver/schema/rules.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "apiserver/schema/correlation.h"
#include "apiserver/schema/field_errors.h"
#include "apiserver/schema/validate.h"
#include "apiserver/schema/value_checks.h"
#include "apiserver/schema/value_path.h"
#include "base/strings.h"
#include "cel/arena.h"

namespace berth::apiserver {
namespace {

using json::Value;

constexpr std::size_t kMessageBytesMax = 5 * 1024;

// Whether a part is as it was. Where parts cannot be told apart, the nearest whole decides.
struct History {
  const Value* value = nullptr;
  const Value* old = nullptr;
  bool is_nearest = false;  // These are of a whole around the part.

  bool is_unchanged() const { return old && *value == *old; }

  History part(const Value& part_value, const Value* part_old) const {
    if (is_nearest || !old) return *this;
    if (part_old) return {.value = &part_value, .old = part_old};
    return {.value = value, .old = old, .is_nearest = true};
  }
};

struct Subject {
  const Schema& schema;
  const Value& value;
  const Value* old = nullptr;  // oldSelf
  History history = {};
  const ValuePath& path;
};

std::string shown_rule(const RuleText& text) {
  return std::string(trim(text.message.empty() ? text.rule : text.message));
}

class Walk {
 public:
  explicit Walk(std::string_view prefix) : prefix_(prefix) {}

  void visit(const Subject& subject);
  std::vector<Cause> take_causes() { return std::move(causes_); }

 private:
  void visit_parts(const Subject& subject);
  void visit_members(const Subject& subject);
  void evaluate_all(const Subject& subject, const CompiledRules& rules);
  void evaluate(const Subject& subject, const CompiledRule& rule,
                std::span<const cel::Value> variables);
  void note_error(const Subject& subject, const CompiledRule& rule, std::string_view error);
  void note_failure(const Subject& subject, const CompiledRule& rule,
                    std::span<const cel::Value> variables);
  std::optional<std::string> message_of(const CompiledRule& rule,
                                        std::span<const cel::Value> variables);
  void stop(const Subject& subject, std::string_view why);

  bool is_done() const { return budget_ < 0 || causes_.size() >= kCausesMax; }
  std::string field_of(const Subject& subject) const;

  std::string_view prefix_;
  std::int64_t budget_ = kObjectCostMax;
  cel::Arena arena_;
  std::vector<Cause> causes_;
};

std::string Walk::field_of(const Subject& subject) const {
  const std::string path = subject.path.text();
  return path.empty() ? std::string(prefix_) : child(prefix_, path);
}

// The type as errors show it in place of the value.
Value shown_type(const Schema& schema) {
  return Value(schema.form == Form::IntOrString ? std::string_view() : type_name(schema.form));
}

void Walk::visit(const Subject& subject) {
  const Constraints* constraints = subject.schema.constraints.get();
  if (!constraints || !constraints->has_rules_below || subject.value.is_null() || is_done()) return;
  if (constraints->rules) evaluate_all(subject, *constraints->rules);
  visit_parts(subject);
}

void Walk::visit_parts(const Subject& subject) {
  if (subject.value.is_object()) return visit_members(subject);
  if (!subject.value.is_array() || !subject.schema.items) return;
  const OldElements old(subject.schema, subject.old);
  std::size_t index = 0;
  for (const Value& element : subject.value.elements()) {
    const Value* before = old.find(element);
    visit({.schema = *subject.schema.items,
           .value = element,
           .old = before,
           .history = subject.history.part(element, before),
           .path = subject.path.index(index++)});
    if (is_done()) return;
  }
}

void Walk::visit_members(const Subject& subject) {
  std::vector<const json::Member*> by_name;
  for (const json::Member& member : subject.value.members()) by_name.push_back(&member);
  std::ranges::sort(by_name, {}, &json::Member::name);
  for (const json::Member* member : by_name) {
    const Field* known = subject.schema.find(member->name());
    const Schema* part = known ? known->schema : subject.schema.additional;
    if (!part) continue;
    const Value* before = old_member(subject.old, member->name());
    const bool names_the_type = member->name() == "apiVersion" || member->name() == "kind";
    const ValuePath path =
        known ? subject.path.child(member->name()) : subject.path.key(member->name());
    visit({.schema = *part,
           .value = member->value,
           .old = before,
           .history = subject.path.is_root() && names_the_type
                          ? History{}
                          : subject.history.part(member->value, before),
           .path = path});
    if (is_done()) return;
  }
}

void Walk::evaluate_all(const Subject& subject, const CompiledRules& rules) {
  arena_.reset();
  const auto convert = [&](const Value& value) {
    return rules.converts ? to_cel(subject.schema, value, arena_) : cel::Value::json(value);
  };
  const cel::Value self = convert(subject.value);
  const bool has_old = subject.old && !subject.old->is_null();
  const cel::Value old_self = has_old ? convert(*subject.old) : cel::Value();
  for (const CompiledRule& rule : rules.rules) {
    const bool is_optional = rule.text.optional_old_self.value_or(false);
    if (rule.uses_old_self && !has_old && !is_optional) continue;
    if (budget_ == 0) {
      return stop(
          subject,
          "validation failed due to running out of cost budget, no further validation rules "
          "will be run");
    }
    cel::Value old = old_self;
    if (is_optional) old = has_old ? cel::Value::some(&old_self) : cel::Value::none();
    const std::array variables = {self, old};
    evaluate(subject, rule, variables);
    if (is_done()) return;
  }
}

void Walk::stop(const Subject& subject, std::string_view why) {
  causes_.push_back(invalid(field_of(subject), shown_type(subject.schema), why));
  budget_ = -1;
}

void Walk::evaluate(const Subject& subject, const CompiledRule& rule,
                    std::span<const cel::Value> variables) {
  const cel::Evaluation outcome =
      rule.program.evaluate(variables, arena_, {.cost_max = kRuleCostMax});
  if (std::cmp_greater(outcome.cost, budget_)) {
    return stop(subject,
                "validation failed due to running out of cost budget, no further validation rules "
                "will be run");
  }
  budget_ -= static_cast<std::int64_t>(outcome.cost);
  if (outcome.value.is_error()) {
    note_error(subject, rule, outcome.value.text());
  } else if (!outcome.value.is_true()) {
    note_failure(subject, rule, variables);
  }
}

void Walk::note_error(const Subject& subject, const CompiledRule& rule, std::string_view error) {
  const std::string text = shown_rule(rule.text);
  if (error.starts_with("operation cancelled")) {
    return stop(subject, fmt::format("'{}': no further validation rules will be run due to call "
                                     "cost exceeds limit for rule: {}",
                                     error, text));
  }
  const std::string detail =
      error.starts_with("no such overload")
          ? fmt::format(
                "'{}': call arguments did not match a supported operator, function or "
                "macro signature for rule: {}",
                error, text)
          : fmt::format("{} evaluating rule: {}", error, text);
  causes_.push_back(invalid(field_of(subject), shown_type(subject.schema), detail));
}

void Walk::note_failure(const Subject& subject, const CompiledRule& rule,
                        std::span<const cel::Value> variables) {
  const std::optional<std::string> message = message_of(rule, variables);
  if (!rule.uses_old_self && subject.history.is_unchanged()) return;
  std::string field = field_of(subject);
  if (!rule.field_path.empty()) field = child(field, rule.field_path);
  if (budget_ < 0) {
    causes_.push_back(invalid(field, shown_type(subject.schema),
                              "messageExpression evaluation failed due to running out of cost "
                              "budget, no further validation rules will be run"));
    return;
  }
  std::string detail = message.value_or(
      rule.text.message.empty() ? "failed rule: " + shown_rule(rule.text) : shown_rule(rule.text));
  const std::string& reason = rule.text.reason;
  const bool is_whole = subject.schema.form == Form::Object || subject.schema.form == Form::Array;
  if (reason == "FieldValueForbidden") {
    causes_.push_back(forbidden(field, detail));
  } else if (reason == "FieldValueRequired") {
    causes_.push_back(required(field, detail));
  } else if (reason == "FieldValueDuplicate") {
    Cause cause = duplicate(field, subject.value);
    if (is_whole) cause.message = "Duplicate value";
    causes_.push_back(std::move(cause));
  } else {
    causes_.push_back(is_whole ? invalid_whole(field, detail)
                               : invalid(field, subject.value, detail));
  }
}

// Nothing when there is no expression for it or it gives no usable text: a message that cannot be
// made must not hide that the rule failed.
std::optional<std::string> Walk::message_of(const CompiledRule& rule,
                                            std::span<const cel::Value> variables) {
  if (!rule.message) return std::nullopt;
  const cel::Evaluation outcome =
      rule.message->evaluate(variables, arena_, {.cost_max = kRuleCostMax});
  budget_ -= std::min(static_cast<std::int64_t>(outcome.cost), budget_ + 1);
  if (!outcome.value.is(cel::ValueKind::String)) return std::nullopt;
  const std::string_view text = trim(outcome.value.text());
  if (text.empty() || text.size() > kMessageBytesMax || text.contains('\n')) return std::nullopt;
  return std::string(text);
}

}  // namespace

std::vector<Cause> validate_rules(const Schema& schema, const Value& value,
                                  const RuleInput& input) {
  const ValuePath root;
  Walk walk(input.path);
  walk.visit({.schema = schema,
              .value = value,
              .old = input.old,
              .history = {.value = &value, .old = input.old},
              .path = root});
  return walk.take_causes();
}

}  // namespace berth::apiserver
