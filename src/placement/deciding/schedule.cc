#include "placement/deciding/schedule.h"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"
#include "placement/deciding/candidates.h"
#include "placement/stopwatch.h"

namespace berth::placement {
namespace {

constexpr std::size_t kNamesInRemarkMax = 10;

class Scheduling {
 public:
  Scheduling(const Request& request, Schedule& result) : request_(request), result_(result) {}

  void run() {
    filter();
    if (result_.is_paused) return;
    if (request_.placement.weight_problem && !is_aborted()) {
      abort("", *request_.placement.weight_problem);
    }
    if (is_aborted()) {
      if (!request_.options.keep_decisions_when_misconfigured) result_.valid_until.reset();
      return;
    }
    rank(result_.allowed);
    exclude_silent();
    add_up();
    choose();
  }

 private:
  // An aborted run chooses nothing; what the filters found so far stays for those who debug.
  void abort(std::string_view plugin, const std::string& message) {
    result_.outcome = {ScheduleOutcome::Code::Misconfigured, std::string(plugin), message};
  }

  bool is_aborted() const { return result_.outcome.code == ScheduleOutcome::Code::Misconfigured; }

  // To the end even if one is misconfigured: what the others refuse may not be kept.
  void filter() {
    result_.allowed = result_.available;
    for (const auto& filter : request_.placement.filters) {
      Filtered filtered = timed(
          request_.options.stopwatch, [&] { return filter->filter(request_, result_.allowed); },
          [&](Stopwatch& stopwatch, Duration length, const auto&) {
            stopwatch.plugin_ran(PluginType::Filter, filter->name(), length);
          });
      result_.is_paused = filtered.is_paused;
      if (result_.is_paused) return;
      result_.valid_until = earlier(result_.valid_until, filtered.valid_until);
      if (filtered.remark && request_.options.remarks) result_.remarks.push_back(*filtered.remark);
      if (filtered.misconfigured && !is_aborted()) abort(filter->name(), *filtered.misconfigured);
      result_.allowed = std::move(filtered.passed);
      if (is_aborted()) continue;
      result_.filters.push_back({std::string(filter->name()), result_.allowed});
    }
  }

  void rank(std::span<const ClusterIndex> candidates) {
    result_.prioritizers.clear();
    result_.feasible.assign(candidates.size(), Ranked());
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      result_.feasible[i].cluster = candidates[i];
    }
    for (const auto& [prioritizer, weight] : request_.placement.prioritizers) {
      Ranking ranking = timed(
          request_.options.stopwatch, [&] { return prioritizer->rank(request_, candidates); },
          [&](Stopwatch& stopwatch, Duration length, const auto&) {
            stopwatch.plugin_ran(PluginType::Prioritizer, prioritizer->name(), length);
          });
      result_.valid_until = earlier(result_.valid_until, ranking.valid_until);
      if (ranking.warning) {
        result_.outcome = {ScheduleOutcome::Code::Warning, std::string(prioritizer->name()),
                           std::move(*ranking.warning)};
      }
      result_.prioritizers.push_back(
          {std::string(prioritizer->name()), weight, std::move(ranking.scores)});
    }
  }

  // Ranks anew without the silent, because scores are relative to the other candidates.
  void exclude_silent() {
    remark_on_silence();
    if (request_.placement.missing_scores != MissingScores::Exclude) return;
    std::vector<ClusterIndex> rest;
    for (std::size_t i = 0; i < result_.feasible.size(); ++i) {
      const bool silent = std::ranges::any_of(result_.prioritizers, [i](const auto& record) {
        return is_silence(record.scores[i].note);
      });
      (silent ? result_.excluded : rest).push_back(result_.feasible[i].cluster);
    }
    if (!result_.excluded.empty()) rank(rest);
  }

  void remark_on_silence() {
    if (!request_.options.remarks) return;
    for (const PrioritizerRecord& record : result_.prioritizers) {
      std::vector<ClusterIndex> silent;
      for (std::size_t i = 0; i < record.scores.size(); ++i) {
        if (is_silence(record.scores[i].note)) silent.push_back(result_.feasible[i].cluster);
      }
      if (!silent.empty()) result_.remarks.push_back(silence_remark(record.name, silent));
    }
  }

  // It must stand still while a large fleet falls silent, one cluster after the other: every other
  // text is one more write for each of them.
  std::string silence_remark(std::string_view score, std::vector<ClusterIndex>& silent) const {
    if (silent.size() > kNamesInRemarkMax) {
      return fmt::format("no valid score {} from more than {} clusters", score, kNamesInRemarkMax);
    }
    std::ranges::sort(silent, {}, [this](ClusterIndex cluster) {
      return request_.fleet.clusters().position(cluster);
    });
    std::vector<std::string> names;
    for (const ClusterIndex cluster : silent) names.push_back(request_.fleet.name(cluster));
    return fmt::format("no valid score {} from {}", score, join(names, ", "));
  }

  void add_up() {
    for (PrioritizerRecord& record : result_.prioritizers) {
      for (std::size_t i = 0; i < record.scores.size(); ++i) {
        Score& score = record.scores[i];
        score.points = points_of(request_, score, record.weight);
        result_.feasible[i].total += std::int64_t{score.points} * record.weight;
      }
    }
    for (Ranked& ranked : result_.feasible) {
      const Reluctance reluctance = reluctance_of(request_, ranked.cluster);
      ranked.is_avoided = reluctance.is_avoided;
      result_.valid_until = earlier(result_.valid_until, reluctance.until);
    }
  }

  void choose() {
    Selection selection = select(request_, result_.feasible);
    result_.chosen = std::move(selection.chosen);
    result_.held = std::move(selection.held);
    if (const auto wanted = request_.placement.placement.number_of_clusters) {
      result_.unscheduled =
          std::max<std::int64_t>(0, *wanted) - static_cast<std::int64_t>(result_.chosen.size());
    }
  }

  const Request& request_;
  Schedule& result_;
};

}  // namespace

std::int32_t points_of(const Request& request, const Score& score, std::int32_t weight) {
  if (!is_silence(score.note)) return score.points;
  const std::int32_t worst = weight < 0 ? kScoreMax : kScoreMin;
  switch (request.placement.missing_scores) {
    case MissingScores::Worst:
      return worst;
    case MissingScores::Cautious:
      return weight < 0 ? worst : kScoreNeutral;
    case MissingScores::Neutral:
    case MissingScores::Exclude:
      return kScoreNeutral;
  }
  return kScoreNeutral;
}

Reluctance reluctance_of(const Request& request, ClusterIndex cluster) {
  Reluctance all;
  for (const auto& filter : request.placement.filters) {
    const Reluctance one = filter->reluctance(request, cluster);
    all.is_avoided = all.is_avoided || one.is_avoided;
    all.until = earlier(all.until, one.until);
  }
  return all;
}

Schedule schedule(const CompiledPlacement& placement, const FleetView& fleet, Time now,
                  const Options& options) {
  ScheduleRun run(now, options.expression_budget);
  return schedule(placement, fleet, run, options);
}

Schedule schedule(const CompiledPlacement& placement, const FleetView& fleet, ScheduleRun& run,
                  const Options& options) {
  Schedule result;
  auto candidates = find_candidates(placement.placement, fleet);
  if (!candidates.ok()) {
    result.failure = std::move(candidates).error();
    return result;
  }
  result.has_bindings = candidates->has_bindings;
  result.eligible_sets = std::move(candidates->eligible_sets);
  result.available = std::move(candidates->available);
  if (options.remarks) result.remarks = placement.remarks;

  const PastDecisions past = fleet.decisions().past_decisions(placement.key);
  const Request request{.placement = placement,
                        .fleet = fleet,
                        .past = past,
                        .options = options,
                        .now = run.now(),
                        .run = &run};
  Scheduling(request, result).run();
  return result;
}

}  // namespace berth::placement
