#include "fleet/work/condition_rules.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "api/expressions/libraries.h"
#include "api/kinds/fields.h"
#include "base/result.h"
#include "cel/program.h"
#include "fleet/work/names.h"

namespace berth::fleet {
namespace {

using api::ConditionStatus;

// Kubernetes' own limits: for one expression, and for all of one object.
constexpr std::uint64_t kCallCostMax = 1'000'000;
constexpr std::uint64_t kBudget = 10'000'000;

cel::Value has_conditions(cel::Call& call) {
  if (!call[0].is(cel::ValueKind::Map)) return cel::Value::boolean(false);
  const auto conditions = call[0].find("conditions");
  return cel::Value::boolean(conditions && conditions->is(cel::ValueKind::List) &&
                             conditions->size() > 0);
}

// `object`, and in messages `result`.
std::shared_ptr<const cel::Environment> make_environment(std::vector<cel::Variable> variables) {
  using enum cel::TypeKind;
  auto environment = std::make_shared<cel::Environment>();
  for (cel::Variable& variable : variables) {
    environment->add_variable(std::move(variable.name), variable.type);
  }
  api::add_kubernetes_libraries(*environment, api::SemverVersion::Strict);
  environment->add_function({.name = "hasConditions",
                             .overloads = {{.id = "has_conditions",
                                            .parameters = {Dyn},
                                            .result = Bool,
                                            .implementation = has_conditions}}});
  return environment;
}

const std::shared_ptr<const cel::Environment>& rule_environment() {
  static const auto environment = make_environment({{"object", cel::TypeKind::Dyn}});
  return environment;
}

const std::shared_ptr<const cel::Environment>& message_environment() {
  static const auto environment =
      make_environment({{"object", cel::TypeKind::Dyn}, {"result", cel::TypeKind::Bool}});
  return environment;
}

class Evaluation {
 public:
  explicit Evaluation(const json::Value& object) : object_(object) {}

  api::Condition condition(const ConditionRule& rule) {
    const auto truth = all_true(rule.expressions);
    if (!truth.ok()) {
      return made(rule, ConditionStatus::False, "ConditionRuleExpressionError",
                  truth.error().message);
    }
    return made(rule, *truth ? ConditionStatus::True : ConditionStatus::False,
                "ConditionRuleEvaluated", message(rule, *truth));
  }

  static api::Condition made(const ConditionRule& rule, ConditionStatus status, std::string reason,
                             std::string message) {
    return {.type = rule.condition,
            .status = status,
            .reason = std::move(reason),
            .message = std::move(message)};
  }

 private:
  Result<bool> all_true(const std::vector<std::string>& expressions) {
    for (const std::string& expression : expressions) {
      ASSIGN_OR_RETURN(const cel::Program program, cel::compile(rule_environment(), expression));
      const std::array variables = {cel::Value::json(object_)};
      ASSIGN_OR_RETURN(const cel::Value value, run(program, variables));
      if (!value.is(cel::ValueKind::Bool)) {
        return failure(Code::Invalid,
                       fmt::format("expected bool result, got {}", value.type_name()));
      }
      if (!value.as_bool()) return false;
    }
    return true;
  }

  Result<cel::Value> run(const cel::Program& program, std::span<const cel::Value> variables) {
    const cel::Evaluation outcome =
        program.evaluate(variables, arena_, {.cost_max = std::min(kCallCostMax, left_)});
    if (outcome.cost > left_) {
      left_ = 0;
      return failure(Code::Invalid, "CEL evaluation budget exceeded");
    }
    left_ -= outcome.cost;
    if (outcome.value.is_error()) {
      return failure(Code::Invalid, std::string(outcome.value.text()));
    }
    return outcome.value;
  }

  Result<std::string> computed_message(const std::string& expression, bool result) {
    ASSIGN_OR_RETURN(const cel::Program program, cel::compile(message_environment(), expression));
    const std::array variables = {cel::Value::json(object_), cel::Value::boolean(result)};
    ASSIGN_OR_RETURN(const cel::Value value, run(program, variables));
    if (value.is(cel::ValueKind::String)) return std::string(value.text());
    return failure(Code::Invalid,
                   fmt::format("expected message expression to have a string result, got {}",
                               value.type_name()));
  }

  std::string message(const ConditionRule& rule, bool result) {
    if (!rule.message_expression.empty()) {
      const auto text = computed_message(rule.message_expression, result);
      if (!text.ok()) return text.error().message;
      if (!text->empty()) return *text;
    }
    if (!rule.message.empty()) return rule.message;
    return (result ? "Manifest is " : "Manifest is not ") + rule.condition;
  }

  const json::Value& object_;
  cel::Arena arena_;
  std::uint64_t left_ = kBudget;
};

std::optional<ConditionRule> well_known_rule(const json::Value& object,
                                             const ConditionRule& asked) {
  if (asked.condition != kWorkComplete) return std::nullopt;
  ConditionRule rule = asked;
  const std::string version = api::text_field(object, "apiVersion");
  const std::string kind = api::text_field(object, "kind");
  std::string message;
  if (version == "batch/v1" && kind == "Job") {
    rule.expressions = {
        "hasConditions(object.status) && object.status.conditions.exists(c, (c.type == 'Complete' "
        "|| c.type == 'Failed') && c.status == 'True')"};
    message = "result ? 'Job is finished' : 'Job is not finished'";
  } else if (version == "v1" && kind == "Pod") {
    rule.expressions = {"object.status.phase in ['Succeeded', 'Failed']"};
    message = "'Pod is in phase ' + object.status.phase";
  } else {
    return std::nullopt;
  }
  if (rule.message_expression.empty()) rule.message_expression = message;
  return rule;
}

}  // namespace

std::vector<api::Condition> evaluate_rules(const json::Value& object,
                                           const std::vector<ConditionRule>& rules) {
  std::vector<api::Condition> conditions;
  Evaluation evaluation(object);
  for (const ConditionRule& rule : rules) {
    if (rule.type == "CEL") {
      conditions.push_back(evaluation.condition(rule));
    } else if (rule.type == "WellKnownConditions") {
      const auto known = well_known_rule(object, rule);
      if (known) conditions.push_back(evaluation.condition(*known));
    } else {
      conditions.push_back(Evaluation::made(rule, ConditionStatus::Unknown, "ConditionRuleInvalid",
                                            "unrecognized condition rule type " + rule.type));
    }
  }
  return conditions;
}

}  // namespace berth::fleet
