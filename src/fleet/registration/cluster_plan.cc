#include "fleet/registration/cluster_plan.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "base/check.h"
#include "fleet/registration/cluster_rights.h"
#include "fleet/registration/liveness.h"
#include "fleet/registration/names.h"

namespace berth::fleet {
namespace {

using json::Value;

constexpr Duration kRemovalPeriod = std::chrono::seconds(5);

// The calendar may be set meanwhile: nobody sleeps longer than that.
constexpr Duration kNapMax = std::chrono::minutes(10);

// Marks a namespace that was made for the cluster with that uid, and goes with it.
constexpr std::string_view kMadeFor = "registration.berth.dev/made-for";

bool is_deleting(const Value* object) {
  return object && api::Metadata(*object).is_being_deleted();
}

Value with_finalizer(Value object, std::string_view name) {
  if (api::Metadata(object).has_finalizer(name)) return object;
  object["metadata"]["finalizers"].push_back(name);
  return object;
}

Value without_finalizer(Value object, std::string_view name) {
  if (!api::Metadata(object).has_finalizer(name)) return object;
  Value rest = Value::array();
  for (const std::string_view other : api::Metadata(object).finalizers()) {
    if (other != name) rest.push_back(other);
  }
  object["metadata"]["finalizers"] = std::move(rest);
  return object;
}

// It does not vanish before the hub lets it go.
bool is_held(const Value& cluster) {
  return api::Metadata(cluster).has_finalizer(kContentFinalizer) ||
         api::Metadata(cluster).has_finalizer(kRightsFinalizer);
}

Value with_accepted(Value cluster, const api::Condition& condition, Time now) {
  Value list =
      api::with_condition(api::field(api::field(cluster, "status"), "conditions"), condition, now);
  cluster["status"]["conditions"] = std::move(list);
  return cluster;
}

api::Condition accepted_condition() {
  return {.type = std::string(kAccepted),
          .status = api::ConditionStatus::True,
          .reason = "HubClusterAdminAccepted",
          .message = "Accepted by hub cluster admin"};
}

api::Condition denied_condition() {
  return {.type = std::string(kAccepted),
          .status = api::ConditionStatus::False,
          .reason = "HubClusterAdminDenied",
          .message = "Denied by hub cluster admin"};
}

api::Condition impossible_condition(std::string message) {
  return {.type = std::string(kAccepted),
          .status = api::ConditionStatus::False,
          .reason = "Error",
          .message = std::move(message)};
}

Value namespace_for(const ClusterSituation& situation) {
  return Value::object(
      {{"apiVersion", "v1"},
       {"kind", "Namespace"},
       {"metadata",
        Value::object({{"name", situation.name},
                       {"labels", Value::object({{kClusterNameLabel, situation.name}})},
                       {"annotations",
                        Value::object({{kMadeFor, api::Metadata(*situation.cluster).uid()}})}})}});
}

bool was_made_for(const Value& home, const Value& cluster) {
  const std::string_view uid = api::Metadata(cluster).uid();
  return !uid.empty() && api::read_facts(home).annotation(kMadeFor) == uid;
}

// Gathers the changes of one cluster.
class Planner {
 public:
  Planner(const ClusterSituation& situation, const HubOptions& options)
      : situation_(situation), options_(options) {}

  ClusterPlan plan() {
    if (!situation_.cluster) {
      remove_rights();
    } else if (is_deleting(situation_.cluster)) {
      remove_cluster();
    } else {
      keep_cluster();
    }
    if (plan_.needs_contents) return {.needs_contents = true};
    return std::move(plan_);
  }

 private:
  void change(HubKind kind, const Value* before, std::optional<Value> after) {
    if (before && after && *before == *after) return;
    ObjectChange change{.kind = kind, .after = std::move(after)};
    if (before) change.before = *before;
    plan_.changes.push_back(std::move(change));
  }

  void ensure(HubKind kind, const Value* existing, const Value& wanted) {
    if (!existing) return change(kind, nullptr, wanted);
    if (is_deleting(existing)) return look_again(kRemovalPeriod);
    // What cannot be changed goes, and is made anew when it is gone.
    change(kind, existing, as_wanted(*existing, wanted));
  }

  void remove(HubKind kind, const Value* existing) {
    if (existing && !is_deleting(existing)) change(kind, existing, std::nullopt);
  }

  void look_again(Duration delay) {
    plan_.look_again = std::min({plan_.look_again.value_or(kNapMax), delay, kNapMax});
  }

  const Remainder* contents(Content content) {
    if (!situation_.contents) {
      plan_.needs_contents = true;
      return nullptr;
    }
    for (const Remainder& remainder : *situation_.contents) {
      if (remainder.content == content) return &remainder;
    }
    return nullptr;
  }

  void keep_cluster() {
    const Value& before = *situation_.cluster;
    Value after = with_finalizer(before, kContentFinalizer);
    const bool accepts =
        api::field(api::field(before, "spec"), "hubAcceptsClient").as_bool().value_or(false);
    const Status named = check_cluster_name(situation_.name);
    if (accepts && !named.ok()) {
      after = with_accepted(std::move(after), impossible_condition(named.error().message),
                            situation_.now);
    } else if (accepts && !is_held(before)) {
      // Nothing is made for a cluster that may vanish meanwhile: nobody would clear it away.
      after = with_finalizer(std::move(after), kRightsFinalizer);
      return change(HubKind::Clusters, &before, std::move(after));
    } else if (accepts) {
      after = accept(std::move(after));
    } else {
      after = deny(std::move(after));
    }
    after = by_lease(std::move(after));
    after = with_addon_labels(with_availability_taints(std::move(after)), situation_.addons);
    for (const Value* addon : situation_.addons) {
      change(HubKind::Addons, addon, with_availability_of(after, *addon, situation_.now));
    }
    change(HubKind::Clusters, &before, std::move(after));
  }

  // First what the agent will use, then the condition that tells it to.
  Value accept(Value cluster) {
    if (is_deleting(situation_.home)) {
      look_again(kRemovalPeriod);
      return with_accepted(
          std::move(cluster),
          impossible_condition(fmt::format("namespace {} is being deleted", situation_.name)),
          situation_.now);
    }
    if (!situation_.home) {
      change(HubKind::Namespaces, nullptr, namespace_for(situation_));
    } else {
      Value labelled = *situation_.home;
      labelled["metadata"]["labels"][kClusterNameLabel] = situation_.name;
      change(HubKind::Namespaces, situation_.home, std::move(labelled));
    }
    const std::string& name = situation_.name;
    ensure(HubKind::ClusterRoles, situation_.role, cluster_role(name, Acceptance::Accepted));
    ensure(HubKind::ClusterRoleBindings, situation_.role_binding, cluster_role_binding(name));
    ensure(HubKind::RoleBindings, situation_.registration_binding, registration_binding(name));
    if (is_deleting(situation_.work_binding)) {
      release_work_binding();
    } else {
      ensure(HubKind::RoleBindings, situation_.work_binding, work_binding(name));
    }
    if (!situation_.lease) {
      change(HubKind::Leases, nullptr, new_lease(name, situation_.now));
      makes_lease_ = true;
    }
    cluster = with_finalizer(std::move(cluster), kRightsFinalizer);
    return with_accepted(std::move(cluster), accepted_condition(), situation_.now);
  }

  Value deny(Value cluster) {
    if (situation_.role) {
      ensure(HubKind::ClusterRoles, situation_.role,
             cluster_role(situation_.name, Acceptance::Denied));
    }
    remove(HubKind::RoleBindings, situation_.registration_binding);
    remove(HubKind::RoleBindings, situation_.work_binding);
    release_work_binding();
    if (!api::is_condition_true(cluster, kAccepted)) return cluster;
    return with_accepted(std::move(cluster), denied_condition(), situation_.now);
  }

  // Its agent may clean up until the last work is gone.
  void release_work_binding() {
    if (!is_deleting(situation_.work_binding)) return;
    const Remainder* works = contents(Content::Works);
    if (!works) return;
    if (!works->objects.empty()) return look_again(kRemovalPeriod);
    change(HubKind::RoleBindings, situation_.work_binding,
           without_finalizer(*situation_.work_binding, kWorkFinalizer));
  }

  Value by_lease(Value cluster) {
    const bool was_ever_accepted =
        api::find_condition(api::field(api::field(*situation_.cluster, "status"), "conditions"),
                            kAccepted) != nullptr;
    if (!was_ever_accepted) return cluster;
    const Time now = situation_.now;
    if (situation_.lease && situation_.renewal_seen) {
      cluster = with_clock_check(std::move(cluster), *situation_.lease, *situation_.renewal_seen);
    }
    Time end = makes_lease_ ? now + lease_grace(cluster) : now;
    if (situation_.lease) end = lease_end(cluster, *situation_.lease);
    if (now < end) {
      look_again(end - now);
      return cluster;
    }
    look_again(lease_grace(cluster));
    Value unknown = with_unknown_availability(cluster, now);
    plan_.became_unreachable = unknown != cluster;
    return unknown;
  }

  void remove_rights() {
    remove(HubKind::ClusterRoleBindings, situation_.role_binding);
    remove(HubKind::ClusterRoles, situation_.role);
    remove(HubKind::RoleBindings, situation_.registration_binding);
    remove(HubKind::RoleBindings, situation_.work_binding);
    release_work_binding();
    if (situation_.work_binding) look_again(kRemovalPeriod);
  }

  void remove_cluster() {
    remove_rights();
    const Value& before = *situation_.cluster;
    for (const Content content : kContents) {
      if (content == Content::Scores && !options_.removes_everything) continue;
      const Remainder* remainder = contents(content);
      if (!remainder) return;
      if (remainder->objects.empty()) continue;
      for (const std::string& name : next_to_remove(remainder->objects)) {
        const auto object = std::ranges::find_if(remainder->objects, [&name](const Value& each) {
          return api::Metadata(each).name() == name;
        });
        change(kind_of(content), &*object, std::nullopt);
      }
      change(HubKind::Clusters, &before, with_remaining(before, *remainder, situation_.now));
      return look_again(kRemovalPeriod);
    }
    let_go();
  }

  // The condition first: where somebody else holds the cluster, it tells that it is not us.
  void let_go() {
    const Value& before = *situation_.cluster;
    if (!is_held(before)) return;
    Value told = with_nothing_remaining(before, situation_.now);
    if (told != before) return change(HubKind::Clusters, &before, std::move(told));
    if (situation_.work_binding) return look_again(kRemovalPeriod);
    if (options_.removes_everything) {
      remove(HubKind::Leases, situation_.lease);
      const bool is_ours = situation_.home && was_made_for(*situation_.home, before);
      if (is_ours) remove(HubKind::Namespaces, situation_.home);
    }
    change(HubKind::Clusters, &before,
           without_finalizer(without_finalizer(before, kContentFinalizer), kRightsFinalizer));
  }

  const ClusterSituation& situation_;
  const HubOptions& options_;
  ClusterPlan plan_;
  bool makes_lease_ = false;
};

}  // namespace

HubKind kind_of(Content content) {
  switch (content) {
    case Content::Addons:
      return HubKind::Addons;
    case Content::Works:
      return HubKind::Works;
    case Content::Scores:
      return HubKind::Scores;
  }
  CHECK(false);
}

ClusterPlan plan_cluster(const ClusterSituation& situation, const HubOptions& options) {
  return Planner(situation, options).plan();
}

std::vector<ObjectChange> plan_shared_roles(std::size_t clusters, const Value* registration,
                                            const Value* work) {
  std::vector<ObjectChange> changes;
  const auto plan = [&changes, has_clusters = clusters > 0](const Value* existing,
                                                            const Value& wanted) {
    if (is_deleting(existing) || (!existing && !has_clusters)) return;
    ObjectChange change{.kind = HubKind::ClusterRoles};
    if (existing) change.before = *existing;
    if (has_clusters) change.after = existing ? as_wanted(*existing, wanted) : wanted;
    if (change.before != change.after) changes.push_back(std::move(change));
  };
  plan(registration, registration_role());
  plan(work, work_role());
  return changes;
}

}  // namespace berth::fleet
