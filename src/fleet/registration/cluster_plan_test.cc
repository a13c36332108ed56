#include "fleet/registration/cluster_plan.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "fleet/registration/cluster_rights.h"
#include "fleet/registration/liveness.h"
#include "fleet/registration/names.h"
#include "json/parse.h"

namespace berth::fleet {
namespace {

using namespace std::chrono_literals;
using json::Value;

constexpr std::string_view kAcceptedParis =
    R"({"metadata":{"name":"paris","uid":"u"},"spec":{"hubAcceptsClient":true}})";

// A hub of one cluster, on which plans are carried out.
class Hub {
 public:
  explicit Hub(std::string_view cluster) { objects_["cluster"] = json::parse(cluster).value(); }

  ClusterSituation situation() const {
    ClusterSituation view{.name = "paris", .now = now};
    view.cluster = find("cluster");
    view.home = find("namespace");
    view.lease = find("lease");
    view.role = find("role");
    view.role_binding = find("role binding");
    view.registration_binding = find("registration");
    view.work_binding = find("work");
    for (const Value& addon : addons) view.addons.push_back(&addon);
    view.renewal_seen = renewal_seen;
    return view;
  }

  // Plans and writes until nothing changes; the last plan.
  ClusterPlan settle() {
    for (int i = 0; i < 20; ++i) {
      ClusterSituation view = situation();
      ClusterPlan plan = plan_cluster(view, options);
      if (plan.needs_contents) {
        view.contents = {{.content = Content::Addons, .objects = addons},
                         {.content = Content::Works, .objects = works},
                         {.content = Content::Scores, .objects = scores}};
        plan = plan_cluster(view, options);
      }
      became_unreachable += plan.became_unreachable ? 1 : 0;
      if (plan.changes.empty()) return plan;
      for (const ObjectChange& change : plan.changes) carry_out(change);
    }
    ADD_FAILURE() << "it never settles";
    return {};
  }

  const Value* find(const std::string& what) const {
    const auto found = objects_.find(what);
    return found == objects_.end() ? nullptr : &found->second;
  }
  Value& at(const std::string& what) { return objects_.at(what); }
  void put(const std::string& what, Value object) { objects_[what] = std::move(object); }

  std::string condition(std::string_view type) const {
    const Value* conditions = find("cluster")->find_path({"status", "conditions"});
    const Value* found = conditions ? api::find_condition(*conditions, type) : nullptr;
    if (!found) return "none";
    return api::text_field(*found, "status") + " " + api::text_field(*found, "reason");
  }

  Time now = Time::from_unix(1'800'000'000);
  HubOptions options;
  std::optional<Time> renewal_seen;
  std::vector<Value> addons, works, scores;
  std::vector<std::string> log;
  int became_unreachable = 0;

 private:
  static std::string what_of(const ObjectChange& change) {
    const Value& object = change.before ? *change.before : *change.after;
    switch (change.kind) {
      case HubKind::Clusters:
        return "cluster";
      case HubKind::Namespaces:
        return "namespace";
      case HubKind::Leases:
        return "lease";
      case HubKind::ClusterRoles:
        return "role";
      case HubKind::ClusterRoleBindings:
        return "role binding";
      case HubKind::RoleBindings:
        return api::Metadata(object).name().ends_with(":work") ? "work" : "registration";
      default:
        return std::string(api::Metadata(object).name());
    }
  }

  static void erase(std::vector<Value>& from, std::string_view name) {
    std::erase_if(from, [name](const Value& each) { return api::Metadata(each).name() == name; });
  }

  void carry_out(const ObjectChange& change) {
    const std::string what = what_of(change);
    log.push_back((change.after ? (change.before ? "~" : "+") : "-") + what);
    const bool is_content = change.kind == HubKind::Addons || change.kind == HubKind::Works ||
                            change.kind == HubKind::Scores;
    if (is_content && !change.after) {
      for (auto* list : {&addons, &works, &scores}) erase(*list, what);
    } else if (is_content) {
      for (Value& addon : addons) {
        if (api::Metadata(addon).name() == what) addon = *change.after;
      }
    } else if (change.after) {
      const bool is_over = api::Metadata(*change.after).is_being_deleted() &&
                           api::Metadata(*change.after).finalizers().empty();
      is_over ? static_cast<void>(objects_.erase(what)) : put(what, *change.after);
    } else if (api::Metadata(objects_.at(what)).finalizers().empty()) {
      objects_.erase(what);
    } else {
      objects_.at(what)["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z";
    }
  }

  std::map<std::string, Value> objects_;
};

TEST(ClusterPlan, LeavesANewClusterAloneExceptForItsFinalizerAndTaint) {
  Hub hub(R"({"metadata":{"name":"paris","uid":"u"},"spec":{}})");
  hub.settle();
  EXPECT_EQ(hub.log, (std::vector<std::string>{"~cluster"}));
  EXPECT_EQ(hub.condition(kAccepted), "none");
  EXPECT_TRUE(api::Metadata(hub.at("cluster")).has_finalizer(kContentFinalizer));
  EXPECT_EQ(hub.at("cluster").find_path({"spec", "taints"})->size(), 1U);
}

TEST(ClusterPlan, FurnishesAnAcceptedClusterBeforeItSaysSo) {
  Hub hub(kAcceptedParis);
  const ClusterPlan last = hub.settle();
  EXPECT_EQ(hub.log, (std::vector<std::string>{"~cluster", "+namespace", "+role", "+role binding",
                                               "+registration", "+work", "+lease", "~cluster"}));
  EXPECT_EQ(hub.condition(kAccepted), "True HubClusterAdminAccepted");
  EXPECT_EQ(hub.at("role"), cluster_role("paris", Acceptance::Accepted));
  EXPECT_TRUE(api::Metadata(hub.at("cluster")).has_finalizer(kRightsFinalizer));
  EXPECT_EQ(last.look_again, 300s) << "when the lease ends";
}

// Deleted before that, it would vanish at once and leave what was made for it.
TEST(ClusterPlan, HoldsAClusterBeforeItMakesAnythingForIt) {
  const Hub hub(kAcceptedParis);
  const ClusterPlan plan = plan_cluster(hub.situation());
  ASSERT_EQ(plan.changes.size(), 1U);
  EXPECT_EQ(plan.changes[0].kind, HubKind::Clusters);
  EXPECT_EQ(api::Metadata(*plan.changes[0].after).finalizers(),
            (std::vector<std::string_view>{kContentFinalizer, kRightsFinalizer}));
}

TEST(ClusterPlan, FurnishesAClusterAtOnceThatItHoldsAlready) {
  Hub hub(R"({"metadata":{"name":"paris","uid":"u"},"spec":{}})");
  hub.settle();
  hub.at("cluster")["spec"]["hubAcceptsClient"] = true;
  const ClusterPlan plan = plan_cluster(hub.situation());
  ASSERT_FALSE(plan.changes.empty());
  EXPECT_EQ(plan.changes[0].kind, HubKind::Namespaces);
}

TEST(ClusterPlan, RepairsWhatSomebodyChanged) {
  Hub hub(kAcceptedParis);
  hub.settle();
  hub.at("role")["rules"] = Value::array();
  hub.at("work")["roleRef"]["name"] = "cluster-admin";
  hub.at("work")["metadata"].erase("finalizers");
  hub.settle();
  EXPECT_EQ(hub.at("role"), cluster_role("paris", Acceptance::Accepted));
  EXPECT_EQ(hub.at("work"), work_binding("paris"));
}

TEST(ClusterPlan, RefusesNamesThatWouldGiveAwayTheHub) {
  Hub hub(kAcceptedParis);
  ClusterSituation view = hub.situation();
  view.name = "kube-system";
  const ClusterPlan plan = plan_cluster(view);
  ASSERT_EQ(plan.changes.size(), 1U);
  EXPECT_TRUE(api::is_condition_false(*plan.changes[0].after, kAccepted));
}

TEST(ClusterPlan, WaitsForANamespaceThatIsGoing) {
  Hub hub(kAcceptedParis);
  hub.put("namespace", json::parse(R"({"metadata":{"name":"paris",
      "deletionTimestamp":"2026-01-01T00:00:00Z"}})")
                           .value());
  const ClusterPlan last = hub.settle();
  EXPECT_EQ(hub.condition(kAccepted), "False Error");
  EXPECT_EQ(hub.find("role"), nullptr);
  EXPECT_EQ(last.look_again, 5s);
}

TEST(ClusterPlan, TakesTheRightsOfADeniedClusterAway) {
  Hub hub(kAcceptedParis);
  hub.settle();
  hub.at("cluster")["spec"]["hubAcceptsClient"] = false;
  hub.works = {json::parse(R"({"metadata":{"name":"w"}})").value()};
  const ClusterPlan last = hub.settle();
  EXPECT_EQ(hub.condition(kAccepted), "False HubClusterAdminDenied");
  EXPECT_EQ(hub.at("role"), cluster_role("paris", Acceptance::Denied));
  EXPECT_EQ(hub.find("registration"), nullptr);
  EXPECT_TRUE(hub.find("work")) << "its works are still to be cleaned up";
  EXPECT_EQ(last.look_again, 5s);
  hub.works.clear();
  hub.settle();
  EXPECT_EQ(hub.find("work"), nullptr);

  hub.at("cluster")["spec"]["hubAcceptsClient"] = true;
  hub.settle();
  EXPECT_EQ(hub.condition(kAccepted), "True HubClusterAdminAccepted");
  EXPECT_EQ(hub.at("role"), cluster_role("paris", Acceptance::Accepted));
}

TEST(ClusterPlan, CallsAClusterUnknownExactlyWhenItsLeaseEnds) {
  Hub hub(kAcceptedParis);
  hub.addons = {json::parse(R"({"metadata":{"name":"scores"}})").value()};
  hub.settle();
  hub.now += 300s - 1ns;
  EXPECT_EQ(hub.settle().look_again, 1ns);
  EXPECT_EQ(hub.condition(kAvailable), "none");
  hub.now += 1ns;
  hub.settle();
  EXPECT_EQ(hub.condition(kAvailable), "Unknown ManagedClusterLeaseUpdateStopped");
  EXPECT_EQ(hub.became_unreachable, 1);
  EXPECT_EQ(
      api::text_field(hub.addons[0].find_path({"status", "conditions"})->elements()[0], "reason"),
      "ManagedClusterLeaseUpdateStopped");
  EXPECT_EQ(
      api::read_facts(hub.at("cluster")).label("feature.open-cluster-management.io/addon-scores"),
      "unreachable");
}

TEST(ClusterPlan, ChecksTheClockOnlyWhenARenewalWasSeen) {
  Hub hub(kAcceptedParis);
  hub.settle();
  hub.put("lease", new_lease("paris", hub.now - 200s));
  hub.settle();
  EXPECT_EQ(hub.condition(kClockSynced), "none") << "it may be old for other reasons";
  hub.renewal_seen = hub.now;
  hub.settle();
  EXPECT_EQ(hub.condition(kClockSynced), "True ManagedClusterClockSynced");
  hub.put("lease", new_lease("paris", hub.now + 600s));
  hub.settle();
  EXPECT_EQ(hub.condition(kClockSynced), "False ManagedClusterClockOutOfSync");
}

Value deleted(Value cluster) {
  cluster["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  return cluster;
}

TEST(ClusterPlan, RemovesAClusterWithEverythingInOrder) {
  Hub hub(kAcceptedParis);
  hub.settle();
  const auto named = [](std::string_view name) {
    return Value::object({{"metadata", Value::object({{"name", name}})}});
  };
  hub.addons = {named("addon")};
  hub.works = {named("one"), named("two")};
  hub.scores = {named("score")};
  hub.put("cluster", deleted(hub.at("cluster")));
  hub.log.clear();
  hub.settle();
  EXPECT_EQ(hub.log, (std::vector<std::string>{"-role binding", "-role", "-registration", "-work",
                                               "-addon", "~cluster",           //
                                               "-one", "-two", "~cluster",     //
                                               "~work", "-score", "~cluster",  //
                                               "~cluster", "-lease", "-namespace", "~cluster"}));
  EXPECT_EQ(hub.find("cluster"), nullptr);
  EXPECT_EQ(hub.find("namespace"), nullptr);
}

TEST(ClusterPlan, KeepsANamespaceThatWasThereBefore) {
  Hub hub(kAcceptedParis);
  hub.put("namespace", json::parse(R"({"metadata":{"name":"paris"}})").value());
  hub.settle();
  EXPECT_EQ(api::read_facts(hub.at("namespace")).label(kClusterNameLabel), "paris");
  hub.put("cluster", deleted(hub.at("cluster")));
  hub.settle();
  EXPECT_EQ(hub.find("cluster"), nullptr);
  EXPECT_TRUE(hub.find("namespace"));
}

TEST(ClusterPlan, LeavesBehindWhatOcmLeavesBehindWhereThatIsWished) {
  Hub hub(kAcceptedParis);
  hub.options.removes_everything = false;
  hub.scores = {json::parse(R"({"metadata":{"name":"score"}})").value()};
  hub.settle();
  hub.put("cluster", deleted(hub.at("cluster")));
  hub.settle();
  EXPECT_EQ(hub.find("cluster"), nullptr);
  EXPECT_EQ(hub.scores.size(), 1U);
  EXPECT_TRUE(hub.find("namespace"));
}

TEST(ClusterPlan, LetsAnotherFinalizerHoldTheCluster) {
  Hub hub(kAcceptedParis);
  hub.at("cluster")["metadata"]["finalizers"].push_back("somebody");
  hub.settle();
  hub.put("cluster", deleted(hub.at("cluster")));
  hub.settle();
  ASSERT_TRUE(hub.find("cluster"));
  EXPECT_EQ(hub.condition(kDeleting), "True NoResource");
  EXPECT_EQ(api::Metadata(hub.at("cluster")).finalizers(),
            (std::vector<std::string_view>{"somebody"}));
}

TEST(ClusterPlan, ClearsUpAfterAClusterThatIsGone) {
  Hub hub(kAcceptedParis);
  hub.settle();
  ClusterSituation view = hub.situation();
  view.cluster = nullptr;
  view.contents = std::vector<Remainder>{};
  EXPECT_EQ(plan_cluster(view).changes.size(), 4U);
}

TEST(SharedRoles, ExistWhileThereAreClusters) {
  EXPECT_TRUE(plan_shared_roles(0, nullptr, nullptr).empty());
  EXPECT_EQ(plan_shared_roles(1, nullptr, nullptr).size(), 2U);
  const Value registration = registration_role();
  const Value work = work_role();
  EXPECT_TRUE(plan_shared_roles(1, &registration, &work).empty());
  EXPECT_EQ(plan_shared_roles(0, &registration, &work).size(), 2U);
}

}  // namespace
}  // namespace berth::fleet
