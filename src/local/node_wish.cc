#include "local/node_wish.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "api/kinds/fields.h"
#include "api/label_requirement.h"
#include "api/labels.h"

namespace berth::local {
namespace {

using api::LabelRequirement;
using json::Value;

constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
constexpr std::string_view kName = "metadata.name";

const Value& required_of(const Value& pod_spec) {
  return api::field(api::field(api::field(pod_spec, "affinity"), "nodeAffinity"), kRequired);
}

std::optional<LabelRequirement::Operator> operator_of(std::string_view name) {
  using Operator = LabelRequirement::Operator;
  constexpr std::array<std::pair<std::string_view, Operator>, 6> kOperators = {
      {{"In", Operator::In},
       {"NotIn", Operator::NotIn},
       {"Exists", Operator::Exists},
       {"DoesNotExist", Operator::DoesNotExist},
       {"Gt", Operator::GreaterThan},
       {"Lt", Operator::LessThan}}};
  const auto* found =
      std::ranges::find(kOperators, name, &std::pair<std::string_view, Operator>::first);
  if (found == kOperators.end()) return std::nullopt;
  return found->second;
}

// What cannot be read matches nothing.
bool matches(const Value& expression, const api::Labels& labels) {
  const auto op = operator_of(api::text_field(expression, "operator"));
  if (!op) return false;
  const auto requirement = LabelRequirement::make(api::text_field(expression, "key"), *op,
                                                  api::texts_field(expression, "values"));
  return requirement.ok() && requirement->matches(labels);
}

bool matches_field(const Value& expression, const std::string& node) {
  if (api::text_field(expression, "key") != kName) return false;
  const auto names = api::texts_field(expression, "values");
  const bool is_named = std::ranges::find(names, node) != names.end();
  const std::string op = api::text_field(expression, "operator");
  return (op == "In" && is_named) || (op == "NotIn" && !is_named);
}

// An empty term matches no node.
bool matches_term(const Value& term, const api::Node& node) {
  const auto expressions = api::elements_field(term, "matchExpressions");
  const auto fields = api::elements_field(term, "matchFields");
  if (expressions.empty() && fields.empty()) return false;
  const api::Labels labels(node.labels);
  return std::ranges::all_of(expressions,
                             [&](const Value& each) { return matches(each, labels); }) &&
         std::ranges::all_of(fields,
                             [&](const Value& each) { return matches_field(each, node.name); });
}

}  // namespace

bool wants_node(const Value& pod_spec, const api::Node& node) {
  const std::string named = api::text_field(pod_spec, "nodeName");
  if (!named.empty() && named != node.name) return false;
  const api::Labels labels(node.labels);
  for (const json::Member& wanted : api::field(pod_spec, "nodeSelector").members()) {
    if (labels.find(wanted.name()) != wanted.value.string_or_empty()) return false;
  }
  const Value& required = required_of(pod_spec);
  if (required.is_null()) return true;
  return std::ranges::any_of(api::elements_field(required, "nodeSelectorTerms"),
                             [&node](const Value& term) { return matches_term(term, node); });
}

Value pinned_to(Value pod, std::string_view node) {
  const Value pin = Value::array({Value::object(
      {{"key", kName}, {"operator", "In"}, {"values", Value::array({Value(node)})}})});
  Value terms = Value::array();
  for (Value term :
       api::elements_field(required_of(api::field(pod, "spec")), "nodeSelectorTerms")) {
    term["matchFields"] = pin;
    terms.push_back(std::move(term));
  }
  if (terms.elements().empty()) terms.push_back(Value::object({{"matchFields", pin}}));
  pod["spec"]["affinity"]["nodeAffinity"][kRequired] =
      Value::object({{"nodeSelectorTerms", std::move(terms)}});
  return pod;
}

std::string pin_of(const Value& pod) {
  const Value& required = required_of(api::field(pod, "spec"));
  for (const Value& term : api::elements_field(required, "nodeSelectorTerms")) {
    for (const Value& expression : api::elements_field(term, "matchFields")) {
      const auto names = api::texts_field(expression, "values");
      const bool is_pin = api::text_field(expression, "key") == kName && names.size() == 1 &&
                          api::text_field(expression, "operator") == "In";
      if (is_pin) return names[0];
    }
  }
  return "";
}

}  // namespace berth::local
