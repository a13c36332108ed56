#include "fleet/registration/clusters_controller.h"

#include <memory>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "base/base64.h"
#include "control/testing/model_hub_service.h"
#include "fleet/registration/certificate_step.h"
#include "fleet/registration/cluster_rights.h"
#include "fleet/registration/names.h"
#include "fleet/registration/renewal_approval.h"
#include "fleet/registration/renewals_controller.h"
#include "fleet/registration/resources.h"
#include "json/parse.h"
#include "sim/world.h"

namespace berth::fleet {
namespace {

using namespace std::chrono_literals;
using json::Value;

struct Program {
  explicit Program(env::Env& env)
      : api(env, client::testing::model_config("http"), {.rate = {.per_second = 0}}),
        informers(env, api),
        recorder(env, api, {.controller = "registration-controller", .instance = "test"}),
        clusters(env, api, informers, recorder, [] { return true; }),
        renewals(env, api, informers, [] { return true; }) {}

  client::Api api;
  client::Informers informers;
  control::RecorderService recorder;
  ClustersController clusters;
  RenewalsController renewals;
};

class KeepingClusters : public ::testing::Test {
 protected:
  KeepingClusters() : world_(sim::WorldOptions{}) {
    hub_.on_write = [this](const auto& written) { writes_ += written.changed ? 1 : 0; };
    world_.add_node("server").start([this](std::span<env::Env> loops) {
      return std::shared_ptr<client::testing::ModelServer>(
          hub_.serve(loops[0], {.first = [this](const auto& request) { return first(request); }}));
    });
    world_.add_node("berth").start(
        [](std::span<env::Env> loops) { return std::make_shared<Program>(loops[0]); });
  }

  std::optional<client::testing::ModelAnswer> first(const client::testing::ModelRequest& request) {
    const bool is_hidden = hides_namespaces_ && request.path == "/api/v1/namespaces" &&
                           request.method == http::Method::Get;
    if (is_hidden) return client::testing::ModelAnswer{.status = 503, .document = Value::object()};
    const bool is_refused = refuses_works_ && request.path.ends_with("/manifestworks");
    if (is_refused) {
      return client::testing::ModelAnswer{
          .status = 403,
          .document = Value::object({{"kind", "Status"},
                                     {"apiVersion", "v1"},
                                     {"status", "Failure"},
                                     {"reason", "Forbidden"},
                                     {"message", "may not list manifestworks"},
                                     {"code", 403}})};
    }
    return review(request);
  }

  // Whoever asks to renew may.
  std::optional<client::testing::ModelAnswer> review(
      const client::testing::ModelRequest& request) const {
    if (!request.path.ends_with("/subjectaccessreviews")) return std::nullopt;
    Value answer = json::parse(request.body).value();
    answer["status"]["allowed"] = may_renew_;
    return client::testing::ModelAnswer{.status = 201, .document = std::move(answer)};
  }

  void put_cluster(std::string_view text) {
    hub_.put(managed_clusters(), json::parse(text).value());
  }

  // "True HubClusterAdminAccepted", or "none".
  std::string condition(const std::string& cluster, std::string_view type) {
    const Value* object = hub_.find(managed_clusters(), cluster);
    const Value* conditions = object ? object->find_path({"status", "conditions"}) : nullptr;
    const Value* found = conditions ? api::find_condition(*conditions, type) : nullptr;
    if (!found) return "none";
    return api::text_field(*found, "status") + " " + api::text_field(*found, "reason");
  }

  void put_request(const std::string& name, const AgentName& wanted, const std::string& user) {
    Value request = certificate_request(wanted, key_, Duration::zero()).value();
    request["metadata"]["name"] = name;
    request["spec"]["username"] = user;
    hub_.put(certificate_requests(), std::move(request));
  }

  bool is_open(const std::string& request) {
    return is_undecided(*hub_.find(certificate_requests(), request));
  }

  control::testing::ModelHub hub_;
  pki::PrivateKey key_ = pki::PrivateKey::generate();
  bool may_renew_ = true;
  bool hides_namespaces_ = false;  // From whoever lists or watches them.
  bool refuses_works_ = false;
  int writes_ = 0;
  sim::World world_;
};

TEST_F(KeepingClusters, FurnishesAnAcceptedClusterAndThenRests) {
  put_cluster(R"({"metadata":{"name":"paris"},"spec":{"hubAcceptsClient":true}})");
  world_.run_for(5s);
  EXPECT_EQ(condition("paris", kAccepted), "True HubClusterAdminAccepted");
  EXPECT_TRUE(hub_.find(namespaces(), "paris"));
  EXPECT_TRUE(hub_.find(cluster_roles(), cluster_role_name("paris")));
  EXPECT_TRUE(hub_.find(cluster_roles(), std::string(kRegistrationRole)));
  EXPECT_TRUE(hub_.find(cluster_role_bindings(), cluster_role_name("paris")));
  EXPECT_TRUE(hub_.find(role_bindings(), "paris/" + work_binding_name("paris")));
  EXPECT_TRUE(hub_.find(leases(), "paris/managed-cluster-lease"));
  const int writes = writes_;
  world_.run_for(4min);
  EXPECT_EQ(writes_, writes) << "writes without a cause";
}

TEST_F(KeepingClusters, CallsAClusterUnknownWhenItsLeaseEnds) {
  put_cluster(R"({"metadata":{"name":"paris"},"spec":{"hubAcceptsClient":true}})");
  world_.run_for(4min);
  EXPECT_EQ(condition("paris", kAvailable), "none");
  world_.run_for(70s);
  EXPECT_EQ(condition("paris", kAvailable), "Unknown ManagedClusterLeaseUpdateStopped");
}

TEST_F(KeepingClusters, MakesAgainWhatSomebodyDeleted) {
  put_cluster(R"({"metadata":{"name":"paris"},"spec":{"hubAcceptsClient":true}})");
  world_.run_for(5s);
  hub_.erase(role_bindings(), "paris/" + work_binding_name("paris"));
  hub_.erase(cluster_roles(), std::string(kWorkRole));
  world_.run_for(5s);
  EXPECT_TRUE(hub_.find(role_bindings(), "paris/" + work_binding_name("paris")));
  EXPECT_TRUE(hub_.find(cluster_roles(), std::string(kWorkRole)));
}

TEST_F(KeepingClusters, ClearsAwayANamespaceThatItsCacheNeverShowed) {
  world_.run_for(5s);
  hides_namespaces_ = true;
  world_.fabric().cut_streams("berth", "server");
  put_cluster(R"({"metadata":{"name":"paris"},"spec":{"hubAcceptsClient":true}})");
  world_.run_for(1min);
  ASSERT_TRUE(hub_.find(namespaces(), "paris"));
  Value cluster = *hub_.find(managed_clusters(), "paris");
  cluster["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  hub_.put(managed_clusters(), cluster);
  world_.run_for(1min);
  EXPECT_TRUE(api::Metadata(*hub_.find(managed_clusters(), "paris")).finalizers().empty());
  EXPECT_FALSE(hub_.find(leases(), "paris/managed-cluster-lease"));
  EXPECT_FALSE(hub_.find(namespaces(), "paris"));
}

TEST_F(KeepingClusters, SaysWhenItLacksARightToClearAClusterAway) {
  put_cluster(R"({"metadata":{"name":"paris"},"spec":{"hubAcceptsClient":true}})");
  world_.run_for(5s);
  refuses_works_ = true;
  Value cluster = *hub_.find(managed_clusters(), "paris");
  cluster["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  hub_.put(managed_clusters(), cluster);
  world_.run_for(1min);
  EXPECT_EQ(condition("paris", kDeleting), "False DeletingError");
  const int writes = writes_;
  world_.run_for(4min);
  EXPECT_EQ(writes_, writes) << "said again and again";
  refuses_works_ = false;
  world_.run_for(10min);
  EXPECT_TRUE(api::Metadata(*hub_.find(managed_clusters(), "paris")).finalizers().empty());
}

TEST_F(KeepingClusters, ApprovesRenewalsAndNothingElse) {
  const AgentName one{.cluster = "cluster1", .agent = "a"};
  const AgentName ten{.cluster = "cluster10", .agent = "a"};
  put_request("own", one, user_of(one));
  put_request("other", ten, user_of(one));
  put_request("first", one, "system:serviceaccount:ns:bootstrap");
  world_.run_for(5s);
  EXPECT_FALSE(is_open("own"));
  EXPECT_TRUE(is_open("other"));
  EXPECT_TRUE(is_open("first"));
}

TEST_F(KeepingClusters, ApprovesNoRenewalOfAClusterThatMayNot) {
  may_renew_ = false;
  const AgentName one{.cluster = "cluster1", .agent = "a"};
  put_request("own", one, user_of(one));
  world_.run_for(5s);
  EXPECT_TRUE(is_open("own"));
}

}  // namespace
}  // namespace berth::fleet
