#include "app/explain_pod.h"

#include <cstdio>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/pod.h"
#include "api/metadata.h"
#include "app/calls.h"
#include "client/errors.h"
#include "nodes/cluster_feed_service.h"
#include "nodes/pod_explanation.h"
#include "nodes/scheduling.h"
#include "runtime/system.h"

namespace berth::app {
namespace {

int fail(std::string_view message) {
  std::fputs(fmt::format("{}\n", message).c_str(), stderr);
  return 1;
}

// The cluster as a scheduler sees it, without the pod itself: it does not stand in its own way.
Status read_cluster(Calls& calls, std::string_view without, nodes::Now now,
                    nodes::Scheduling& cluster) {
  ASSIGN_OR_RETURN(const auto sets, calls.list({.resource = nodes::replica_sets_resource()}));
  for (const json::Value& set : sets) cluster.put_replica_set(set);
  ASSIGN_OR_RETURN(const auto nodes, calls.list({.resource = nodes::nodes_resource()}));
  for (const json::Value& node : nodes) {
    if (auto put = cluster.put_node(node); !put.ok()) return failure(std::move(put).error());
  }
  ASSIGN_OR_RETURN(const auto pods, calls.list({.resource = nodes::pods_resource()}));
  for (const json::Value& pod : pods) {
    if (api::Metadata(pod).uid() != without) RETURN_IF_ERROR(cluster.put_pod(pod, now));
  }
  const auto reservations = calls.list({.resource = nodes::pod_reservations_resource()});
  if (!reservations.ok()) {
    // A cluster without the kind keeps room by annotations only.
    return client::is_not_found(reservations.error()) ? Status() : failure(reservations.error());
  }
  for (const json::Value& reservation : *reservations) {
    RETURN_IF_ERROR(cluster.put_reservation(reservation, now));
  }
  return {};
}

}  // namespace

int explain_pod(const HubFlags& flags, const PodQuestion& question) {
  runtime::System system({.loops = 1, .workers = 1, .log = {.level = env::Level::Error}});
  env::Env& env = system.env(0);
  const auto config = load_hub_config(flags, env);
  if (!config.ok()) return fail("error: " + config.error().message);
  Calls calls(env, *config);
  const auto object =
      calls.get({.resource = nodes::pods_resource(), .ns = config->ns, .name = question.pod});
  if (!object.ok()) return fail(calls.text_of(object.error()));
  auto facts = nodes::PodFacts::from_json(*object);
  if (!facts.ok()) return fail("error: " + facts.error().message);

  const nodes::Now now{env.clock.monotonic(), env.clock.now()};
  nodes::Scheduling cluster({.profiles = {}});
  const Status known = read_cluster(calls, facts->uid, now, cluster);
  if (!known.ok()) return fail(calls.text_of(known.error()));
  const std::string bound = std::exchange(facts->node, "");
  if (!bound.empty()) {
    fmt::print("Bound to {}. If it had to be decided now:\n", bound);
  }
  nodes::PendingPod pod{.facts = *std::move(facts), .wishes = nodes::PodWishes::from_json(*object)};
  pod.wishes.node.clear();
  const nodes::Cycle cycle = nodes::Cycle::of(cluster.snapshot(), pod);
  const nodes::Profile profile = nodes::default_profile();
  if (!question.node) {
    std::fputs(nodes::explain_pod(cycle, profile).c_str(), stdout);
    return 0;
  }
  const auto text = nodes::explain_pod_on(cycle, profile, *question.node);
  if (!text.ok()) return fail("Error from server (NotFound): " + text.error().message);
  std::fputs(text->c_str(), stdout);
  return 0;
}

}  // namespace berth::app
