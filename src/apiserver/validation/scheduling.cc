#include "apiserver/validation/scheduling.h"

#include <set>

#include "api/names.h"
#include "apiserver/validation/labels.h"
#include "base/strings.h"

namespace berth::apiserver {
namespace {

constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
constexpr std::string_view kPreferred = "preferredDuringSchedulingIgnoredDuringExecution";

void check_toleration_value(const Place& toleration, Complaints& complaints) {
  const Place how = toleration["operator"];
  const std::string_view value = toleration["value"].text();
  if (how.text().empty() || how.text() == "Equal") {
    const api::Problems problems = api::check_label_value(value);
    if (!problems.empty()) complaints.invalid(how, value, join(problems, ";"));
  } else if (how.text() == "Exists") {
    if (!value.empty()) {
      complaints.invalid(how, value, "value must be empty when `operator` is 'Exists'");
    }
  } else {
    complaints.not_supported(how, {"Equal", "Exists"});
  }
}

void check_toleration(const Place& toleration, Complaints& complaints) {
  const Place key = toleration["key"];
  const Place how = toleration["operator"];
  const Place effect = toleration["effect"];
  if (!key.text().empty()) {
    complaints.check_names(key, api::check_qualified_name(key.text()));
  } else if (how.text() != "Exists") {
    complaints.invalid(how, how.text(),
                       "operator must be Exists when `key` is empty, which means \"match all "
                       "values and all keys\"");
  }
  if (toleration["tolerationSeconds"].is_set() && effect.text() != "NoExecute") {
    complaints.invalid(effect, effect.text(),
                       "effect must be 'NoExecute' when `tolerationSeconds` is set");
  }
  check_toleration_value(toleration, complaints);
  if (effect.text().empty()) return;
  complaints.check_optional_one_of(effect, {"NoSchedule", "PreferNoSchedule", "NoExecute"});
}

enum class Values : std::uint8_t { Checked, Free };

void check_node_operator(const Place& requirement, Complaints& complaints) {
  if (check_set_operator(requirement, complaints)) return;
  const Place how = requirement["operator"];
  if (how.text() != "Gt" && how.text() != "Lt") {
    complaints.invalid(how, how.text(), "not a valid selector operator");
  } else if (requirement["values"].size() != 1) {
    complaints.required(requirement["values"],
                        "must be specified single value when `operator` is 'Lt' or 'Gt'");
  }
}

void check_node_requirement(const Place& requirement, Values checking, Complaints& complaints) {
  check_node_operator(requirement, complaints);
  complaints.check_names(requirement["key"], api::check_qualified_name(requirement["key"].text()));
  if (checking == Values::Free) return;
  const Place values = requirement["values"];
  for (std::size_t i = 0; i < values.size(); ++i) {
    complaints.check_names(values.at(i), api::check_label_value(values.at(i).text()));
  }
}

void check_node_term(const Place& term, Values checking, Complaints& complaints) {
  const Place expressions = term["matchExpressions"];
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    check_node_requirement(expressions.at(i), checking, complaints);
  }
}

void check_weight(const Place& weight, Complaints& complaints) {
  const std::int64_t number = weight.number().value_or(0);
  if (number < 1 || number > 100) {
    complaints.invalid(weight, number, "must be in the range 1-100");
  }
}

void check_node_affinity(const Place& affinity, Complaints& complaints) {
  if (const Place required = affinity[kRequired]; required.is_set()) {
    const Place terms = required["nodeSelectorTerms"];
    if (terms.size() == 0) {
      complaints.required(terms, "must have at least one node selector term");
    }
    for (std::size_t i = 0; i < terms.size(); ++i) {
      check_node_term(terms.at(i), Values::Checked, complaints);
    }
  }
  const Place preferred = affinity[kPreferred];
  for (std::size_t i = 0; i < preferred.size(); ++i) {
    const Place term = preferred.at(i);
    check_weight(term["weight"], complaints);
    check_node_term(term["preference"], Values::Free, complaints);
  }
}

void check_pod_term(const Place& term, Complaints& complaints) {
  check_selector(term["labelSelector"], complaints);
  check_selector(term["namespaceSelector"], complaints);
  const Place key = term["topologyKey"];
  if (key.text().empty()) complaints.required(key, "can not be empty");
  complaints.check_names(key, api::check_qualified_name(key.text()));
}

// podAffinity and podAntiAffinity.
void check_pod_affinity(const Place& affinity, Complaints& complaints) {
  const Place required = affinity[kRequired];
  for (std::size_t i = 0; i < required.size(); ++i) check_pod_term(required.at(i), complaints);
  const Place preferred = affinity[kPreferred];
  for (std::size_t i = 0; i < preferred.size(); ++i) {
    const Place term = preferred.at(i);
    check_weight(term["weight"], complaints);
    check_pod_term(term["podAffinityTerm"], complaints);
  }
}

void check_spread(const Place& constraint, Complaints& complaints) {
  complaints.check_positive(constraint["maxSkew"]);
  if (constraint["topologyKey"].text().empty()) {
    complaints.required(constraint["topologyKey"], "can not be empty");
  }
  const Place otherwise = constraint["whenUnsatisfiable"];
  if (otherwise.text() != "DoNotSchedule" && otherwise.text() != "ScheduleAnyway") {
    complaints.not_supported(otherwise, {"DoNotSchedule", "ScheduleAnyway"});
  }
  if (constraint["minDomains"].is_set()) complaints.check_positive(constraint["minDomains"]);
  check_selector(constraint["labelSelector"], complaints);
}

void check_gates(const Place& gates, Complaints& complaints) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < gates.size(); ++i) {
    const Place gate = gates.at(i);
    const std::string_view name = gate["name"].text();
    for (const std::string& problem : api::check_qualified_name(name)) {
      complaints.invalid(gate, name, problem);
    }
    if (!names.insert(name).second) complaints.duplicate(gate, name);
  }
}

}  // namespace

void check_scheduling(const Place& spec, Complaints& complaints) {
  const Place affinity = spec["affinity"];
  check_node_affinity(affinity["nodeAffinity"], complaints);
  check_pod_affinity(affinity["podAffinity"], complaints);
  check_pod_affinity(affinity["podAntiAffinity"], complaints);
  check_gates(spec["schedulingGates"], complaints);
  const Place spreads = spec["topologySpreadConstraints"];
  for (std::size_t i = 0; i < spreads.size(); ++i) check_spread(spreads.at(i), complaints);
  const Place tolerations = spec["tolerations"];
  for (std::size_t i = 0; i < tolerations.size(); ++i) {
    check_toleration(tolerations.at(i), complaints);
  }
}

}  // namespace berth::apiserver
