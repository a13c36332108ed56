#include "fleet/addons/configuration.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "fleet/addons/config_references.h"

namespace berth::fleet {
namespace {

using json::Value;

// A cluster's copy of the add-on and what it is to have.
struct Copy {
  const Value* object = nullptr;
  Value status = {};  // With what was observed taken in.
  AddOnConfigs desired = {};
  ClusterRollout rollout = {};
};

// The clusters that one placement speaks for; those of no placement have no strategy.
struct Node {
  const AddOnPlacement* placement = nullptr;
  bool has_clusters = false;
  std::size_t chosen = 0;  // That it speaks for; also where the add-on is not yet.
  std::map<std::string, Copy> copies = {};
  Rollout rollout = {};
  bool is_followed = true;  // Not when its strategy or its clusters cannot be read.
};

Value status_of(const Value& object) {
  const Value& status = api::field(object, "status");
  return status.is_object() ? status : Value::object();
}

ClusterRollout rollout_of(const std::string& cluster, const Value& status,
                          const AddOnConfigs& desired) {
  ClusterRollout rollout{.cluster = cluster};
  const auto references = api::elements_field(status, "configReferences");
  std::size_t wanted = 0;
  for (const auto& [kind, configs] : desired) wanted += configs.size();
  if (references.size() != wanted) return rollout;
  const Value* progress = api::find_condition(api::field(status, "conditions"), "Progressing");
  const std::string reason = progress ? api::text_field(*progress, "reason") : "";
  const auto since = progress ? api::time_field(*progress, "lastTransitionTime") : std::nullopt;
  const std::vector<AddOnConfig> actual = desired_in(references);
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const auto kind = desired.find(actual[i].kind);
    if (kind == desired.end() || std::ranges::find(kind->second, actual[i]) == kind->second.end()) {
      return rollout;
    }
  }
  for (const Value& reference : references) {
    if (api::field(reference, "lastAppliedConfig") == api::field(reference, "desiredConfig")) {
      continue;
    }
    rollout.state = reason == "Failed" ? RolloutState::Failed : RolloutState::Progressing;
    if (reason == "Failed" || reason == "Progressing") rollout.since = since;
    return rollout;
  }
  rollout.state = RolloutState::Succeeded;
  if (reason == "Completed") rollout.since = since;
  return rollout;
}

Copy make_copy(const std::string& cluster, const Value& object, const AddOnConfigs& level,
               const ConfigLookup& lookup) {
  std::vector<AddOnConfig> own =
      read_configs(api::elements_field(api::field(object, "spec"), "configs"));
  Copy copy{.object = &object, .status = with_observed(status_of(object), own, lookup)};
  const std::vector<AddOnConfig> noted =
      desired_in(api::elements_field(copy.status, "configReferences"));
  for (AddOnConfig& config : own) {
    if (const auto state = lookup(config.kind, config.object); state && !state->hash.empty()) {
      config.hash = state->hash;
      continue;
    }
    const auto known = std::ranges::find_if(noted, [&](const AddOnConfig& other) {
      return other.kind == config.kind && other.object == config.object;
    });
    if (known != noted.end()) config.hash = known->hash;
  }
  copy.desired = own.empty() ? level : replaced_by(level, own);
  copy.rollout = rollout_of(cluster, copy.status, copy.desired);
  return copy;
}

RolloutStrategy strategy_of(RolloutStrategy strategy, const PlacementView& view) {
  const bool says_nothing = strategy.concurrency == api::GroupSize(std::int64_t{0});
  if (strategy.type == RolloutType::Progressive && says_nothing) {
    strategy.concurrency = view.group_size;
  }
  return strategy;
}

void follow_strategy(Node& node, const PlacementView& placement, Time now,
                     std::vector<std::string>& problems) {
  std::vector<ClusterRollout> states;
  for (const auto& [cluster, copy] : node.copies) states.push_back(copy.rollout);
  Result<Rollout> rollout = node.placement->rollout.ok()
                                ? roll_out(strategy_of(*node.placement->rollout, placement),
                                           placement.groups, states, now)
                                : Result<Rollout>(failure(node.placement->rollout.error()));
  if (rollout.ok()) {
    node.rollout = *std::move(rollout);
    return;
  }
  node.is_followed = false;
  problems.push_back(fmt::format("{}/{}: {}", node.placement->placement.object_namespace,
                                 node.placement->placement.name, rollout.error().message));
}

// In the order of the spec, then those of no placement. Of several placements that chose a cluster
// the last one speaks for it. While one does not show all that it chose, nobody can tell who is
// under way with its configuration, nor which clusters are nobody's.
std::vector<Node> make_nodes(const ConfigurationView& view, const Value& status,
                             std::vector<std::string>& problems) {
  AddOnConfigs defaults =
      replaced_by({}, desired_in(api::elements_field(status, "defaultconfigReferences")));
  const auto progressions = api::elements_field(status, "installProgressions");
  std::vector<Node> nodes;
  std::set<std::string> taken;
  bool is_complete = true;
  bool shows_all = true;
  for (std::size_t i = view.add_on.placements.size(); i-- > 0;) {
    const AddOnPlacement& each = view.add_on.placements[i];
    const PlacementView placement = view.placement(each.placement);
    is_complete = is_complete && placement.is_settled;
    shows_all = shows_all && (placement.is_settled || !placement.exists);
    if (!placement.exists || i >= progressions.size()) continue;
    const AddOnConfigs level =
        replaced_by(defaults, desired_in(api::elements_field(progressions[i], "configReferences")));
    Node node{.placement = &each};
    for (const RolloutGroup& group : placement.groups) {
      node.has_clusters = node.has_clusters || !group.clusters.empty();
      for (const std::string& cluster : group.clusters) {
        if (!taken.insert(cluster).second) continue;
        ++node.chosen;
        const auto managed = view.managed.find(cluster);
        if (managed == view.managed.end()) continue;
        node.copies[cluster] = make_copy(cluster, *managed->second, level, view.lookup);
      }
    }
    node.is_followed = shows_all;
    if (node.is_followed) follow_strategy(node, placement, view.now, problems);
    nodes.push_back(std::move(node));
  }
  std::ranges::reverse(nodes);
  if (!is_complete) return nodes;
  Node rest;
  for (const auto& [cluster, object] : view.managed) {
    if (taken.contains(cluster)) continue;
    Copy copy = make_copy(cluster, *object, defaults, view.lookup);
    if (copy.rollout.state != RolloutState::Succeeded) rest.rollout.clusters.insert(cluster);
    rest.copies[cluster] = std::move(copy);
  }
  nodes.push_back(std::move(rest));
  return nodes;
}

Value with_configured(Value status, api::ConditionStatus configured, Time now) {
  const bool is_true = configured == api::ConditionStatus::True;
  status["conditions"] = api::with_condition(
      api::field(status, "conditions"),
      {.type = "Configured",
       .status = configured,
       .reason = is_true ? "ConfigurationsConfigured" : "ConfigurationsNotConfigured",
       .message =
           is_true ? "Configurations configured" : "Configurations updated and not configured yet"},
      now);
  return status;
}

// What the cluster's copy says after this pass.
Value next_status(const Node& node, const std::string& cluster, const Copy& copy,
                  const ConfigurationView& view) {
  const std::vector<AddOnConfig> own =
      read_configs(api::elements_field(api::field(*copy.object, "spec"), "configs"));
  if (!node.is_followed) return copy.status;
  if (node.rollout.clusters.contains(cluster)) {
    return with_configured(with_observed(with_desired(copy.status, copy.desired), own, view.lookup),
                           api::ConditionStatus::True, view.now);
  }
  switch (copy.rollout.state) {
    case RolloutState::ToApply:
      return with_configured(copy.status, api::ConditionStatus::False, view.now);
    case RolloutState::Succeeded:
      return with_configured(copy.status, api::ConditionStatus::True, view.now);
    case RolloutState::Progressing:
    case RolloutState::Failed:
      break;
  }
  return copy.status;
}

struct Counts {
  std::size_t under_way = 0;
  std::size_t done = 0;
  std::size_t failed = 0;
};

Counts count(const Node& node) {
  Counts counts;
  for (const auto& [cluster, copy] : node.copies) {
    if (node.rollout.clusters.contains(cluster)) {
      ++counts.under_way;
    } else if (copy.rollout.state == RolloutState::Succeeded) {
      ++counts.done;
    } else if (copy.rollout.state == RolloutState::Failed) {
      ++counts.failed;
    }
  }
  return counts;
}

Value with_progress(Value progression, const Node& node, Time now) {
  const Counts counts = count(node);
  const std::size_t timed_out = node.rollout.timed_out.size();
  const bool is_done = node.has_clusters && counts.done == node.chosen;
  if (is_done) {
    if (Value* references = progression.find("configReferences")) {
      for (Value& reference : references->elements()) {
        const Value desired = api::field(reference, "desiredConfig");
        reference["lastAppliedConfig"] = desired;
        reference["lastKnownGoodConfig"] = desired;
      }
    }
  }
  const std::string message =
      is_done ? fmt::format("{}/{} completed with no errors, {} failed {} timeout.", counts.done,
                            node.chosen, counts.failed, timed_out)
              : fmt::format("{}/{} progressing..., {} failed {} timeout.",
                            counts.under_way + counts.done, node.chosen, counts.failed, timed_out);
  progression["conditions"] = api::with_condition(
      api::field(progression, "conditions"),
      {.type = "Progressing",
       .status = is_done ? api::ConditionStatus::False : api::ConditionStatus::True,
       .reason = is_done ? "Completed" : "Progressing",
       .message = message},
      now);
  return progression;
}

void put_progress(Value& status, const ConfigurationView& view, const std::vector<Node>& nodes) {
  Value* progressions = status.find("installProgressions");
  if (!progressions) return;
  for (const Node& node : nodes) {
    if (!node.placement || !node.is_followed) continue;
    const auto index = static_cast<std::size_t>(node.placement - view.add_on.placements.data());
    Value& progression = progressions->elements()[index];
    progression = with_progress(std::move(progression), node, view.now);
  }
}

}  // namespace

ConfigurationPlan plan_configuration(const ConfigurationView& view) {
  ConfigurationPlan plan{.object = view.object};
  Value status = with_config_references(status_of(view.object), view.add_on, view.lookup);
  if (view.add_on.is_ours) {
    const std::vector<Node> nodes = make_nodes(view, status, plan.problems);
    for (const Node& node : nodes) {
      for (const auto& [cluster, copy] : node.copies) {
        Value next = next_status(node, cluster, copy, view);
        if (next == status_of(*copy.object)) continue;
        Value object = *copy.object;
        object["status"] = std::move(next);
        plan.managed.emplace(cluster, std::move(object));
      }
      if (node.rollout.recheck) {
        plan.recheck = std::min(plan.recheck.value_or(Time::max()), *node.rollout.recheck);
      }
    }
    put_progress(status, view, nodes);
  }
  if (status.size() > 0) plan.object["status"] = std::move(status);
  return plan;
}

}  // namespace berth::fleet
