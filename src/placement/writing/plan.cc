#include "placement/writing/plan.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/placement_decision.h"
#include "api/names.h"
#include "base/rfc3339.h"
#include "placement/writing/conditions.h"
#include "placement/writing/decision_writes.h"
#include "placement/writing/groups.h"

namespace berth::placement {
namespace {

std::vector<api::DecisionGroupStatus> group_statuses(const std::vector<Group>& groups,
                                                     const std::vector<DecisionSlice>& slices) {
  std::vector<api::DecisionGroupStatus> statuses;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    statuses.push_back({.index = static_cast<std::int32_t>(i),
                        .name = groups[i].name,
                        .decisions = {},
                        .cluster_count = static_cast<std::int32_t>(groups[i].clusters.size())});
  }
  for (const DecisionSlice& slice : slices) statuses[slice.group].decisions.push_back(slice.name);
  return statuses;
}

json::Value to_json(const std::vector<api::DecisionGroupStatus>& groups) {
  json::Value list = json::Value::array();
  for (const api::DecisionGroupStatus& group : groups) {
    json::Value names = json::Value::array();
    for (const std::string& name : group.decisions) names.push_back(name);
    list.push_back(json::Value::object({{"decisionGroupIndex", group.index},
                                        {"decisionGroupName", group.name},
                                        {"decisions", std::move(names)},
                                        {"clusterCount", group.cluster_count}}));
  }
  return list;
}

// A name that is no label value cannot be found again by its decisions' label.
std::optional<std::string> name_problem(const api::ObjectKey& key) {
  const api::Problems problems = api::check_label_value(key.name);
  if (problems.empty()) return std::nullopt;
  return fmt::format("values[0][{}]: Invalid value: \"{}\": {}", api::kPlacementLabel, key.name,
                     problems.front());
}

class Planning {
 public:
  Planning(const CompiledPlacement& placement, const FleetView& fleet, ScheduleRun& run,
           const Options& options)
      : compiled_(placement), fleet_(fleet), run_(run), now_(run.now()), options_(options) {}

  Result<Plan> run() {
    schedule_ = schedule(compiled_, fleet_, run_, options_);
    if (schedule_.failure) return failure(*schedule_.failure);
    if (schedule_.is_paused) return Plan{.is_paused = true};
    plan_.outcome = schedule_.outcome;
    plan_.valid_until = schedule_.valid_until;
    status_ = compiled_.placement.status;

    if (const auto problem = name_problem(compiled_.key)) {
      refuse(*problem);
    } else {
      decide();
    }
    write_status();
    return std::move(plan_);
  }

 private:
  void misconfigure(const std::string& message) {
    plan_.outcome = {ScheduleOutcome::Code::Misconfigured, "", message};
  }

  // No decision can exist, so none is counted.
  void refuse(const std::string& problem) {
    misconfigure(problem);
    schedule_.chosen.clear();
    status_.selected = 0;
    status_.groups.clear();
    conditions_ = make_conditions(compiled_.placement, schedule_, plan_.outcome);
  }

  void decide() {
    const bool by_score = options_.sort_by && compiled_.placement.sort_by == api::SortBy::Score;
    Grouping grouping = make_groups(compiled_.placement, fleet_, schedule_.chosen,
                                    by_score ? api::SortBy::Score : api::SortBy::ClusterName);
    if (grouping.problem) misconfigure(*grouping.problem);
    if (keep_allowed()) return;
    const auto slices = slice(compiled_.key.name, grouping.groups);
    status_.selected = static_cast<std::int32_t>(schedule_.chosen.size());
    status_.groups = group_statuses(grouping.groups, slices);
    conditions_ = make_conditions(compiled_.placement, schedule_, plan_.outcome);

    DecisionWrites written = write_decisions({.placement = compiled_,
                                              .fleet = fleet_,
                                              .schedule = schedule_,
                                              .outcome = plan_.outcome,
                                              .slices = slices,
                                              .options = options_,
                                              .now = now_});
    plan_.writes = std::move(written.writes);
    // The reference is woken by its own writes, and sets its timer only then.
    const bool sets_timer_later = !options_.wake_at_every_expiry && !plan_.writes.empty();
    plan_.runs_again = written.runs_again || sets_timer_later;
    plan_.valid_until = earlier(plan_.valid_until, written.held_until);
    if (written.score_update) status_.last_score_update = written.score_update;
  }

  // Whether the placement is misconfigured and still has decisions, which it keeps then.
  bool keep_allowed() {
    if (!options_.keep_decisions_when_misconfigured) return false;
    if (plan_.outcome.code != ScheduleOutcome::Code::Misconfigured) return false;
    KeptDecisions kept = keep_decisions(compiled_, fleet_, schedule_);
    std::int32_t selected = 0;
    for (const auto& [name, count] : kept.counts) selected += count;
    if (selected == 0) return false;
    status_.selected = selected;
    for (api::DecisionGroupStatus& group : status_.groups) {
      group.cluster_count = 0;
      for (const std::string& name : group.decisions) group.cluster_count += kept.counts[name];
    }
    plan_.writes = std::move(kept.writes);
    conditions_ = make_conditions_of_kept(plan_.outcome);
    return true;
  }

  void write_status() {
    const api::PlacementStatus& was = compiled_.placement.status;
    const api::ObjectFacts& facts = compiled_.placement.facts;
    json::Value status = json::Value::object();
    if (status_.selected != was.selected) status["numberOfSelectedClusters"] = status_.selected;
    if (status_.groups != was.groups) status["decisionGroups"] = to_json(status_.groups);
    json::Value conditions =
        with_conditions(was.conditions, conditions_, now_,
                        options_.observed_generation ? facts.generation : std::int64_t{0});
    if (conditions != was.conditions) status["conditions"] = std::move(conditions);
    if (status_.last_score_update != was.last_score_update) {
      status["lastScoreUpdateTime"] = format_seconds(*status_.last_score_update);
    }
    if (status.size() == 0) return;
    json::Value patch = json::Value::object(
        {{"metadata",
          json::Value::object({{"uid", facts.uid}, {"resourceVersion", facts.resource_version}})},
         {"status", std::move(status)}});
    plan_.writes.push_back({.kind = PlannedWrite::Kind::PatchPlacementStatus,
                            .name = compiled_.key.name,
                            .body = std::move(patch)});
  }

  const CompiledPlacement& compiled_;
  const FleetView& fleet_;
  ScheduleRun& run_;
  const Time now_;
  const Options& options_;
  Schedule schedule_;
  api::PlacementStatus status_;  // As it should be; conditions apart.
  std::vector<Condition> conditions_;
  Plan plan_;
};

}  // namespace

Result<Plan> plan_placement(const CompiledPlacement& placement, const FleetView& fleet, Time now,
                            const Options& options) {
  ScheduleRun run(now, options.expression_budget);
  return plan_placement(placement, fleet, run, options);
}

Result<Plan> plan_placement(const CompiledPlacement& placement, const FleetView& fleet,
                            ScheduleRun& run, const Options& options) {
  const bool is_handed_over = placement.placement.is_disabled();
  const bool is_ours = is_handed_over == (options.responsibility == Responsibility::HandedOver);
  if (placement.placement.facts.is_deleting || !is_ours) return Plan{.is_ignored = true};
  return Planning(placement, fleet, run, options).run();
}

}  // namespace berth::placement
