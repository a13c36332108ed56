#include "nodes/node_match.h"

#include <algorithm>
#include <utility>

#include "api/kinds/fields.h"

namespace berth::nodes {
namespace {

using api::LabelRequirement;
using Operator = LabelRequirement::Operator;

std::optional<Operator> operator_of(std::string_view name) {
  constexpr std::pair<std::string_view, Operator> kOperators[] = {
      {"In", Operator::In},          {"NotIn", Operator::NotIn},
      {"Exists", Operator::Exists},  {"DoesNotExist", Operator::DoesNotExist},
      {"Gt", Operator::GreaterThan}, {"Lt", Operator::LessThan}};
  for (const auto& [known, op] : kOperators) {
    if (name == known) return op;
  }
  return std::nullopt;
}

}  // namespace

NodeTerm NodeTerm::from_json(const json::Value& term) {
  NodeTerm read;
  const auto expressions = api::elements_field(term, "matchExpressions");
  const auto fields = api::elements_field(term, "matchFields");
  read.matches_nothing_ = expressions.empty() && fields.empty();
  for (const json::Value& expression : expressions) {
    const auto op = operator_of(api::field(expression, "operator").string_or_empty());
    if (!op) return read.matches_nothing_ = true, read;
    auto requirement = LabelRequirement::make(api::field(expression, "key").string_or_empty(), *op,
                                              api::texts_field(expression, "values"));
    if (!requirement.ok()) return read.matches_nothing_ = true, read;
    read.labels_.push_back(*std::move(requirement));
  }
  for (const json::Value& expression : fields) {
    const std::string_view op = api::field(expression, "operator").string_or_empty();
    auto values = api::texts_field(expression, "values");
    const bool is_readable = api::field(expression, "key").string_or_empty() == "metadata.name" &&
                             (op == "In" || op == "NotIn") && values.size() == 1;
    if (!is_readable) return read.matches_nothing_ = true, read;
    read.names_.push_back({.name = std::move(values[0]), .wanted = op == "In"});
  }
  return read;
}

bool NodeTerm::matches(std::string_view node, const api::Labels& labels) const {
  if (matches_nothing_) return false;
  for (const NameIs& condition : names_) {
    if ((condition.name == node) != condition.wanted) return false;
  }
  return std::ranges::all_of(labels_, [&labels](const LabelRequirement& requirement) {
    return requirement.matches(labels);
  });
}

NodeMatch NodeMatch::from_json(const json::Value& spec) {
  NodeMatch match;
  match.selector_ = api::labels_field(spec, "nodeSelector");
  const json::Value& affinity = api::field(api::field(spec, "affinity"), "nodeAffinity");
  const json::Value& required =
      api::field(affinity, "requiredDuringSchedulingIgnoredDuringExecution");
  if (required.is_object()) {
    match.required_.emplace();
    for (const json::Value& term : api::elements_field(required, "nodeSelectorTerms")) {
      match.required_->push_back(NodeTerm::from_json(term));
    }
  }
  for (const json::Value& preferred :
       api::elements_field(affinity, "preferredDuringSchedulingIgnoredDuringExecution")) {
    const std::int64_t weight = api::int32_field(preferred, "weight").value_or(0);
    if (weight == 0) continue;
    match.preferred_.push_back(
        {.term = NodeTerm::from_json(api::field(preferred, "preference")), .weight = weight});
  }
  return match;
}

bool NodeMatch::matches(std::string_view node, const api::Labels& labels) const {
  for (const api::Label& wanted : selector_) {
    if (labels.find(wanted.key) != wanted.value) return false;
  }
  if (!required_) return true;
  return std::ranges::any_of(*required_,
                             [&](const NodeTerm& term) { return term.matches(node, labels); });
}

std::int64_t NodeMatch::preference(std::string_view node, const api::Labels& labels) const {
  std::int64_t sum = 0;
  for (const Preferred& preferred : preferred_) {
    if (preferred.term.matches(node, labels)) sum += preferred.weight;
  }
  return sum;
}

}  // namespace berth::nodes
