#include "fleet/addons/rollout.h"

#include <algorithm>
#include <map>
#include <utility>

namespace berth::fleet {
namespace {

// What has become of a cluster once time is taken into account.
enum class Standing : std::uint8_t { Waiting, Running, Done, Failed, TimedOut };

struct Judged {
  Standing standing = Standing::Waiting;
  std::optional<Time> recheck = std::nullopt;
};

using Standings = std::map<std::string, Judged, std::less<>>;

Judged judge(const ClusterRollout& cluster, const RolloutStrategy& strategy, Time now) {
  const Time since = cluster.since.value_or(now);
  switch (cluster.state) {
    case RolloutState::ToApply:
      return {};
    case RolloutState::Succeeded: {
      const Time end = since + strategy.success_time_min;
      if (now < end) return {Standing::Running, end};  // Soaking: it counts until that is over.
      return {Standing::Done};
    }
    case RolloutState::Progressing:
    case RolloutState::Failed:
      break;
  }
  const bool failed = cluster.state == RolloutState::Failed;
  const Standing running = failed ? Standing::Failed : Standing::Running;
  if (!strategy.deadline) return {running};
  const Time end = since + *strategy.deadline;
  return now < end ? Judged{running, end} : Judged{Standing::TimedOut};
}

std::vector<std::string> sorted_clusters(std::span<const RolloutGroup> groups) {
  std::vector<std::string> clusters;
  for (const RolloutGroup& group : groups) {
    clusters.insert(clusters.end(), group.clusters.begin(), group.clusters.end());
  }
  std::ranges::sort(clusters);
  const auto repeated = std::ranges::unique(clusters);
  clusters.erase(repeated.begin(), repeated.end());
  return clusters;
}

bool is_failure(Standing standing) {
  return standing == Standing::Failed || standing == Standing::TimedOut;
}

void take(Rollout& rollout, const std::string& cluster, const Judged& judged) {
  if (judged.standing == Standing::TimedOut) rollout.timed_out.insert(cluster);
  if (judged.standing != Standing::TimedOut && judged.standing != Standing::Done) {
    rollout.clusters.insert(cluster);
  }
  if (judged.recheck) {
    rollout.recheck = std::min(rollout.recheck.value_or(Time::max()), *judged.recheck);
  }
}

struct Limits {
  std::size_t concurrency = 0;
  std::size_t failures_max = 0;
};

// One cluster after the other. Those under way count first, wherever their names stand; then others
// may begin in the order of their names, whether the add-on is on them already or will be: which of
// them was seen first must not decide.
Rollout by_cluster(std::span<const RolloutGroup> groups, const Standings& standings,
                   const Limits& limits) {
  Rollout rollout;
  std::size_t failures = 0;
  for (const auto& [cluster, judged] : standings) {
    if (judged.standing != Standing::Waiting) take(rollout, cluster, judged);
    if (is_failure(judged.standing)) ++failures;
  }
  rollout.is_stopped = failures > limits.failures_max;
  if (rollout.is_stopped) return rollout;
  for (const std::string& cluster : sorted_clusters(groups)) {
    if (rollout.clusters.size() >= limits.concurrency) break;
    const auto known = standings.find(cluster);
    const bool waits = known == standings.end() || known->second.standing == Standing::Waiting;
    if (waits) rollout.clusters.insert(cluster);
  }
  return rollout;
}

// One group after the other: the next one waits until nothing of those before is under way.
Result<Rollout> by_group(std::span<const RolloutGroup> groups, const Standings& standings,
                         const api::GroupSize& failures_max) {
  Rollout rollout;
  for (const auto& [cluster, judged] : standings) {
    if (judged.standing != Standing::Waiting) take(rollout, cluster, judged);
  }
  std::size_t failed = 0;  // Those that are still tried; they hold nobody up.
  for (const RolloutGroup& group : groups) {
    ASSIGN_OR_RETURN(const std::size_t allowed,
                     portion_of(failures_max, {.total = group.clusters.size()}));
    std::size_t failures_here = 0;
    for (const std::string& cluster : group.clusters) {
      const auto known = standings.find(cluster);
      if (known == standings.end() || known->second.standing == Standing::Waiting) {
        rollout.clusters.insert(cluster);
      } else if (is_failure(known->second.standing)) {
        ++failures_here;
        if (known->second.standing == Standing::Failed) ++failed;
      }
    }
    rollout.is_stopped = failures_here > allowed;
    if (rollout.is_stopped || rollout.clusters.size() > failed) return rollout;
  }
  return rollout;
}

bool is_mandatory(const RolloutGroup& group, const RolloutStrategy& strategy) {
  return std::ranges::any_of(strategy.mandatory, [&](const MandatoryGroup& mandatory) {
    return mandatory.name.empty() ? mandatory.index == group.index : mandatory.name == group.name;
  });
}

}  // namespace

Result<Rollout> roll_out(const RolloutStrategy& strategy, std::span<const RolloutGroup> groups,
                         std::span<const ClusterRollout> states, Time now) {
  const std::vector<std::string> all = sorted_clusters(groups);
  Standings standings;
  for (const ClusterRollout& cluster : states) {
    if (!std::ranges::binary_search(all, cluster.cluster)) continue;
    standings[cluster.cluster] = judge(cluster, strategy, now);
  }
  if (strategy.type == RolloutType::All) {
    return by_cluster(groups, standings, {.concurrency = all.size(), .failures_max = all.size()});
  }

  std::vector<RolloutGroup> mandatory;
  std::vector<RolloutGroup> others;
  for (const RolloutGroup& group : groups) {
    (is_mandatory(group, strategy) ? mandatory : others).push_back(group);
  }
  if (!mandatory.empty()) {
    ASSIGN_OR_RETURN(Rollout rollout, by_group(mandatory, standings, std::int64_t{0}));
    if (!rollout.clusters.empty() || !rollout.timed_out.empty()) return rollout;
  }
  if (strategy.type == RolloutType::ProgressivePerGroup) {
    return by_group(others, standings, strategy.failures_max);
  }
  const std::size_t rest = sorted_clusters(others).size();
  ASSIGN_OR_RETURN(const std::size_t concurrency,
                   portion_of(strategy.concurrency, {.total = rest, .otherwise = rest}));
  ASSIGN_OR_RETURN(const std::size_t failures_max,
                   portion_of(strategy.failures_max, {.total = all.size()}));
  return by_cluster(others, standings, {.concurrency = concurrency, .failures_max = failures_max});
}

}  // namespace berth::fleet
