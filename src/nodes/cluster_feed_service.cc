// Tested by scheduler_service_test.cc.
#include "nodes/cluster_feed_service.h"

#include <utility>

#include "api/metadata.h"

namespace berth::nodes {
namespace {

using client::Object;
using client::ObjectPtr;

// Pods that have ended take nothing: they are not even sent.
client::FollowerSpec pod_spec() {
  return {
      .collection = {.resource = pods_resource()},
      .selection = {.fields = "status.phase!=Succeeded,status.phase!=Failed"},
      .projection = client::Projection::only(
          {"metadata.labels", "metadata.annotations.'reserve.berth.dev/reservation'",
           "metadata.ownerReferences", "spec", "status.phase", "status.conditions",
           "status.resources", "status.allocatedResources", "status.containerStatuses[].name",
           "status.containerStatuses[].resources", "status.containerStatuses[].allocatedResources",
           "status.initContainerStatuses[].name", "status.initContainerStatuses[].resources",
           "status.initContainerStatuses[].allocatedResources"})};
}

client::FollowerSpec node_spec() {
  return {.collection = {.resource = nodes_resource()},
          .projection = client::Projection::only(
              {"metadata.labels", "metadata.annotations", "spec.unschedulable", "spec.taints",
               "status.allocatable", "status.conditions[].type", "status.conditions[].status"})};
}

client::FollowerSpec replica_set_spec() {
  return {.collection = {.resource = replica_sets_resource()},
          .projection = client::Projection::only({"metadata.ownerReferences"})};
}

client::FollowerSpec reservation_spec() {
  return {.collection = {.resource = pod_reservations_resource()},
          .projection = client::Projection::only({"metadata.creationTimestamp", "spec", "status"})};
}

std::set<std::string, std::less<>> uids_of(const std::vector<ObjectPtr>& objects) {
  std::set<std::string, std::less<>> uids;
  for (const ObjectPtr& object : objects) uids.emplace(object->uid());
  return uids;
}

}  // namespace

const client::Gvr& pods_resource() {
  static const client::Gvr resource{"", "v1", "pods"};
  return resource;
}

const client::Gvr& nodes_resource() {
  static const client::Gvr resource{"", "v1", "nodes"};
  return resource;
}

const client::Gvr& replica_sets_resource() {
  static const client::Gvr resource{"apps", "v1", "replicasets"};
  return resource;
}

const client::Gvr& pod_reservations_resource() {
  static const client::Gvr resource{std::string(kReservationGroup), "v1alpha1", "podreservations"};
  return resource;
}

ClusterFeed::ClusterFeed(const env::Env& env, client::Api& api, Scheduling& scheduling, Hooks hooks)
    : env_(env),
      api_(api),
      scheduling_(scheduling),
      hooks_(std::move(hooks)),
      pods_(env, api, pod_spec(), pod_listener()),
      nodes_(env, api, node_spec(), node_listener()),
      owners_(env, api, replica_set_spec(), replica_set_listener()),
      served_(env, api,
              {.name = "reservations",
               .collections = {{.resource = pod_reservations_resource()}},
               .remedy = "apply what `berth crds` prints; until then only annotations hold room"},
              [this] {
                reservations_ = std::make_unique<client::Follower>(env_, api_, reservation_spec(),
                                                                   reservation_listener());
              }) {}

bool ClusterFeed::has_synced() const {
  const bool knows_reservations =
      reservations_ ? reservations_->has_synced() : served_.is_missing();
  return pods_.has_synced() && nodes_.has_synced() && owners_.has_synced() && knows_reservations;
}

void ClusterFeed::complain(std::string_view kind, const Object& object, const Error& error) {
  env_.log.warn("scheduler.unreadable",
                {{"kind", kind}, {"object", object.key().text()}, {"error", error.message}});
}

// --- Pods ----------------------------------------------------------------------------------------

void ClusterFeed::put_pod(const Object& pod) {
  const Status status = scheduling_.put_pod(pod.body(), now());
  if (!status.ok()) complain("Pod", pod, status.error());
  hooks_.saw_pod(pod.body());
}

void ClusterFeed::remove_pod(const std::string& uid) {
  scheduling_.remove_pod(uid);
  hooks_.lost_pod(uid);
}

client::FollowerListener ClusterFeed::pod_listener() {
  return {.on_state =
              [this](const std::vector<ObjectPtr>& pods) {
                const auto there = uids_of(pods);
                for (const std::string& uid : scheduling_.pod_uids()) {
                  if (!there.contains(uid)) remove_pod(uid);
                }
                for (const ObjectPtr& pod : pods) put_pod(*pod);
                hooks_.changed();
              },
          .on_put =
              [this](const Object& pod) {
                put_pod(pod);
                hooks_.changed();
              },
          .on_removed =
              [this](const Object& pod) {
                remove_pod(std::string(pod.uid()));
                hooks_.changed();
              }};
}

// --- Nodes ---------------------------------------------------------------------------------------

void ClusterFeed::put_node(const Object& node) {
  const auto problems = scheduling_.put_node(node.body());
  if (!problems.ok()) return complain("Node", node, problems.error());
  if (!problems->empty()) hooks_.bad_annotations(node.body(), *problems);
}

client::FollowerListener ClusterFeed::node_listener() {
  return {.on_state =
              [this](const std::vector<ObjectPtr>& nodes) {
                std::set<std::string, std::less<>> there;
                for (const ObjectPtr& node : nodes) there.emplace(node->name());
                const Snapshot& snapshot = scheduling_.snapshot();
                std::vector<std::string> gone;
                for (const NodeSlot slot : snapshot.nodes()) {
                  if (!there.contains(snapshot.name(slot))) gone.push_back(snapshot.name(slot));
                }
                for (const std::string& name : gone) scheduling_.remove_node(name);
                for (const ObjectPtr& node : nodes) put_node(*node);
                hooks_.changed();
              },
          .on_put =
              [this](const Object& node) {
                put_node(node);
                hooks_.changed();
              },
          .on_removed =
              [this](const Object& node) {
                scheduling_.remove_node(node.name());
                hooks_.changed();
              }};
}

// --- ReplicaSets ---------------------------------------------------------------------------------

void ClusterFeed::put_replica_set(const Object& replica_set) {
  replica_sets_.emplace(replica_set.uid());
  scheduling_.put_replica_set(replica_set.body());
}

client::FollowerListener ClusterFeed::replica_set_listener() {
  return {.on_state =
              [this](const std::vector<ObjectPtr>& all) {
                const auto there = uids_of(all);
                for (const std::string& uid : std::exchange(replica_sets_, {})) {
                  if (!there.contains(uid)) scheduling_.remove_replica_set(uid);
                }
                for (const ObjectPtr& replica_set : all) put_replica_set(*replica_set);
                hooks_.changed();
              },
          .on_put =
              [this](const Object& replica_set) {
                put_replica_set(replica_set);
                hooks_.changed();
              },
          .on_removed =
              [this](const Object& replica_set) {
                replica_sets_.erase(std::string(replica_set.uid()));
                scheduling_.remove_replica_set(replica_set.uid());
                hooks_.changed();
              }};
}

// --- PodReservations -----------------------------------------------------------------------------

void ClusterFeed::put_reservation(const Object& reservation) {
  const Status status = scheduling_.put_reservation(reservation.body(), now());
  if (!status.ok()) complain("PodReservation", reservation, status.error());
}

client::FollowerListener ClusterFeed::reservation_listener() {
  return {.on_state =
              [this](const std::vector<ObjectPtr>& all) {
                const auto there = uids_of(all);
                std::vector<std::string> gone;
                for (const auto& [id, hold] : scheduling_.snapshot().all_holds()) {
                  const bool is_ours = hold.source == Hold::Source::Reservation;
                  if (is_ours && !there.contains(id)) gone.push_back(id);
                }
                for (const std::string& id : gone) scheduling_.remove_reservation(id);
                for (const ObjectPtr& reservation : all) put_reservation(*reservation);
                hooks_.changed();
              },
          .on_put =
              [this](const Object& reservation) {
                put_reservation(reservation);
                hooks_.changed();
              },
          .on_removed =
              [this](const Object& reservation) {
                scheduling_.remove_reservation(reservation.uid());
                hooks_.changed();
              }};
}

}  // namespace berth::nodes
