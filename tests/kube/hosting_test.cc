// `berth controllers --controllers hosting` on a whole server: who gets which hosting cluster.

#include <map>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "hosting/names.h"
#include "kube/hosting_hub.h"
#include "kube/waiting.h"

namespace berth::kube {
namespace {

using json::Value;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

using Counts = std::map<std::string, int>;
constexpr std::int64_t kWorst = -100;

class Hosting : public ::testing::Test {
 protected:
  void SetUp() override { hub_ = HostingHub::start(); }

  void add_hosts(std::initializer_list<const char*> names) {
    for (const char* name : names) hub_->add_host({.name = name});
  }

  // The one cluster that a Placement has chosen; empty: none yet.
  std::string chosen(const std::string& placement) {
    const api::Gvr decisions{"cluster.open-cluster-management.io", "v1beta1", "placementdecisions"};
    const Value decision = hub_->find(decisions, "tenant", placement + "-decision-1");
    const auto list = api::elements_field(api::field(decision, "status"), "decisions");
    return list.empty() ? "" : api::text_field(list[0], "clusterName");
  }

  // One cluster, by one score, of those that do not claim to be full: as HyperShift's add-on
  // documents it, but for the score and its weight.
  void place_by(const std::string& name, const std::string& resource, const std::string& score,
                int weight) {
    hub_->create(fmt::format(R"(
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: {{name: {}, namespace: tenant}}
spec:
  numberOfClusters: 1
  predicates:
  - requiredClusterSelector:
      claimSelector: {{matchExpressions: [{{key: {}, operator: In, values: ['false']}}]}}
  prioritizerPolicy:
    mode: Exact
    configurations:
    - {{scoreCoordinate: {{type: AddOn, addOn: {{resourceName: {}, scoreName: {}}}}}, weight: {}}}
)",
                             name, hosting::kFullClaim, resource, score, weight));
  }

  void bind_default_set() {
    hub_->create(R"(
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: {name: default, namespace: tenant}
spec: {clusterSet: default}
)");
  }

  // Until decisions reckon with so many there, or with a host that takes nothing.
  bool reckons_with(const std::string& host, std::int64_t hosted) {
    return wait_until([&] {
      const Value ledger = hub_->find(hosting_resource("hostingledgers"), host, "hosting");
      return api::integer_field(api::field(api::field(ledger, "status"), "load"), "hosted") ==
             hosted;
    });
  }
  bool takes_nothing(const std::string& host, bool expected) {
    return wait_until([&] {
      const auto slots = hub_->capacity(host, "freeSlots");
      return slots && (*slots == kWorst) == expected;
    });
  }

  std::unique_ptr<HostingHub> hub_;
};

TEST_F(Hosting, ABurstIsSpreadThoughNoScoreChangesWherePlacementsAllChooseOne) {
  add_hosts({"a", "b", "c", "d"});
  bind_default_set();
  place_by("recipe", "hosted-clusters-score", "hostedClustersCount", -1);
  hub_->run("clustersets,placement,hosting");
  ASSERT_TRUE(wait_until([&] { return !chosen("recipe").empty(); }));

  // A hundred pipelines that each ask the Placement, and a hundred requests.
  Counts by_placement;
  for (int i = 0; i < 100; ++i) {
    ++by_placement[chosen("recipe")];
    hub_->request(fmt::format("r{}", i));
  }
  ASSERT_TRUE(hub_->assigns(100));
  EXPECT_EQ(by_placement, (Counts{{"a", 100}}));
  EXPECT_EQ(hub_->by_host(), (Counts{{"a", 25}, {"b", 25}, {"c", 25}, {"d", 25}}));
  EXPECT_EQ(hub_->claims(), (Counts{{"a", 25}, {"b", 25}, {"c", 25}, {"d", 25}}));
}

TEST_F(Hosting, ACrashInTheMiddleLosesAndDoublesNothing) {
  add_hosts({"a", "b", "c", "d"});
  hub_->request_many(0, 60);
  hub_->run();
  ASSERT_TRUE(hub_->assigns(10));
  hub_->kill_controllers();
  hub_->run();
  ASSERT_TRUE(hub_->assigns(60));
  EXPECT_EQ(hub_->by_host(), (Counts{{"a", 15}, {"b", 15}, {"c", 15}, {"d", 15}}));
  EXPECT_EQ(hub_->claims(), (Counts{{"a", 15}, {"b", 15}, {"c", 15}, {"d", 15}}));
}

TEST_F(Hosting, AHostWhoseAgentIsDeadGetsNothing) {
  add_hosts({"dead", "live"});
  hub_->set_agent("dead", "Unknown");
  hub_->set_count("live", 40);  // The dead one looks emptier.
  hub_->run();
  ASSERT_TRUE(takes_nothing("dead", true));
  hub_->request_many(0, 5);
  ASSERT_TRUE(hub_->assigns(5));
  EXPECT_EQ(hub_->by_host(), (Counts{{"live", 5}}));
}

TEST_F(Hosting, ClustersThatSomebodyMakesByHandInTheMiddleAreSeen) {
  add_hosts({"a", "b"});
  hub_->run();
  hub_->request_many(0, 10);
  ASSERT_TRUE(hub_->assigns(10));
  hub_->set_count("a", 30);
  ASSERT_TRUE(reckons_with("a", 35));
  hub_->request_many(10, 10);
  ASSERT_TRUE(hub_->assigns(20));
  EXPECT_EQ(hub_->by_host(), (Counts{{"a", 5}, {"b", 15}}));
}

TEST_F(Hosting, AHostThatClaimsToBeFullInTheMiddleIsLeftOutUntilItDoesNot) {
  add_hosts({"a", "b"});
  hub_->run();
  hub_->request_many(0, 10);
  ASSERT_TRUE(hub_->assigns(10));
  hub_->set_full("a", "true");
  ASSERT_TRUE(takes_nothing("a", true));
  hub_->request_many(10, 10);
  ASSERT_TRUE(hub_->assigns(20));
  EXPECT_EQ(hub_->by_host(), (Counts{{"a", 5}, {"b", 15}}));
  hub_->set_full("a", "false");
  ASSERT_TRUE(takes_nothing("a", false));
  hub_->request_many(20, 10);
  ASSERT_TRUE(hub_->assigns(30));
  EXPECT_EQ(hub_->by_host(), (Counts{{"a", 15}, {"b", 15}}));
}

TEST_F(Hosting, PodsBindWhereNodesTakeFewOfThem) {
  for (const char* name : {"a", "b"}) {
    hub_->add_host({.name = name, .allocatable = "{cpu: '1000', memory: 4Ti, pods: '250'}"});
  }
  hub_->run();
  hub_->request_many(0, 8);
  ASSERT_TRUE(hub_->assigns(6));
  ASSERT_TRUE(wait_until([&] {
    int told = 0;
    for (int i = 0; i < 8; ++i) {
      told += hub_->condition(fmt::format("r{}", i), "Scheduled").starts_with("False") ? 1 : 0;
    }
    return told == 2;
  }));
  EXPECT_EQ(hub_->by_host(), (Counts{{"", 2}, {"a", 3}, {"b", 3}}));
  for (int i = 0; i < 8; ++i) {
    const std::string name = fmt::format("r{}", i);
    if (!hub_->status(name, "hostingCluster").empty()) continue;
    EXPECT_EQ(hub_->condition(name, "Scheduled"),
              "False Unschedulable 0 of 2 clusters can host it: 2 lack cpu, memory or pods (Room: "
              "ask for less in spec.size, add nodes, or add a hosting cluster)");
  }
  // One that needs fewer pods still fits.
  hub_->request("small", "size: {pods: 25}");
  EXPECT_TRUE(wait_until([&] { return !hub_->status("small", "hostingCluster").empty(); }));
}

TEST_F(Hosting, ThreeRegionsDifferByOneAtMost) {
  hub_->add_host({.name = "eu1", .region = "eu"});
  hub_->add_host({.name = "eu2", .region = "eu"});
  hub_->add_host({.name = "us1", .region = "us"});
  hub_->add_host({.name = "ap1", .region = "ap"});
  hub_->run();
  const std::string spread =
      "group: web, spread: [{topologyKeyType: Label, topologyKey: region, maxSkew: 1}]";
  const auto by_region = [&] {
    Counts hosts = hub_->by_host();
    return Counts{{"eu", hosts["eu1"] + hosts["eu2"]}, {"us", hosts["us1"]}, {"ap", hosts["ap1"]}};
  };
  hub_->request_many(0, 9, spread);
  ASSERT_TRUE(hub_->assigns(9));
  EXPECT_EQ(by_region(), (Counts{{"eu", 3}, {"us", 3}, {"ap", 3}}));
  hub_->set_full("us1", "true");
  ASSERT_TRUE(takes_nothing("us1", true));
  hub_->request_many(9, 3, spread);
  ASSERT_TRUE(hub_->assigns(11));
  // Whoever is left would make it two more than in us.
  ASSERT_TRUE(wait_until([&] {
    int waiting = 0;
    for (int i = 9; i < 12; ++i) {
      const std::string told = hub_->condition(fmt::format("r{}", i), "Scheduled");
      waiting += told.contains("would be too many in one place") ? 1 : 0;
    }
    return waiting == 1;
  }));
  EXPECT_EQ(by_region(), (Counts{{"eu", 4}, {"us", 3}, {"ap", 4}}));
}

TEST_F(Hosting, APlainPlacementDoesTheRightThingWithHostingCapacity) {
  add_hosts({"a", "b"});
  bind_default_set();
  place_by("capacity", "hosting-capacity", "freeSlots", 1);
  hub_->set_count("a", 40);
  hub_->run("clustersets,placement,hosting");
  EXPECT_TRUE(wait_until([&] { return chosen("capacity") == "b"; })) << chosen("capacity");
  hub_->set_agent("b", "Unknown");
  EXPECT_TRUE(wait_until([&] { return chosen("capacity") == "a"; })) << chosen("capacity");
}

TEST_F(Hosting, BadInputGetsAConditionThatSaysWhatToDo) {
  hub_->add_host({.name = "h", .allocatable = "{cpu: '64', memory: 256G, pods: '500'}"});
  hub_->create(R"(
apiVersion: hosting.berth.dev/v1alpha1
kind: HostedClusterRequest
metadata: {name: nameless, namespace: tenant}
spec: {payload: {hostedCluster: {metadata: {name: nameless}}}}
)");
  hub_->request("negative", "size: {cpu: '-1'}");
  hub_->request("huge", "size: {memory: 1P}");
  hub_->request("classless", "size: {class: gigantic}");
  hub_->run();
  const auto scheduled = [&](const std::string& name, const std::string& start) {
    wait_until([&] { return hub_->condition(name, "Scheduled").starts_with(start); });
    return hub_->condition(name, "Scheduled");
  };
  EXPECT_THAT(scheduled("nameless", "False"),
              AllOf(StartsWith("False InvalidRequest"),
                    HasSubstr("hostedCluster.spec.infraID is missing: set it")));
  EXPECT_EQ(scheduled("negative", "False"),
            "False InvalidRequest spec.size.cpu is -1; it must be above 0, or be left out for the "
            "usual 5");
  EXPECT_EQ(scheduled("classless", "False"),
            "False InvalidRequest spec.size.class is \"gigantic\"; there are large, medium, small");
  EXPECT_THAT(scheduled("huge", "False"),
              AllOf(StartsWith("False Unschedulable"), HasSubstr("ask for less in spec.size")));
  // What is put right goes on.
  hub_->change_request("negative", "{spec: {size: {cpu: 4}}}");
  EXPECT_TRUE(hub_->becomes("negative", "hostingCluster", "h"));
}

TEST_F(Hosting, MissingSecretsAndEditsAfterDeliveryAreTold) {
  add_hosts({"h"});
  hub_->create(R"(
apiVersion: hosting.berth.dev/v1alpha1
kind: HostedClusterRequest
metadata: {name: r, namespace: tenant}
spec:
  payload:
    hostedCluster: {metadata: {name: r}, spec: {infraID: r-x}}
    secretRefs: [{name: pull}]
)");
  hub_->run();
  EXPECT_TRUE(wait_until([&] {
    return hub_->condition("r", "Delivered") ==
           "False SecretMissing there is no Secret pull in namespace tenant: create it";
  })) << hub_->condition("r", "Delivered");
  hub_->create(R"(
apiVersion: v1
kind: Secret
metadata: {name: pull, namespace: tenant}
data: {k: c2VjcmV0}
)");
  const auto manifests = [&] {
    const Value work = hub_->work_of("r");
    const auto list =
        api::elements_field(api::field(api::field(work, "spec"), "workload"), "manifests");
    return std::vector<Value>(list.begin(), list.end());
  };
  ASSERT_TRUE(wait_until([&] { return manifests().size() == 3; }));
  EXPECT_EQ(api::text_field(api::field(manifests()[1], "data"), "k"), "c2VjcmV0");

  hub_->change_request("r", "{spec: {payload: {hostedCluster: {spec: {infraID: other}}}}}");
  EXPECT_TRUE(wait_until([&] {
    return hub_->condition("r", "Delivered").starts_with("False IdentityChanged");
  })) << hub_->condition("r", "Delivered");
  EXPECT_THAT(hub_->condition("r", "Delivered"), HasSubstr("restore it in spec.payload"));
  EXPECT_EQ(api::text_field(api::field(manifests()[2], "spec"), "infraID"), "r-x");

  hub_->change_request(
      "r", "{spec: {payload: {hostedCluster: {spec: {infraID: r-x, channel: fast-4.18}}}}}");
  EXPECT_TRUE(wait_until([&] {
    return api::text_field(api::field(manifests()[2], "spec"), "channel") == "fast-4.18";
  }));
  EXPECT_TRUE(wait_until([&] {
    return hub_->condition("r", "Delivered").starts_with("False Delivering");
  })) << hub_->condition("r", "Delivered");
}

}  // namespace
}  // namespace berth::kube
