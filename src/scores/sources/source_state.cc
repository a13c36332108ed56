#include "scores/sources/source_state.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"
#include "scores/sources/fleet_scores.h"

namespace berth::scores {

SourceState::SourceState(ScoreSource source) : source_(std::move(source)) {
  for (const ScoreQuery& query : source_.queries) outcomes_[query.score_name];
}

bool SourceState::set_clusters(const std::set<std::string>& selected,
                               std::span<const api::ManagedCluster> clusters) {
  const bool same_selection = selected == selected_;
  selected_ = selected;
  std::erase_if(entries_, [this](const auto& entry) { return !selected_.contains(entry.first); });
  ClusterNames names;
  if (source_.cluster_claim.empty()) {
    std::set<std::string> known;
    for (const api::ManagedCluster& cluster : clusters) known.insert(cluster.facts.name);
    names = names_by_name(known);
  } else {
    names = names_by_claim(clusters, source_.cluster_claim);
  }
  if (names == names_) return !same_selection;
  names_ = std::move(names);
  for (const ScoreQuery& query : source_.queries) {
    const auto answer = answers_.find(query.score_name);
    if (answer != answers_.end()) evaluate(query, answer->second);
  }
  return true;
}

void SourceState::take(const ScoreQuery& query, Result<PrometheusAnswer> answer, Time now) {
  QueryOutcome& outcome = outcomes_[query.score_name];
  if (!answer.ok()) {
    outcome.last_error = answer.error().message;
    return;
  }
  outcome.last_error.clear();
  Answer& kept = answers_[query.score_name];
  kept = {
      .series = std::move(answer->series), .warning = join(answer->warnings, "; "), .asked = now};
  evaluate(query, kept);
}

void SourceState::evaluate(const ScoreQuery& query, const Answer& answer) {
  FleetSamples samples = match_series(answer.series, names_, answer.asked);
  auto measured = std::exchange(samples.clusters, {});
  const std::size_t stale = std::erase_if(measured, [&](const auto& entry) {
    return entry.second.sampled + source_.valid_for <= answer.asked;
  });
  const auto scores = score_fleet(measured, query.normaliser);
  for (const auto& [cluster, value] : scores) {
    const Time sampled = measured.at(cluster).sampled;
    Entry& entry = entries_[cluster][query.score_name];
    if (sampled >= entry.sampled) entry = {.value = value, .sampled = sampled};
  }
  outcomes_[query.score_name] = {.last_success = answer.asked,
                                 .last_error = outcomes_[query.score_name].last_error,
                                 .warning = answer.warning,
                                 .samples = std::move(samples),
                                 .stale = stale,
                                 .scored = scores.size()};
}

const QueryOutcome& SourceState::outcome(std::string_view score_name) const {
  return outcomes_.find(score_name)->second;
}

Publication SourceState::publication(const std::string& cluster) const {
  Publication wanted{.cluster = cluster,
                     .name = source_.target,
                     .source_uid = source_.facts.uid,
                     .source = source_.facts.object_namespace + "/" + source_.facts.name,
                     .valid_for = source_.valid_for,
                     .hysteresis = source_.hysteresis};
  for (const ScoreQuery& query : source_.queries) wanted.score_names.insert(query.score_name);
  const auto entries = entries_.find(cluster);
  if (entries == entries_.end()) return wanted;
  for (const auto& [name, entry] : entries->second) {
    wanted.scores.push_back(
        {.name = name, .value = entry.value, .valid_until = entry.sampled + source_.valid_for});
  }
  return wanted;
}

std::size_t SourceState::scored(Time now) const {
  const auto holds = [&](const auto& by_cluster) {
    return std::ranges::any_of(by_cluster.second, [&](const auto& entry) {
      return entry.second.sampled + source_.valid_for > now;
    });
  };
  return static_cast<std::size_t>(std::ranges::count_if(entries_, holds));
}

}  // namespace berth::scores
