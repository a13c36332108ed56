#include "upkeep/aggregated_roles.h"

#include <algorithm>
#include <utility>

#include "api/kinds/fields.h"
#include "api/label_selector.h"
#include "api/metadata.h"

namespace berth::upkeep {
namespace {

using json::Value;

bool holds(const Value& rules, const Value& rule) {
  return std::ranges::any_of(rules.elements(), [&](const Value& one) { return one == rule; });
}

}  // namespace

bool is_aggregated(const Value& role) { return api::field(role, "aggregationRule").is_object(); }

std::optional<Value> aggregate(const Value& role, const std::vector<const Value*>& roles) {
  const api::Metadata self(role);
  if (!is_aggregated(role) || self.is_being_deleted()) return std::nullopt;
  std::vector<const Value*> sorted = roles;
  std::ranges::sort(sorted, {}, [](const Value* one) { return api::Metadata(*one).name(); });
  Value rules = Value::array();
  for (const Value& entry :
       api::elements_field(api::field(role, "aggregationRule"), "clusterRoleSelectors")) {
    const auto selector = api::LabelSelector::from_json(entry);
    if (!selector.ok()) return std::nullopt;
    for (const Value* other : sorted) {
      const api::Metadata metadata(*other);
      if (metadata.name() == self.name() || !selector->matches(metadata.labels())) continue;
      for (const Value& rule : api::elements_field(*other, "rules")) {
        if (!holds(rules, rule)) rules.push_back(rule);
      }
    }
  }
  Value after = role;
  const bool no_rules = rules.size() == 0 && api::elements_field(role, "rules").empty();
  if (!no_rules) after["rules"] = std::move(rules);
  return after;
}

}  // namespace berth::upkeep
