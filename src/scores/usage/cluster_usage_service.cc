// Tested by usage_agent_service_test.cc.
#include "scores/usage/cluster_usage_service.h"

#include <utility>

#include <fmt/format.h>

namespace berth::scores {
namespace {

// How long the first reading may take before the hub is told that it does not succeed.
constexpr Duration kPatience = std::chrono::seconds(30);

}  // namespace

ClusterUsage::ClusterUsage(const env::Env& env, client::Api& cluster, UsageOptions options,
                           Trust trust, env::Task changed)
    : env_(env),
      usage_(std::move(options)),
      trust_(trust),
      changed_(std::move(changed)),
      started_(env_.clock.monotonic()),
      changes_(env_.metrics.counter(
          {"berth_scores_changes_total", "Changes of nodes and pods that were taken in."})),
      nodes_gauge_(env_.metrics.gauge({"berth_scores_nodes", "Nodes that count."})),
      pods_gauge_(env_.metrics.gauge({"berth_scores_pods", "Pods that hold room on a node."})),
      room_(env, cluster, usage_, trust.silence_max, [this] { on_changed(); }) {}

Report ClusterUsage::report(Time now) const {
  const auto sign = room_.last_sign();
  if (!has_synced() || !sign) {
    const bool may_still_come = env_.clock.monotonic() - started_ < kPatience;
    if (may_still_come) return {};
    const std::string trouble = room_.trouble();
    return {.trouble = Trouble{.message = fmt::format(
                                   "The nodes and pods of the cluster cannot be read: {}. Check "
                                   "that its API server answers and that the agent may get, "
                                   "list and watch nodes and pods",
                                   trouble.empty() ? "it takes too long" : trouble)}};
  }
  const Duration silence = env_.clock.monotonic() - *sign;
  if (silence > trust_.silence_max) {
    return {.trouble = Trouble{.message = "The cluster's API server is not heard of any more. The "
                                          "last scores lapse unless it comes back"}};
  }
  Report report{.scores = usage_.scores()};
  if (!room_.is_watching()) report.valid_until = now - silence + trust_.validity;
  return report;
}

void ClusterUsage::on_changed() {
  changes_.increment();
  nodes_gauge_.set(static_cast<double>(usage_.eligible_nodes()));
  pods_gauge_.set(static_cast<double>(usage_.pods()));
  changed_();
}

}  // namespace berth::scores
