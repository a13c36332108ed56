#include "apiserver/auth/aggregation.h"

#include <algorithm>

#include "api/label_selector.h"
#include "api/metadata.h"
#include "apiserver/auth/policy_rule.h"

namespace berth::apiserver {
namespace {

std::vector<const json::Value*> selected(std::span<const json::Value> all,
                                         const api::LabelSelector& selector) {
  std::vector<const json::Value*> roles;
  for (const json::Value& role : all) {
    if (selector.matches(api::Metadata(role).labels())) roles.push_back(&role);
  }
  std::ranges::sort(roles, {}, [](const json::Value* role) { return api::Metadata(*role).name(); });
  return roles;
}

}  // namespace

Result<std::optional<json::Value>> aggregated_rules(const json::Value& role,
                                                    std::span<const json::Value> all) {
  const json::Value* selectors = role.find_path({"aggregationRule", "clusterRoleSelectors"});
  if (selectors == nullptr) return std::nullopt;
  std::vector<PolicyRule> rules;
  for (const json::Value& selector : selectors->elements()) {
    ASSIGN_OR_RETURN(const api::LabelSelector labels, api::LabelSelector::from_json(selector));
    for (const json::Value* other : selected(all, labels)) {
      if (api::Metadata(*other).name() == api::Metadata(role).name()) continue;
      for (PolicyRule& rule : read_rules(other->find("rules"))) {
        if (std::ranges::find(rules, rule) == rules.end()) rules.push_back(std::move(rule));
      }
    }
  }
  return write_rules(rules);
}

std::vector<json::Value> aggregate_all(std::vector<json::Value> roles) {
  // Each round reaches one step further along a chain of gathering roles; a ring of them settles
  // too, because rules are only ever added.
  for (std::size_t round = 0; round < roles.size(); ++round) {
    bool changed = false;
    for (std::size_t i = 0; i < roles.size(); ++i) {
      auto rules = aggregated_rules(roles[i], roles);
      if (!rules.ok() || !rules->has_value()) continue;
      json::Value& held = roles[i]["rules"];
      if (held == **rules) continue;
      held = std::move(**rules);
      changed = true;
    }
    if (!changed) break;
  }
  return roles;
}

}  // namespace berth::apiserver
