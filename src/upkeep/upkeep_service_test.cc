#include "upkeep/upkeep_service.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "base/rfc3339.h"
#include "sim/world.h"
#include "upkeep/resources.h"
#include "upkeep/testing/model_cluster_service.h"

namespace berth::upkeep {
namespace {

using namespace std::chrono_literals;
using json::Value;

const client::Gvr kThings{"example.com", "v1", "things"};

class KeepingAHub : public ::testing::Test {
 protected:
  KeepingAHub() : world_(sim::WorldOptions{}) {
    world_.add_node("server").start([this](std::span<env::Env> loops) {
      return std::shared_ptr<client::testing::ModelServer>(
          cluster_.serve(loops[0], [this] { return trouble_; }));
    });
    world_.add_node("berth").start([this](std::span<env::Env> loops) {
      auto upkeep =
          std::make_shared<Upkeep>(loops[0], client::testing::model_config("http"), settings());
      upkeep->start();
      upkeep_ = upkeep;
      return upkeep;
    });
    cluster_.define(kThings, "Thing", true);
    cluster_.apply(namespaces(), R"({"metadata":{"name":"ns"}})");
    world_.run_for(3s);
  }

  UpkeepSettings settings() {
    return {.ca_pem = "PEM",
            .sign_token = [](const Value&, const Value&) -> Result<std::string> { return "TOKEN"; },
            .sign_certificate = [this](const Value&, Time) -> Result<std::string> {
              ++signatures_;
              if (refuse_) return failure(Code::Invalid, "not for you");
              return "CERTIFICATE";
            }};
  }

  std::string text(const client::Gvr& resource, const std::string& key,
                   std::initializer_list<std::string_view> path) {
    const Value* object = cluster_.find(resource, key);
    const Value* value = object ? object->find_path(path) : nullptr;
    return value ? std::string(value->string_or_empty()) : "none";
  }

  std::string stamp(Duration from_now) {
    return format_seconds(sim::NodeClock::kBeginning + world_.now() + from_now);
  }

  testing::ModelCluster cluster_;
  int signatures_ = 0;
  bool refuse_ = false;
  int trouble_ = 0;
  std::weak_ptr<Upkeep> upkeep_;
  sim::World world_;
};

TEST_F(KeepingAHub, GetsReadyAndThenWritesNothingWithoutACause) {
  ASSERT_TRUE(upkeep_.lock()->has_synced());
  EXPECT_TRUE(upkeep_.lock()->is_idle());
  const auto writes = cluster_.writes();
  world_.run_for(10min);
  EXPECT_EQ(cluster_.writes(), writes);
}

TEST_F(KeepingAHub, SaysWhatItWaitsForWhileTheHubIsAway) {
  world_.node("server").crash(sim::Crash::Process);
  world_.node("berth").crash(sim::Crash::Process);
  world_.node("berth").restart();
  world_.run_for(1s);
  EXPECT_EQ(upkeep_.lock()->waits_for().size(), 8U);
  world_.node("server").restart();
  world_.run_for(2min);
  EXPECT_TRUE(upkeep_.lock()->has_synced());
}

TEST_F(KeepingAHub, SurvivesARestartOfTheHub) {
  world_.node("server").crash(sim::Crash::Process);
  world_.run_for(5s);
  cluster_.apply(namespaces(), R"({"metadata":{"name":"later"}})");
  world_.node("server").restart();
  world_.run_for(2min);
  EXPECT_EQ(text(service_accounts(), "later/default", {"metadata", "name"}), "default");
}

TEST_F(KeepingAHub, SendsNothingAfterItWasStopped) {
  upkeep_.lock()->stop();
  world_.run_for(1s);
  const auto writes = cluster_.writes();
  cluster_.apply(namespaces(), R"({"metadata":{"name":"later"}})");
  cluster_.remove(namespaces(), "ns");
  world_.run_for(10min);
  EXPECT_EQ(cluster_.writes(), writes);
  EXPECT_FALSE(upkeep_.lock()->has_synced());
  upkeep_.lock()->start();
  world_.run_for(10s);
  EXPECT_FALSE(cluster_.find(namespaces(), "ns"));
  EXPECT_TRUE(cluster_.find(service_accounts(), "later/default"));
}

TEST_F(KeepingAHub, FillsTokenSecretsAndDeletesThemWithTheAccount) {
  cluster_.apply(secrets(), R"({"metadata":{"name":"s","namespace":"ns","annotations":
      {"kubernetes.io/service-account.name":"default"}},
      "type":"kubernetes.io/service-account-token"})");
  cluster_.apply(secrets(), R"({"metadata":{"name":"lost","namespace":"ns","annotations":
      {"kubernetes.io/service-account.name":"nobody"}},
      "type":"kubernetes.io/service-account-token"})");
  cluster_.apply(secrets(), R"({"metadata":{"name":"other","namespace":"ns","annotations":
      {"kubernetes.io/service-account.name":"nobody"}},"type":"Opaque"})");
  world_.run_for(1s);
  EXPECT_EQ(text(secrets(), "ns/s", {"data", "token"}), "VE9LRU4=");
  EXPECT_EQ(text(secrets(), "ns/s", {"data", "ca.crt"}), "UEVN");
  EXPECT_FALSE(cluster_.find(secrets(), "ns/lost"));
  EXPECT_TRUE(cluster_.find(secrets(), "ns/other"));
  cluster_.erase(service_accounts(), "ns/default");
  world_.run_for(2s);
  EXPECT_TRUE(cluster_.find(service_accounts(), "ns/default")) << "made anew";
  EXPECT_FALSE(cluster_.find(secrets(), "ns/s")) << "its account was another one";
}

TEST_F(KeepingAHub, SignsApprovedRequestsAndClearsThemAway) {
  const std::string request = R"({"metadata":{"name":"r","creationTimestamp":")" + stamp(0s) +
                              R"("},"spec":{"signerName":"kubernetes.io/kube-apiserver-client"})";
  cluster_.apply(certificate_signing_requests(), request + "}");
  world_.run_for(1s);
  EXPECT_EQ(signatures_, 0);
  cluster_.apply(certificate_signing_requests(),
                 request + R"(,"status":{"conditions":[{"type":"Approved","status":"True",
                     "lastUpdateTime":")" +
                     stamp(-58min) + R"("}]}})");
  world_.run_for(1s);
  EXPECT_EQ(signatures_, 1);
  EXPECT_EQ(text(certificate_signing_requests(), "r", {"status", "certificate"}),
            "Q0VSVElGSUNBVEU=");
  world_.run_for(1min);
  EXPECT_TRUE(cluster_.find(certificate_signing_requests(), "r"));
  world_.run_for(2min);
  EXPECT_FALSE(cluster_.find(certificate_signing_requests(), "r"));
}

TEST_F(KeepingAHub, WritesDownThatARequestCannotBeSigned) {
  refuse_ = true;
  cluster_.apply(certificate_signing_requests(),
                 R"({"metadata":{"name":"r"},
                     "spec":{"signerName":"kubernetes.io/kube-apiserver-client"},
                     "status":{"conditions":[{"type":"Approved","status":"True"}]}})");
  world_.run_for(1min);
  EXPECT_EQ(signatures_, 1);
  const Value* conditions =
      cluster_.find(certificate_signing_requests(), "r")->find_path({"status", "conditions"});
  ASSERT_EQ(conditions->size(), 2U);
  EXPECT_EQ(conditions->elements()[1].find("message")->string_or_empty(), "not for you");
}

TEST_F(KeepingAHub, DeletesEventsAnHourAfterTheyHappenedLast) {
  const auto event = [this](const std::string& name, Duration age) {
    cluster_.apply(events(), R"({"metadata":{"namespace":"ns","name":")" + name +
                                 R"("},"lastTimestamp":")" + stamp(-age) + R"("})");
  };
  event("old", 2h);
  event("young", 55min);
  event("again", 59min);
  world_.run_for(10s);
  EXPECT_EQ(cluster_.keys(events()), (std::vector<std::string>{"ns/again", "ns/young"}));
  event("again", 52min);
  world_.run_for(2min);
  EXPECT_EQ(cluster_.keys(events()), (std::vector<std::string>{"ns/again", "ns/young"}));
  world_.run_for(4min);
  EXPECT_EQ(cluster_.keys(events()), std::vector<std::string>{"ns/again"});
  trouble_ = 500;  // A hub in trouble keeps its events, for a while.
  world_.run_for(4min);
  EXPECT_EQ(cluster_.keys(events()), std::vector<std::string>{"ns/again"});
  trouble_ = 0;
  world_.run_for(2min);
  EXPECT_TRUE(cluster_.keys(events()).empty());
}

TEST_F(KeepingAHub, AggregatesRoles) {
  cluster_.apply(cluster_roles(), R"({"metadata":{"name":"sum"},"aggregationRule":
      {"clusterRoleSelectors":[{"matchLabels":{"to":"sum"}}]}})");
  cluster_.apply(cluster_roles(), R"({"metadata":{"name":"part","labels":{"to":"sum"}},
      "rules":[{"verbs":["get"]}]})");
  world_.run_for(1s);
  const Value* rules = cluster_.find(cluster_roles(), "sum")->find("rules");
  ASSERT_TRUE(rules);
  EXPECT_EQ(rules->size(), 1U);
  cluster_.erase(cluster_roles(), "part");
  world_.run_for(1s);
  EXPECT_EQ(cluster_.find(cluster_roles(), "sum")->find("rules")->size(), 0U);
}

TEST_F(KeepingAHub, EmptiesDefinitionsBeforeTheyGo) {
  cluster_.apply(definitions(), R"({"metadata":{"name":"things.example.com",
      "finalizers":["customresourcecleanup.apiextensions.k8s.io"]},
      "spec":{"group":"example.com","scope":"Namespaced","names":{"plural":"things"},
              "versions":[{"name":"v1","served":true}]},
      "status":{"conditions":[{"type":"Established","status":"True"}]}})");
  cluster_.apply(namespaces(), R"({"metadata":{"name":"two"}})");
  cluster_.apply(kThings, R"({"metadata":{"name":"a","namespace":"ns"}})");
  cluster_.apply(kThings, R"({"metadata":{"name":"b","namespace":"two","finalizers":["f"]}})");
  cluster_.remove(definitions(), "things.example.com");
  world_.run_for(1min);
  EXPECT_EQ(cluster_.keys(kThings), std::vector<std::string>{"two/b"});
  ASSERT_TRUE(cluster_.find(definitions(), "things.example.com"));
  cluster_.erase(kThings, "two/b");
  world_.run_for(20s);
  EXPECT_FALSE(cluster_.find(definitions(), "things.example.com"));
}

}  // namespace
}  // namespace berth::upkeep
