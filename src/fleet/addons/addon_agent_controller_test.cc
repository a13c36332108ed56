#include "fleet/addons/addon_agent_controller.h"

#include <memory>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "base/base64.h"
#include "base/rfc3339.h"
#include "control/testing/model_hub_service.h"
#include "fleet/registration/resources.h"
#include "json/parse.h"
#include "pki/authority.h"
#include "pki/request.h"
#include "sim/world.h"

namespace berth::fleet {
namespace {

using namespace std::chrono_literals;
using json::Value;

// The hub and the cluster are one server here.
struct Program {
  explicit Program(env::Env& env)
      : api(env, client::testing::model_config("http"), {.rate = {.per_second = 0}}),
        agent(env, api, api,
              {.cluster = "c1", .hub = {.entry = "hub", .server = "https://hub:6443"}}) {}

  client::Api api;
  AddOnAgent agent;
};

class ServingAddOns : public ::testing::Test {
 protected:
  ServingAddOns() : world_(sim::WorldOptions{}) {
    world_.add_node("server").start([this](std::span<env::Env> loops) {
      env_.emplace(loops[0]);
      return std::shared_ptr<client::testing::ModelServer>(hub_.serve(loops[0]));
    });
    world_.add_node("agent").start(
        [](std::span<env::Env> loops) { return std::make_shared<Program>(loops[0]); });
  }

  Time now() { return env_->clock.now(); }

  // An add-on with one identity; `mode` says who looks after its health.
  void put_add_on(std::string_view mode) {
    const AddOnKey key{.cluster = "c1", .name = "score"};
    Value managed = json::parse(R"({"metadata":{"name":"score","namespace":"c1"},
        "status":{"namespace":"agents"}})")
                        .value();
    managed["status"]["healthCheck"]["mode"] = mode;
    managed["status"]["registrations"] = registrations_json(
        {{std::string(kClientSigner),
          {.common_name = add_on_user(key), .organizations = add_on_groups(key)}}});
    hub_.put(managed_cluster_addons(), managed);
    world_.run_for(1s);
  }

  // All requests that the hub has; it signs them for an hour.
  std::vector<std::string> sign_requests() {
    std::vector<std::string> names;
    for (const auto& [name, object] : requests()) {
      Value request = object;
      const auto pem =
          decode_base64(request.find_path({"spec", "request"})->string_or_empty()).value();
      const auto certificate = pki::sign_request(authority_, pki::Request::from_pem(pem).value(),
                                                 {"client auth"}, {.now = now(), .life = 1h});
      request["status"]["certificate"] = encode_base64(certificate->pem());
      hub_.put(certificate_requests(), request);
      names.push_back(name);
    }
    world_.run_for(1s);
    return names;
  }

  std::map<std::string, Value> requests() {
    std::map<std::string, Value> all;
    for (const auto& [key, entry] : hub_.store(certificate_requests()).state()) {
      all.emplace(key, entry);
    }
    return all;
  }

  const Value* secret() { return hub_.find(secrets(), "agents/score-hub-kubeconfig"); }

  std::string available() {
    const Value* managed = hub_.find(managed_cluster_addons(), "c1/score");
    const Value* found =
        api::find_condition(api::field(api::field(*managed, "status"), "conditions"), "Available");
    return found ? api::text_field(*found, "status") + " " + api::text_field(*found, "reason")
                 : "none";
  }

  void renew_lease() {
    Value lease = json::parse(R"({"metadata":{"name":"score","namespace":"agents"}})").value();
    lease["spec"]["renewTime"] = format_micros(now());
    hub_.put(leases(), lease);
  }

  control::testing::ModelHub hub_;
  pki::Authority authority_ = pki::Authority::make("hub", Time::from_unix(0), 24h * 365 * 100);
  std::optional<env::Env> env_;
  sim::World world_;
};

TEST_F(ServingAddOns, GetsAnAddOnItsKubeconfig) {
  put_add_on("Customized");
  EXPECT_FALSE(secret());
  ASSERT_EQ(sign_requests().size(), 1u);
  ASSERT_TRUE(secret());
  const Value& data = api::field(*secret(), "data");
  for (const char* key : {"tls.key", "tls.crt", "kubeconfig", "cluster-name"}) {
    EXPECT_TRUE(data.find(key)) << key;
  }
  const Value* managed = hub_.find(managed_cluster_addons(), "c1/score");
  EXPECT_EQ(api::text_field(api::field(*managed, "status"), "kubeClientDriver"), "csr");
}

TEST_F(ServingAddOns, RenewsBeforeTheCertificateEnds) {
  put_add_on("Customized");
  sign_requests();
  const Value before = *secret();
  world_.run_for(40min);
  EXPECT_EQ(requests().size(), 1u);
  world_.run_for(10min);
  EXPECT_EQ(sign_requests().size(), 2u);
  EXPECT_NE(*secret(), before);
}

TEST_F(ServingAddOns, TakesTheSecretAwayWhenTheAddOnIsGone) {
  put_add_on("Customized");
  sign_requests();
  ASSERT_TRUE(secret());
  Value managed = *hub_.find(managed_cluster_addons(), "c1/score");
  managed["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  hub_.put(managed_cluster_addons(), managed);
  world_.run_for(1min);
  EXPECT_TRUE(secret()) << "its agent may still need the hub";
  hub_.erase(managed_cluster_addons(), "c1/score");
  world_.run_for(1min);
  EXPECT_FALSE(secret());
}

TEST_F(ServingAddOns, TellsTheHealthThatALeaseShows) {
  put_add_on("Lease");
  EXPECT_EQ(available(), "Unknown ManagedClusterAddOnLeaseNotFound");
  renew_lease();
  world_.run_for(31s);
  EXPECT_EQ(available(), "True ManagedClusterAddOnLeaseUpdated");
  world_.run_for(4min);
  EXPECT_EQ(available(), "True ManagedClusterAddOnLeaseUpdated");
  world_.run_for(2min);
  EXPECT_EQ(available(), "False ManagedClusterAddOnLeaseUpdateStopped");
}

TEST_F(ServingAddOns, LeavesTheHealthToTheHubWhereThatProbesIt) {
  put_add_on("Customized");
  world_.run_for(2min);
  EXPECT_EQ(available(), "none");
}

}  // namespace
}  // namespace berth::fleet
