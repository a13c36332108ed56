#include "fleet/registration/registration_agent_controller.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "base/base64.h"
#include "control/testing/model_hub_service.h"
#include "fleet/registration/liveness.h"
#include "fleet/registration/renewal_approval.h"
#include "fleet/registration/resources.h"
#include "json/parse.h"
#include "json/print.h"
#include "pki/authority.h"
#include "pki/request.h"
#include "sim/world.h"

namespace berth::fleet {
namespace {

using namespace std::chrono_literals;
using client::testing::ModelServerOptions;
using json::Value;

client::Kubeconfig bootstrap(const std::string& entry) {
  client::Kubeconfig kubeconfig;
  kubeconfig.clusters[entry] = {.server = "http://server:6443"};
  kubeconfig.users["bootstrap"] = {.token = "token"};
  kubeconfig.contexts["c"] = {.cluster = entry, .user = "bootstrap"};
  kubeconfig.current_context = "c";
  return kubeconfig;
}

// One server plays the hub and the cluster: their kinds differ.
class JoiningAgent : public ::testing::Test {
 protected:
  struct Program {
    Program(env::Env& env, JoiningAgent& test)
        : clock(env.clock),
          api(env, client::testing::model_config("http"), {.rate = {.per_second = 0}}),
          store(api, {}),
          agent(env, api, store,
                [&test, &loop = env.loop](BootstrapLoaded loaded) {
                  loop.post([&test, loaded = std::move(loaded)]() mutable {
                    loaded(bootstrap(test.hub_name_));
                  });
                },
                {.name = {.cluster = "paris", .agent = ""}}, {}) {
      agent.start();
    }

    env::Clock& clock;
    client::Api api;
    KubeSecretStore store;
    RegistrationAgent agent;
  };

  JoiningAgent() : world_(sim::WorldOptions{}) {
    hub_.put(nodes(), json::parse(R"({"metadata":{"name":"n"},
        "status":{"capacity":{"cpu":"4"},"allocatable":{"cpu":"3"}}})")
                          .value());
    hub_.put(cluster_claims(), json::parse(R"({"metadata":{"name":"zone"},
        "spec":{"value":"north"}})")
                                   .value());
    world_.add_node("server").start([this](std::span<env::Env> loops) {
      return std::shared_ptr<client::testing::ModelServer>(
          hub_.serve(loops[0], {.first = [this](const auto& request) { return first(request); },
                                .page = [this](const std::string& path) { return page(path); }}));
    });
    world_.add_node("agent").start([this](std::span<env::Env> loops) {
      auto program = std::make_shared<Program>(loops[0], *this);
      program_ = program;
      return program;
    });
  }

  std::optional<ModelServerOptions::Page> page(const std::string& path) const {
    if (path == "/version")
      return ModelServerOptions::Page{"application/json", R"({"gitVersion":"v1.35.4"})"};
    if (path == "/livez" && is_well_) return ModelServerOptions::Page{"text/plain", "ok"};
    return std::nullopt;
  }

  std::optional<client::testing::ModelAnswer> first(
      const client::testing::ModelRequest& request) const {
    const bool makes_cluster =
        request.method == http::Method::Post && request.path.ends_with("/managedclusters");
    if (may_make_clusters_ || !makes_cluster) return std::nullopt;
    return client::testing::ModelAnswer{
        .status = 403,
        .document = Value::object({{"kind", "Status"},
                                   {"apiVersion", "v1"},
                                   {"status", "Failure"},
                                   {"reason", "Forbidden"},
                                   {"message", "may not make managedclusters"},
                                   {"code", 403}})};
  }

  Time now() const { return program_.lock()->clock.now(); }
  std::string state() const { return program_.lock()->agent.state(); }

  std::vector<Value> requests() {
    std::vector<Value> all;
    for (const auto& [key, object] : hub_.store(certificate_requests()).state()) {
      all.push_back(object);
    }
    return all;
  }

  std::string certificate_for(const Value& request) const {
    static const pki::Authority authority =
        pki::Authority::make("ca", Time::from_unix(0), std::chrono::hours(24 * 36500));
    const std::string pem =
        decode_base64(api::text_field(api::field(request, "spec"), "request")).value();
    return pki::sign_request(authority, pki::Request::from_pem(pem).value(), {"client auth"},
                             {.now = now(), .life = life_})
        .value()
        .pem();
  }

  void sign(Value request) {
    const std::string certificate = certificate_for(request);
    request = approved(std::move(request), "r", "m", now());
    request["status"]["certificate"] = encode_base64(certificate);
    hub_.put(certificate_requests(), std::move(request));
  }

  void accept() {
    hub_.put(leases(), new_lease("paris", now()));
    Value cluster = *hub_.find(managed_clusters(), "paris");
    cluster["status"]["conditions"] =
        Value::array({Value::object({{"type", kAccepted}, {"status", "True"}})});
    hub_.put(managed_clusters(), std::move(cluster));
  }

  void join() {
    world_.run_for(5s);
    ASSERT_EQ(requests().size(), 1U);
    sign(requests()[0]);
    world_.run_for(5s);
    accept();
    world_.run_for(5s);
    ASSERT_EQ(state(), "joined");
  }

  std::string condition(std::string_view type) {
    const Value& cluster = *hub_.find(managed_clusters(), "paris");
    const Value* found =
        api::find_condition(api::field(api::field(cluster, "status"), "conditions"), type);
    return found ? api::text_field(*found, "status") : "none";
  }

  std::string renewed() {
    return api::text_field(api::field(*hub_.find(leases(), "paris/managed-cluster-lease"), "spec"),
                           "renewTime");
  }

  control::testing::ModelHub hub_;
  std::string hub_name_ = "hub";
  bool is_well_ = true;
  bool may_make_clusters_ = true;
  Duration life_ = 2h;
  std::weak_ptr<Program> program_;
  sim::World world_;
};

TEST_F(JoiningAgent, AsksWaitsAndTellsHowTheClusterIs) {
  world_.run_for(5s);
  EXPECT_TRUE(hub_.find(managed_clusters(), "paris"));
  EXPECT_TRUE(state().contains("waits for approval")) << state();
  ASSERT_EQ(requests().size(), 1U);
  sign(requests()[0]);
  world_.run_for(5s);
  EXPECT_EQ(state(), "waits until the hub accepts the cluster");
  accept();
  world_.run_for(5s);
  EXPECT_EQ(state(), "joined");
  EXPECT_EQ(condition(kJoined), "True");
  EXPECT_EQ(condition(kAvailable), "True");
  const Value& status = *hub_.find(managed_clusters(), "paris")->find("status");
  EXPECT_EQ(json::print(*status.find("capacity")), R"({"cpu":"4"})");
  EXPECT_EQ(json::print(*status.find("clusterClaims")), R"([{"name":"zone","value":"north"}])");
  EXPECT_EQ(json::print(*status.find("version")), R"({"kubernetes":"v1.35.4"})");
}

TEST_F(JoiningAgent, GoesOnWithTheSameRequestAfterARestart) {
  world_.run_for(5s);
  for (int i = 0; i < 20; ++i) {
    world_.node("agent").crash(sim::Crash::Process);
    world_.node("agent").restart();
    world_.run_for(2s);
  }
  EXPECT_EQ(requests().size(), 1U);
  join();
}

TEST_F(JoiningAgent, RenewsItsLease) {
  join();
  const std::string first = renewed();
  world_.run_for(80s);
  EXPECT_NE(renewed(), first);
}

// A hub whose clock says that the lease has ended whatever the agent does.
TEST_F(JoiningAgent, DoesNotArgueWithAHubThatDoesNotSeeIt) {
  join();
  int flips = 0;
  hub_.on_write = [this, &flips](const auto& written) {
    if (!written.changed || written.what != "PATCH managedclusters/paris/status") return;
    world_.schedule().add(world_.now() + 10ms, [this, &flips] {
      Value cluster = *hub_.find(managed_clusters(), "paris");
      cluster = with_unknown_availability(std::move(cluster), now());
      hub_.put(managed_clusters(), std::move(cluster));
      ++flips;
    });
  };
  hub_.put(managed_clusters(),
           with_unknown_availability(*hub_.find(managed_clusters(), "paris"), now()));
  world_.run_for(10min);
  EXPECT_GE(flips, 5) << "one report for each renewal";
  EXPECT_LE(flips, 12);
  hub_.on_write = [](const auto&) {};
  world_.run_for(2min);
  EXPECT_EQ(condition(kAvailable), "True");
}

TEST_F(JoiningAgent, RenewsItsLeaseAtOnceWhenTheHubHasMissedIt) {
  join();
  world_.node("server").crash(sim::Crash::Process);
  world_.run_for(1h);
  world_.node("server").restart();
  world_.run_for(1s);
  hub_.put(managed_clusters(),
           with_unknown_availability(*hub_.find(managed_clusters(), "paris"), now()));
  const std::string last = renewed();
  world_.run_for(90s);
  EXPECT_NE(renewed(), last);
  EXPECT_EQ(condition(kAvailable), "True");
}

TEST_F(JoiningAgent, MakesItsClusterAgainSoonWhileItWaits) {
  world_.run_for(5s);
  hub_.erase(managed_clusters(), "paris");
  world_.run_for(70s);
  EXPECT_TRUE(hub_.find(managed_clusters(), "paris"));
}

TEST_F(JoiningAgent, AsksForNothingInTheNameOfAClusterThatIsBeingDeleted) {
  hub_.put(managed_clusters(), json::parse(R"({"metadata":{"name":"paris",
      "deletionTimestamp":"2027-01-15T08:00:00Z"}})")
                                   .value());
  world_.run_for(1min);
  EXPECT_TRUE(requests().empty());
  EXPECT_TRUE(state().contains("not let go")) << state();
  hub_.erase(managed_clusters(), "paris");
  world_.run_for(15s);
  EXPECT_TRUE(hub_.find(managed_clusters(), "paris"));
  EXPECT_EQ(requests().size(), 1U);
}

TEST_F(JoiningAgent, AsksForNothingBeforeItsClusterIsThere) {
  may_make_clusters_ = false;
  world_.run_for(1min);
  EXPECT_TRUE(requests().empty());
  EXPECT_EQ(state(), "may not make managedclusters");
  hub_.put(managed_clusters(), json::parse(R"({"metadata":{"name":"paris"}})").value());
  world_.run_for(15s);
  EXPECT_EQ(requests().size(), 1U);
}

TEST_F(JoiningAgent, GoesByACertificateThatAnotherProcessHasStored) {
  const std::string key = std::string(kAgentNamespace) + "/" + std::string(kHubSecret);
  world_.run_for(5s);
  ASSERT_EQ(requests().size(), 1U);
  Value secret = *hub_.find(secrets(), key);
  HubSecret contents;
  for (const json::Member& member : api::field(secret, "data").members()) {
    contents[std::string(member.name())] = decode_base64(member.value.string_or_empty()).value();
  }
  const AgentName name{.cluster = contents[kClusterNameKey], .agent = contents[kAgentNameKey]};
  const HubEndpoint endpoint = endpoint_of(bootstrap(hub_name_)).value();
  for (const auto& [file, bytes] :
       with_certificate(contents, endpoint, name, certificate_for(requests()[0]))) {
    secret["data"][file] = encode_base64(bytes);
  }
  hub_.put(secrets(), std::move(secret));
  world_.run_for(6min);
  accept();
  world_.run_for(5s);
  EXPECT_EQ(state(), "joined");
}

// An agent goes on as its bootstrap kubeconfig told it to begin.
TEST(HubEndpoint, KeepsWhatABootstrapKubeconfigSaysOfTrust) {
  client::Kubeconfig kubeconfig = bootstrap("hub");
  kubeconfig.clusters["hub"] = {.server = "https://server:6443",
                                .tls_server_name = "other",
                                .insecure_skip_tls_verify = true};
  const HubEndpoint endpoint = endpoint_of(kubeconfig).value();
  const HubSecret secret{{kKubeconfig, json::print(hub_kubeconfig(endpoint))}};
  EXPECT_EQ(endpoint_of(secret).value(), endpoint);
  const pki::Authority authority = pki::Authority::make("ca", Time{}, 24h);
  const pki::Identity issued =
      pki::issue_client(authority, {.common_name = "a"}, {.now = Time{}, .life = 1h}).value();
  const HubIdentity identity{.name = {.cluster = "paris", .agent = "a"},
                             .certificate = issued.certificate,
                             .certificate_pem = issued.certificate.pem(),
                             .key = issued.key};
  const client::ClientConfig config = config_of(endpoint, identity).value();
  EXPECT_TRUE(config.tls.insecure);
  EXPECT_EQ(config.tls.server_name, "other");
}

TEST_F(JoiningAgent, SaysWhoMakesABootstrapSecretThatIsMissing) {
  world_.run_for(5s);
  std::string said;
  bootstrap_from_secret(program_.lock()->api, "ns", "missing")(
      [&](const Result<client::Kubeconfig>& loaded) { said = loaded.error().message; });
  world_.run_for(5s);
  EXPECT_TRUE(said.contains("no secret ns/missing: \"berth join\" makes it")) << said;
}

TEST_F(JoiningAgent, TellsAFailureThatLasts) {
  join();
  is_well_ = false;
  world_.run_for(65s);  // It looks once a minute.
  EXPECT_EQ(condition(kAvailable), "True");
  world_.run_for(25s);
  EXPECT_EQ(condition(kAvailable), "False");
  is_well_ = true;
  world_.run_for(10s);
  EXPECT_EQ(condition(kAvailable), "True");
}

TEST_F(JoiningAgent, AsksForTheNextCertificateInTimeAndTellsThatItCame) {
  join();
  world_.run_for(85min);
  EXPECT_EQ(requests().size(), 1U);
  world_.run_for(15min);
  ASSERT_EQ(requests().size(), 2U);
  for (const Value& request : requests()) {
    if (is_undecided(request)) sign(request);
  }
  world_.run_for(10min);
  EXPECT_EQ(condition(kCertificateRotated), "True");
  EXPECT_EQ(state(), "joined");
}

TEST_F(JoiningAgent, BeginsAnewWhenItsCertificateHasExpired) {
  join();
  world_.run_for(150min);
  EXPECT_TRUE(state().contains("waits for approval")) << state();
  for (const Value& request : requests()) {
    if (is_undecided(request)) sign(request);
  }
  world_.run_for(10min);
  EXPECT_EQ(state(), "joined");
}

TEST_F(JoiningAgent, AsksAgainWhenTheBootstrapKubeconfigNamesAnotherHub) {
  join();
  hub_name_ = "rebuilt";
  world_.run_for(2min);
  EXPECT_EQ(requests().size(), 2U);
  EXPECT_TRUE(state().contains("waits for approval")) << state();
}

}  // namespace
}  // namespace berth::fleet
