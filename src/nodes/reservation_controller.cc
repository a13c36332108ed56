#include "nodes/reservation_controller.h"

#include <algorithm>
#include <set>
#include <utility>

#include "api/group_version.h"
#include "api/metadata.h"
#include "client/errors.h"
#include "nodes/cluster_feed_service.h"

namespace berth::nodes {
namespace {

using client::Object;
using client::ObjectPtr;
using client::Projection;

constexpr std::size_t kInWorkMax = 32;
constexpr Duration kNapMax = std::chrono::minutes(10);  // The calendar may be set meanwhile.

Projection pod_projection() {
  return Projection::only({"metadata.labels",
                           "metadata.creationTimestamp",
                           "metadata.ownerReferences",
                           "metadata.annotations.'reserve.berth.dev/reservation'",
                           "metadata.annotations.'reserve.berth.dev/ttl'",
                           "metadata.annotations.'reserve.berth.dev/policy'",
                           "spec.nodeName",
                           "spec.priority",
                           "spec.tolerations",
                           "spec.overhead",
                           "spec.resources",
                           "spec.hostNetwork",
                           "spec.containers[].name",
                           "spec.containers[].resources",
                           "spec.containers[].ports",
                           "spec.initContainers[].name",
                           "spec.initContainers[].resources",
                           "spec.initContainers[].ports",
                           "spec.initContainers[].restartPolicy",
                           "status.phase",
                           "status.reason",
                           "status.conditions",
                           "status.resources",
                           "status.allocatedResources",
                           "status.containerStatuses[].name",
                           "status.containerStatuses[].resources",
                           "status.containerStatuses[].allocatedResources",
                           "status.initContainerStatuses[].name",
                           "status.initContainerStatuses[].resources",
                           "status.initContainerStatuses[].allocatedResources"});
}

struct Follow {
  RebuildKind kind;
  client::Gvr resource;
  Projection projection;
};

std::vector<Follow> what_to_follow() {
  const auto workload = [](RebuildKind kind, const char* group, const char* plural) {
    return Follow{kind,
                  {group, "v1", plural},
                  Projection::only({"metadata.ownerReferences", "spec.replicas", "spec.parallelism",
                                    "spec.completions", "spec.suspend", "status.succeeded",
                                    "status.conditions"})};
  };
  return {
      {RebuildKind::Pods, pods_resource(), pod_projection()},
      {RebuildKind::Nodes, nodes_resource(),
       Projection::only({"spec.unschedulable", "spec.taints", "status.allocatable",
                         "status.conditions[].type", "status.conditions[].status"})},
      {RebuildKind::Namespaces, {"", "v1", "namespaces"}, Projection::only({"metadata.labels"})},
      workload(RebuildKind::ReplicaSets, "apps", "replicasets"),
      workload(RebuildKind::Deployments, "apps", "deployments"),
      workload(RebuildKind::StatefulSets, "apps", "statefulsets"),
      workload(RebuildKind::Jobs, "batch", "jobs"),
      {RebuildKind::Reservations, pod_reservations_resource(), Projection::everything()}};
}

bool is_everyday(const Error& error) {
  return client::is_stale_write(error) || client::is_conflict(error) ||
         client::is_already_exists(error) || client::is_not_found(error) ||
         client::network_failure(error) || client::is_too_many_requests(error);
}

}  // namespace

ReservationController::ReservationController(const env::Env& env, client::Api& api,
                                             control::RecorderService& recorder,
                                             control::MayWrite may_write, RebuildOptions options)
    : env_(env),
      api_(api),
      recorder_(recorder),
      rebuilding_(options),
      committer_(env.loop, api, std::move(may_write), {.field_manager = "berth-reservation"}),
      discovery_(api, env.clock),
      reconciler_(env, "reservation", kInWorkMax,
                  [this](const std::string& root_uid) { work(root_uid); }),
      served_(env, api,
              {.name = "reservation",
               .collections = {{.resource = pod_reservations_resource()}},
               .remedy = "apply what `berth crds` prints"},
              [this] { follow(); }) {}

void ReservationController::follow() {
  for (Follow& wish : what_to_follow()) {
    followers_[wish.kind] = std::make_unique<client::Follower>(
        env_, api_,
        client::FollowerSpec{.collection = {.resource = wish.resource},
                             .projection = std::move(wish.projection)},
        listener(wish.kind));
  }
}

bool ReservationController::has_synced() const {
  return !followers_.empty() && std::ranges::all_of(followers_, [](const auto& follower) {
    return follower.second->has_synced();
  });
}

client::FollowerListener ReservationController::listener(RebuildKind kind) {
  return {.on_state =
              [this, kind](const std::vector<ObjectPtr>& objects) {
                std::set<std::string, std::less<>> there;
                for (const ObjectPtr& object : objects) there.emplace(object->uid());
                for (const std::string& uid : rebuilding_.uids(kind)) {
                  if (!there.contains(uid)) rebuilding_.remove(kind, uid, env_.clock.now());
                }
                for (const ObjectPtr& object : objects) put(kind, *object);
                on_changed();
              },
          .on_put =
              [this, kind](const Object& object) {
                put(kind, object);
                on_changed();
              },
          .on_removed =
              [this, kind](const Object& object) {
                rebuilding_.remove(kind, std::string(object.uid()), env_.clock.now());
                on_changed();
              }};
}

void ReservationController::put(RebuildKind kind, const Object& object) {
  const Status status = rebuilding_.put(kind, object.body(), env_.clock.now());
  if (status.ok()) return;
  env_.log.warn("reservation.unreadable",
                {{"object", object.key().text()}, {"error", status.error().message}});
}

void ReservationController::on_changed() {
  if (!has_synced()) return;
  if (!std::exchange(started_, true)) reconciler_.start();
  for (const std::string& root_uid : rebuilding_.take_due()) reconciler_.add(root_uid);
  for (const auto& [owner, ns] : rebuilding_.take_unscaled()) read_scale(owner, ns);
}

// Anything that can be scaled says how many pods it wants.
void ReservationController::read_scale(const RootOwner& owner, const std::string& ns) {
  const auto version = api::parse_group_version(owner.api_version);
  if (!version.ok()) return;
  discovery_.find(
      {.group = version->group, .version = version->version, .kind = owner.kind},
      scope_.guard([this, owner, ns](const Result<client::ResourceInfo>& info) {
        const bool scales =
            info.ok() && std::ranges::find(info->subresources, "scale") != info->subresources.end();
        if (!scales) return;
        api_.get({.resource = info->gvr, .ns = ns, .name = owner.name, .subresource = "scale"},
                 scope_.guard([this, owner](const Result<json::Value>& scale) {
                   const bool is_it = scale.ok() && api::Metadata(*scale).uid() == owner.uid;
                   is_it ? rebuilding_.put_scale(owner, *scale) : rebuilding_.drop_scale(owner.uid);
                   on_changed();
                 }));
      }));
}

void ReservationController::work(const std::string& root_uid) {
  const Time now = env_.clock.now();
  RebuildSteps steps = rebuilding_.plan(root_uid, now);
  if (steps.look_again) {
    reconciler_.add_after(root_uid, std::clamp<Duration>(*steps.look_again - now,
                                                         std::chrono::milliseconds(1), kNapMax));
  }
  for (const RebuildSteps::Remark& declined : steps.declined) {
    warn(declined, "ReservationDeclined",
         "the room of pod " + declined.pod.name + " is not kept: " + declined.reason);
  }
  for (const RebuildSteps::Remark& misread : steps.misread) {
    warn(misread, "InvalidRebuildRequest", "pod " + misread.pod.name + ": " + misread.reason);
  }
  // Counted before any of them ends.
  writes_[root_uid].open = 1 + steps.create.size() + steps.change.size() + steps.remove.size();
  for (const Reservation& made : steps.create) {
    submit(root_uid, {.resource = pod_reservations_resource(), .after = made.to_json()}, &made);
  }
  for (RebuildSteps::StatusChange& change : steps.change) {
    submit(root_uid,
           {.resource = pod_reservations_resource(),
            .before = std::move(change.before),
            .after = std::move(change.after)},
           nullptr);
  }
  for (json::Value& object : steps.remove) {
    submit(root_uid, {.resource = pod_reservations_resource(), .before = std::move(object)},
           nullptr);
  }
  on_written(root_uid, {});
}

// On the owner, which outlives the pod.
void ReservationController::warn(const RebuildSteps::Remark& remark, std::string reason,
                                 std::string note) {
  recorder_.record({.regarding = json::Value::object({{"apiVersion", remark.owner.api_version},
                                                      {"kind", remark.owner.kind},
                                                      {"namespace", remark.pod.ns},
                                                      {"name", remark.owner.name},
                                                      {"uid", remark.owner.uid}}),
                    .type = control::EventType::Warning,
                    .reason = std::move(reason),
                    .action = "Reserving",
                    .note = std::move(note)});
}

void ReservationController::submit(const std::string& root_uid, control::Change change,
                                   const Reservation* made) {
  const std::optional<api::ObjectKey> created = made ? std::optional(made->key) : std::nullopt;
  if (made) {
    env_.log.info("reservation.made", {{"reservation", made->key.text()}, {"node", made->node}});
  }
  committer_.submit(
      std::move(change), scope_.guard([this, root_uid, created](const Status& status) {
        if (!status.ok() && created) rebuilding_.on_create_failed(*created);
        if (!status.ok() && !is_everyday(status.error())) {
          env_.log.warn("reservation.write_failed", {{"error", status.error().message}});
        }
        on_written(root_uid, status);
      }));
}

void ReservationController::on_written(const std::string& root_uid, const Status& status) {
  Writes& writes = writes_.find(root_uid)->second;
  if (!status.ok()) writes.status = status;
  if (--writes.open > 0) return;
  const Status result = writes_.extract(root_uid).mapped().status;
  reconciler_.finish(root_uid, result);
  on_changed();
}

}  // namespace berth::nodes
