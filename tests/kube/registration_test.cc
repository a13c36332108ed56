// Clusters that join a hub: Berth's registration on both sides, on real servers.

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "client/errors.h"
#include "fleet/registration/certificate_step.h"
#include "fleet/registration/names.h"
#include "fleet/registration/renewal_approval.h"
#include "fleet/registration/resources.h"
#include "json/parse.h"
#include "json/print.h"
#include "json/yaml_read.h"
#include "kube/joining.h"
#include "kube/objects.h"
#include "kube/waiting.h"

namespace berth::kube {
namespace {

using namespace std::chrono_literals;
using json::Value;

class Registration : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { fleet_ = Joining::start(); }
  static void TearDownTestSuite() { fleet_.reset(); }
  void SetUp() override { ASSERT_TRUE(fleet_); }

  client::ResourcePath lease(const std::string& cluster) {
    return {.resource = fleet::leases(), .ns = cluster, .name = std::string(fleet::kClusterLease)};
  }

  static std::unique_ptr<Joining> fleet_;
};
std::unique_ptr<Joining> Registration::fleet_;

TEST_F(Registration, AClusterJoinsWhenItsRequestIsApprovedAndItIsAccepted) {
  create_whole(fleet_->cluster(),
               json::parse(R"({"apiVersion":"cluster.open-cluster-management.io/v1alpha1",
      "kind":"ClusterClaim","metadata":{"name":"zone"},"spec":{"value":"north"}})")
                   .value());
  const auto agent = fleet_->agent("paris");
  EXPECT_TRUE(wait_until([&] { return agent->state().contains("waits for approval"); }))
      << agent->state();
  EXPECT_EQ(fleet_->condition("paris", fleet::kAccepted), "none");
  ASSERT_EQ(fleet_->requests_of("paris").size(), 1U);

  fleet_->accept("paris");
  fleet_->eventually("paris", fleet::kAccepted, "True HubClusterAdminAccepted");
  fleet_->eventually("paris", fleet::kJoined, "True ManagedClusterJoined");
  fleet_->eventually("paris", fleet::kAvailable, "True ManagedClusterAvailable");
  fleet_->eventually("paris", fleet::kClockSynced, "True ManagedClusterClockSynced");
  EXPECT_TRUE(wait_until([&] { return agent->state() == "joined"; })) << agent->state();

  EXPECT_TRUE(wait_until([&] {
    const Value cluster = fleet_->managed_cluster("paris");
    const Value* claims = cluster.find_path({"status", "clusterClaims"});
    return claims && json::print(*claims) == R"([{"name":"zone","value":"north"}])";
  }));
  const Value cluster = fleet_->managed_cluster("paris");
  EXPECT_EQ(json::print(*cluster.find_path({"status", "capacity"})),
            R"({"cpu":"4","memory":"8Gi"})");
  EXPECT_EQ(json::print(*cluster.find_path({"status", "allocatable"})),
            R"({"cpu":"3500m","memory":"7Gi"})");
  EXPECT_TRUE(
      cluster.find_path({"status", "version", "kubernetes"})->string_or_empty().starts_with("v1."));
  EXPECT_TRUE(wait_until([&] {
    return api::elements_field(api::field(fleet_->managed_cluster("paris"), "spec"), "taints")
        .empty();
  })) << "it was unreachable before its agent came";
}

TEST_F(Registration, ACertificateIsRenewedBeforeItEnds) {
  const fleet::AgentName name{.cluster = "rome", .agent = "a"};
  fleet_->make_accepted("rome");
  // Issued five minutes ago and over in one: less than a fifth of its life is left.
  fleet_->store_identity(name, fleet_->issue(name, fleet_->hub().env().clock.now(), 1min));
  const Value before = fleet_->stored_identity("rome");
  const auto agent = fleet_->agent("rome");
  fleet_->eventually("rome", fleet::kCertificateRotated, "True ClientCertificateUpdated");
  fleet_->eventually("rome", fleet::kAvailable, "True ManagedClusterAvailable");
  const Value after = fleet_->stored_identity("rome");
  EXPECT_NE(after.find("tls.crt")->string_or_empty(), before.find("tls.crt")->string_or_empty());
  EXPECT_NE(after.find("tls.key")->string_or_empty(), before.find("tls.key")->string_or_empty());
  EXPECT_EQ(after.find("pending.key"), nullptr);
  const auto requests = fleet_->requests_of("rome");
  ASSERT_EQ(requests.size(), 1U);
  EXPECT_EQ(
      api::text_field(requests[0].find_path({"status", "conditions"})->elements()[0], "reason"),
      "AutoApprovedByHubCSRApprovingController");
}

TEST_F(Registration, AnExpiredCertificateIsAskedForAnewAndNotApprovedByItself) {
  const fleet::AgentName name{.cluster = "oslo", .agent = "a"};
  fleet_->make_accepted("oslo");
  const Time now = fleet_->hub().env().clock.now();
  fleet_->store_identity(name, fleet_->issue(name, now - 10min, 5min));
  const auto agent = fleet_->agent("oslo");
  ASSERT_TRUE(wait_until([&] { return agent->state().contains("waits for approval"); }))
      << agent->state();
  ASSERT_EQ(fleet_->requests_of("oslo").size(), 1U);
  fleet_->approve_requests("oslo");
  fleet_->eventually("oslo", fleet::kAvailable, "True ManagedClusterAvailable");
}

// The order in which requests are judged is that of their creation, so the last one's approval
// shows that the others were looked at.
TEST_F(Registration, ACertificateIsNeverRenewedForAnotherCluster) {
  const fleet::AgentName one{.cluster = "cluster1", .agent = "a"};
  const fleet::AgentName ten{.cluster = "cluster10", .agent = "a"};
  fleet_->make_accepted("cluster1");
  fleet_->make_accepted("cluster10");
  BlockingApi thief(fleet_->agent_kubeconfig(one));
  const pki::PrivateKey key = pki::PrivateKey::generate();
  const auto ask = [&](const fleet::AgentName& as, const std::string& label) {
    Value request = fleet::certificate_request(as, key, Duration::zero()).value();
    request["metadata"]["labels"][fleet::kClusterNameLabel] = label;
    const auto made = thief.create({.resource = fleet::certificate_requests()}, request);
    EXPECT_TRUE(made.ok()) << made.error().message;
    return made.ok() ? api::read_facts(*made).name : "";
  };
  const std::vector<std::string> stolen = {ask(ten, "cluster10"), ask(ten, "cluster1"),
                                           ask(one, "cluster10"),
                                           ask({.cluster = "cluster1", .agent = "b"}, "cluster1")};
  const std::string own = ask(one, "cluster1");
  const auto request = [&](const std::string& name) {
    return fleet_->hub().get({.resource = fleet::certificate_requests(), .name = name}).value();
  };
  EXPECT_TRUE(wait_until([&] { return !fleet::is_undecided(request(own)); }));
  for (const std::string& name : stolen) EXPECT_TRUE(fleet::is_undecided(request(name))) << name;
}

TEST_F(Registration, ADeniedClusterLosesItsRightsUntilItIsAcceptedAgain) {
  const fleet::AgentName name{.cluster = "berlin", .agent = "a"};
  fleet_->make_accepted("berlin");
  fleet_->store_identity(name, fleet_->issue(name, fleet_->hub().env().clock.now(), 1h));
  const auto agent = fleet_->agent("berlin");
  fleet_->eventually("berlin", fleet::kAvailable, "True ManagedClusterAvailable");
  BlockingApi as_agent(fleet_->agent_kubeconfig(name));
  EXPECT_TRUE(as_agent.get(lease("berlin")).ok());

  fleet_->set_accepted("berlin", false);
  fleet_->eventually("berlin", fleet::kAccepted, "False HubClusterAdminDenied");
  EXPECT_TRUE(wait_until([&] { return !as_agent.get(lease("berlin")).ok(); }));
  EXPECT_TRUE(as_agent.get({.resource = fleet::managed_clusters(), .name = "berlin"}).ok())
      << "it may find out";

  const std::string renewed =
      api::text_field(api::field(fleet_->hub().get(lease("berlin")).value(), "spec"), "renewTime");
  fleet_->set_accepted("berlin", true);
  fleet_->eventually("berlin", fleet::kAccepted, "True HubClusterAdminAccepted");
  EXPECT_TRUE(wait_until([&] {
    return api::text_field(api::field(fleet_->hub().get(lease("berlin")).value(), "spec"),
                           "renewTime") != renewed;
  })) << "its agent goes on";
}

TEST_F(Registration, AClusterWhoseAgentStopsIsUnreachableAndComesBackByItsAgentOnly) {
  const fleet::AgentName name{.cluster = "lima", .agent = "a"};
  fleet_->make_accepted("lima");
  const auto patched =
      fleet_->hub().patch({.resource = fleet::managed_clusters(), .name = "lima"},
                          json::parse(R"({"spec":{"leaseDurationSeconds":1}})").value(), {});
  ASSERT_TRUE(patched.ok()) << patched.error().message;
  fleet_->store_identity(name, fleet_->issue(name, fleet_->hub().env().clock.now(), 1h));
  auto agent = fleet_->agent("lima");
  fleet_->eventually("lima", fleet::kAvailable, "True ManagedClusterAvailable");
  agent.reset();
  fleet_->eventually("lima", fleet::kAvailable, "Unknown ManagedClusterLeaseUpdateStopped");
  EXPECT_TRUE(wait_until([&] {
    return json::print(api::field(api::field(fleet_->managed_cluster("lima"), "spec"), "taints"))
        .contains("cluster.open-cluster-management.io/unreachable");
  }));
  agent = fleet_->agent("lima");
  fleet_->eventually("lima", fleet::kAvailable, "True ManagedClusterAvailable");
}

TEST_F(Registration, AClusterIsRemovedWithWhatTheHubKeptForIt) {
  fleet_->make_accepted("kyoto");
  const auto create = [](const std::string& yaml) {
    const Value object = json::read_yaml(yaml).value().at(0);
    const auto made = fleet_->hub().create(collection_of(object), object);
    EXPECT_TRUE(made.ok()) << made.error().message;
  };
  for (const std::string name : {"first", "last"}) {
    create(
        "{apiVersion: work.open-cluster-management.io/v1, kind: ManifestWork, metadata: {name: " +
        name + ", namespace: kyoto, annotations: {open-cluster-management.io/cleanup-priority: '" +
        (name == "first" ? "0" : "50") + "'}}, spec: {workload: {manifests: []}}}");
  }
  create(
      "{apiVersion: cluster.open-cluster-management.io/v1alpha1, kind: AddOnPlacementScore, "
      "metadata: {name: usage, namespace: kyoto}}");
  create(
      "{apiVersion: addon.open-cluster-management.io/v1alpha1, kind: ManagedClusterAddOn, "
      "metadata: {name: scores, namespace: kyoto}, spec: {}}");
  ASSERT_TRUE(fleet_->hub().remove({.resource = fleet::managed_clusters(), .name = "kyoto"}).ok());
  const auto is_gone = [](const client::ResourcePath& path) {
    const auto answer = fleet_->hub().get(path);
    return !answer.ok() && client::is_not_found(answer.error());
  };
  EXPECT_TRUE(wait_until([&] {
    return is_gone({.resource = fleet::managed_clusters(), .name = "kyoto"});
  })) << fleet_->condition("kyoto", fleet::kDeleting);
  for (const client::Gvr& kind :
       {fleet::manifest_works(), fleet::placement_scores(), fleet::managed_cluster_addons()}) {
    EXPECT_TRUE(fleet_->hub().list_all({.resource = kind, .ns = "kyoto"})->items.empty())
        << kind.text();
  }
  EXPECT_TRUE(is_gone({.resource = fleet::cluster_roles(),
                       .name = "open-cluster-management:managedcluster:kyoto"}));
  const auto home = fleet_->hub().get({.resource = fleet::namespaces(), .name = "kyoto"});
  EXPECT_TRUE(!home.ok() || api::Metadata(*home).is_being_deleted());
}

}  // namespace
}  // namespace berth::kube
