#include "fleet/registration/clusters_controller.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "base/check.h"
#include "client/errors.h"
#include "fleet/registration/cluster_rights.h"
#include "fleet/registration/names.h"
#include "fleet/registration/removal.h"
#include "fleet/registration/resources.h"

namespace berth::fleet {
namespace {

using json::Value;

constexpr std::size_t kInWorkMax = 16;

client::Gvr resource_of(HubKind kind) {
  switch (kind) {
    case HubKind::Clusters:
      return managed_clusters();
    case HubKind::Namespaces:
      return namespaces();
    case HubKind::Leases:
      return leases();
    case HubKind::Addons:
      return managed_cluster_addons();
    case HubKind::Works:
      return manifest_works();
    case HubKind::Scores:
      return placement_scores();
    case HubKind::ClusterRoles:
      return cluster_roles();
    case HubKind::ClusterRoleBindings:
      return cluster_role_bindings();
    case HubKind::RoleBindings:
      return role_bindings();
  }
  CHECK(false);
}

// Works and scores are many and large: they are listed when somebody has to know.
const auto& followed_kinds() {
  static const std::array kinds = [] {
    constexpr std::array kFollowed = {
        HubKind::Clusters,     HubKind::Namespaces,          HubKind::Leases,      HubKind::Addons,
        HubKind::ClusterRoles, HubKind::ClusterRoleBindings, HubKind::RoleBindings};
    std::array<std::pair<HubKind, client::Gvr>, kFollowed.size()> pairs;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      pairs[i] = {kFollowed[i], resource_of(kFollowed[i])};
    }
    return pairs;
  }();
  return kinds;
}

// The cluster whose role that is; "" also for the roles that all share.
std::string cluster_of_role(std::string_view name) {
  const std::string prefix = cluster_role_name("");
  if (!name.starts_with(prefix) || name == kRegistrationRole || name == kWorkRole) return "";
  return std::string(name.substr(prefix.size()));
}

}  // namespace

ClustersController::ClustersController(const env::Env& env, client::Api& api,
                                       client::Informers& informers,
                                       control::RecorderService& recorder,
                                       control::MayWrite may_write, HubOptions options)
    : env_(env),
      api_(api),
      recorder_(recorder),
      options_(options),
      committer_(env.loop, api, std::move(may_write), {.field_manager = "berth-registration"}),
      reconciler_(env, "registration", kInWorkMax,
                  [this](const std::string& cluster) { work(cluster); }),
      followed_(
          informers, followed_kinds(),
          [this](HubKind kind, const client::ObjectKey& key) { refresh(kind, key); },
          [this] { reconciler_.start(); }) {}

// Takes a change to the cluster that it bears on.
void ClustersController::refresh(HubKind kind, const client::ObjectKey& key) {
  switch (kind) {
    case HubKind::Clusters:
      reconciler_.add("");
      return reconciler_.add(key.name);
    case HubKind::Namespaces:
      if (followed_.store(HubKind::Clusters).find({.ns = "", .name = key.name})) {
        reconciler_.add(key.name);
      }
      return;
    case HubKind::Leases:
      if (key.name != kClusterLease) return;
      note_renewal(key.ns);
      return reconciler_.add(key.ns);
    case HubKind::ClusterRoles:
    case HubKind::ClusterRoleBindings:
      if (key.name.starts_with(cluster_role_name(""))) reconciler_.add(cluster_of_role(key.name));
      return;
    case HubKind::RoleBindings:
      if (key.name == registration_binding_name(key.ns) || key.name == work_binding_name(key.ns)) {
        reconciler_.add(key.ns);
      }
      return;
    default:
      return reconciler_.add(key.ns);
  }
}

// What was there when we came may be of any age; only a change tells how the agent's clock goes.
void ClustersController::note_renewal(const std::string& cluster) {
  const Value* lease = find(HubKind::Leases, cluster, std::string(kClusterLease));
  if (!lease) {
    renewals_.erase(cluster);
    return;
  }
  const std::string renewed = api::text_field(api::field(*lease, "spec"), "renewTime");
  const auto [known, is_new] = renewals_.try_emplace(cluster, Renewal{.renew_time = renewed});
  if (is_new || known->second.renew_time == renewed) return;
  known->second = {.renew_time = renewed, .seen = env_.clock.now()};
}

const Value* ClustersController::find(HubKind kind, std::string ns, std::string name) {
  client::ObjectPtr object =
      followed_.store(kind).find({.ns = std::move(ns), .name = std::move(name)});
  if (!object) return nullptr;
  held_.push_back(std::move(object));
  return &held_.back()->body();
}

ClusterSituation ClustersController::situation_of(const std::string& cluster) {
  held_.clear();
  const std::string role = cluster_role_name(cluster);
  ClusterSituation situation{
      .name = cluster,
      .now = env_.clock.now(),
      .cluster = find(HubKind::Clusters, "", cluster),
      .home = find(HubKind::Namespaces, "", cluster),
      .lease = find(HubKind::Leases, cluster, std::string(kClusterLease)),
      .role = find(HubKind::ClusterRoles, "", role),
      .role_binding = find(HubKind::ClusterRoleBindings, "", role),
      .registration_binding =
          find(HubKind::RoleBindings, cluster, registration_binding_name(cluster)),
      .work_binding = find(HubKind::RoleBindings, cluster, work_binding_name(cluster))};
  for (client::ObjectPtr& addon : followed_.store(HubKind::Addons).in_namespace(cluster)) {
    held_.push_back(std::move(addon));
    situation.addons.push_back(&held_.back()->body());
  }
  const auto renewal = renewals_.find(cluster);
  if (renewal != renewals_.end()) situation.renewal_seen = renewal->second.seen;
  return situation;
}

void ClustersController::work(const std::string& cluster) {
  if (cluster.empty()) {
    held_.clear();
    return submit(cluster,
                  plan_shared_roles(followed_.store(HubKind::Clusters).size(),
                                    find(HubKind::ClusterRoles, "", std::string(kRegistrationRole)),
                                    find(HubKind::ClusterRoles, "", std::string(kWorkRole))));
  }
  ClusterPlan plan = plan_cluster(situation_of(cluster), options_);
  if (plan.needs_contents) return read_contents(cluster, std::make_shared<Inventory>());
  carry_out(cluster, std::move(plan));
}

// One kind after the other.
void ClustersController::read_contents(const std::string& cluster, const InventoryPtr& inventory) {
  if (inventory->contents.size() == std::size(kContents)) return read_home(cluster, inventory);
  const Content content = kContents[inventory->contents.size()];
  api_.list_all({.resource = resource_of(kind_of(content)), .ns = cluster}, {},
                scope_.guard([this, cluster, content, inventory](Result<client::WholeList> list) {
                  // A hub without that kind has none of them.
                  if (!list.ok() && !client::is_not_found(list.error())) {
                    return give_up(cluster, list.error());
                  }
                  inventory->contents.push_back({.content = content});
                  if (list.ok()) inventory->contents.back().objects = std::move(list->items);
                  read_contents(cluster, inventory);
                }));
}

void ClustersController::read_home(const std::string& cluster, const InventoryPtr& inventory) {
  api_.get({.resource = namespaces(), .name = cluster},
           scope_.guard([this, cluster, inventory](Result<Value> home) {
             if (!home.ok() && !client::is_not_found(home.error())) {
               return give_up(cluster, home.error());
             }
             if (home.ok()) inventory->home = *std::move(home);
             read_lease(cluster, inventory);
           }));
}

void ClustersController::read_lease(const std::string& cluster, const InventoryPtr& inventory) {
  api_.get({.resource = leases(), .ns = cluster, .name = std::string(kClusterLease)},
           scope_.guard([this, cluster, inventory](Result<Value> lease) {
             if (!lease.ok() && !client::is_not_found(lease.error())) {
               return give_up(cluster, lease.error());
             }
             if (lease.ok()) inventory->lease = *std::move(lease);
             plan_with(cluster, inventory);
           }));
}

void ClustersController::plan_with(const std::string& cluster, const InventoryPtr& inventory) {
  ClusterSituation situation = situation_of(cluster);
  situation.contents = std::move(inventory->contents);
  situation.home = inventory->home ? &*inventory->home : nullptr;
  situation.lease = inventory->lease ? &*inventory->lease : nullptr;
  carry_out(cluster, plan_cluster(situation, options_));
}

void ClustersController::give_up(const std::string& cluster, const Error& error) {
  env_.log.warn("registration.read_failed", {{"cluster", cluster}, {"error", error.message}});
  const Value* object = find(HubKind::Clusters, "", cluster);
  const bool is_stuck =
      object && api::Metadata(*object).is_being_deleted() && client::is_forbidden(error);
  if (!is_stuck) return reconciler_.finish(cluster, failure(error));
  // Whoever waits for the cluster to go cannot read our log.
  committer_.submit({.resource = managed_clusters(),
                     .before = *object,
                     .after = with_removal_error(*object, error.message, env_.clock.now())},
                    scope_.guard([this, cluster, error](const Status&) {
                      reconciler_.finish(cluster, failure(error));
                    }));
}

void ClustersController::carry_out(const std::string& cluster, ClusterPlan plan) {
  if (plan.look_again) reconciler_.add_after(cluster, *plan.look_again);
  if (plan.became_unreachable) tell_unreachable(cluster);
  submit(cluster, std::move(plan.changes));
}

void ClustersController::submit(const std::string& cluster, std::vector<ObjectChange> changes) {
  if (changes.empty()) return reconciler_.finish(cluster);
  std::vector<control::Change> wanted;
  for (ObjectChange& change : changes) {
    wanted.push_back({.resource = resource_of(change.kind),
                      .before = std::move(change.before),
                      .after = std::move(change.after)});
  }
  committer_.submit(std::move(wanted), scope_.guard([this, cluster](const Status& status) {
    const bool is_race = !status.ok() && (client::is_stale_write(status.error()) ||
                                          client::is_already_exists(status.error()) ||
                                          client::is_not_found(status.error()));
    if (!status.ok() && !is_race) {
      env_.log.warn("registration.write_failed",
                    {{"cluster", cluster}, {"error", status.error().message}});
    }
    reconciler_.finish(cluster, status);
  }));
}

void ClustersController::tell_unreachable(const std::string& cluster) {
  const Value* object = find(HubKind::Clusters, "", cluster);
  if (!object) return;
  Value regarding = control::object_reference(*object);
  regarding["namespace"] = cluster;  // Where those who look after the cluster look.
  recorder_.record(
      {.regarding = std::move(regarding),
       .type = control::EventType::Warning,
       .reason = "AvailableUnknown",
       .action = "AvailableUnknown",
       .note = fmt::format("The {} is successfully imported. However, the connection check from "
                           "the managed cluster to the hub cluster has failed",
                           cluster)});
}

}  // namespace berth::fleet
