#include "control/elector_service.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "control/testing/object_server_service.h"

namespace berth::control {
namespace {

using namespace std::chrono_literals;
using testing::ObjectServer;

class Election : public ::testing::Test {
 protected:
  explicit Election(std::string_view scheme = "http") : server_(scheme) {}

  void start(const std::string& name) {
    server_.start_client(name, [this, name](env::Env& env, client::Api& api) {
      auto elector = std::make_shared<ElectorService>(
          env, api,
          LeaderElectionOptions{
              .identity = name, .lease_name = "berth", .lease_namespace = "kube-system"},
          LeadershipCallbacks{.on_started = [this, name] { ++started_[name]; },
                              .on_stopped = [this, name] { ++stopped_[name]; }});
      elector->start();
      electors_[name] = elector.get();
      return elector;
    });
    server_.world().run_for(1ms);
  }

  bool leads(const std::string& name) { return electors_.at(name)->leading(); }

  ObjectServer server_;
  std::map<std::string, ElectorService*> electors_;
  std::map<std::string, int> started_;
  std::map<std::string, int> stopped_;
};

TEST_F(Election, OneLeadsAndKeepsLeading) {
  start("a");
  server_.world().run_for(1s);
  start("b");
  server_.world().run_for(10min);
  EXPECT_TRUE(leads("a"));
  EXPECT_FALSE(leads("b"));
  EXPECT_EQ(electors_.at("b")->holder(), "a");
  EXPECT_EQ(started_["a"], 1);
  EXPECT_EQ(stopped_["a"], 0);
}

TEST_F(Election, AnotherTakesOverFromOneThatDied) {
  start("a");
  server_.world().run_for(1s);
  start("b");
  server_.world().run_for(10s);
  server_.world().node("a").crash(sim::Crash::Process);
  EXPECT_TRUE(server_.world().run_until([&] { return leads("b"); }, 25s));
}

TEST_F(Election, ALeaderThatHearsNothingStepsDownBeforeAnotherLeads) {
  start("a");
  server_.world().run_for(1s);
  start("b");
  server_.world().run_for(10s);
  server_.world().fabric().block("a", "server");
  ASSERT_TRUE(server_.world().run_until([&] { return !electors_.at("a")->may_write(); }, 13s));
  EXPECT_FALSE(leads("b"));
  ASSERT_TRUE(server_.world().run_until([&] { return leads("b"); }, 25s));
  EXPECT_FALSE(leads("a"));
  EXPECT_EQ(stopped_["a"], 1);
}

TEST_F(Election, AReleasedLeaseIsTakenAtOnce) {
  start("a");
  server_.world().run_for(1s);
  bool released = false;
  electors_.at("a")->release([&] { released = true; });
  EXPECT_FALSE(leads("a"));
  ASSERT_TRUE(server_.world().run_until([&] { return released; }, 5s));
  start("b");
  EXPECT_TRUE(server_.world().run_until([&] { return leads("b"); }, 3s));
  EXPECT_EQ(stopped_["a"], 1);
}

TEST_F(Election, ARenewalThatIsNeverAnsweredDoesNotCostTheLease) {
  start("a");
  server_.world().run_for(1s);
  ASSERT_TRUE(leads("a"));
  const std::size_t before = server_.log().size();
  ASSERT_TRUE(server_.world().run_until([&] { return server_.log().size() > before; }, 5s));
  server_.world().fabric().drop_streams_of("server");  // With the answer.
  server_.world().run_for(1min);
  EXPECT_TRUE(leads("a"));
  EXPECT_EQ(stopped_["a"], 0);
}

class ElectionOnHttp2 : public Election {
 protected:
  ElectionOnHttp2() : Election("https") {}
};

TEST_F(ElectionOnHttp2, AConnectionThatDiedUnheardDoesNotCostTheLease) {
  start("a");
  ASSERT_TRUE(server_.world().run_until([&] { return leads("a"); }, 5s));
  for (int i = 0; i < 10; ++i) {
    server_.world().run_for(7s);
    server_.world().fabric().mute_streams("a", "server");
  }
  server_.world().run_for(1min);
  EXPECT_TRUE(leads("a"));
  EXPECT_EQ(stopped_["a"], 0);
}

// Somebody writes to the lease of `name`, which then wants to give it back.
TEST_F(Election, ALeaseThatWasTouchedIsGivenBackIfItIsStillOurs) {
  const auto holder_after = [this](const std::string& name, const std::string& written) {
    start(name);
    EXPECT_TRUE(server_.world().run_until([&] { return leads(name); }, 5s));
    json::Value& lease =
        server_.objects().at("/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/berth");
    lease["spec"]["holderIdentity"] = written;
    lease["metadata"]["resourceVersion"] = "touched by " + written;
    bool released = false;
    electors_.at(name)->release([&] { released = true; });
    EXPECT_TRUE(server_.world().run_until([&] { return released; }, 5s));
    return std::string(lease.find_path({"spec", "holderIdentity"})->string_or_empty());
  };
  EXPECT_EQ(holder_after("a", "a"), "");
  EXPECT_EQ(holder_after("b", "another"), "another");
}

TEST(ElectionEnd, ALeaseIsGivenBackAlsoWhileItIsBeingRenewed) {
  for (Duration after = 1990ms; after < 2030ms; after += 500us) {
    ObjectServer server;
    ElectorService* elector = nullptr;
    int started = 0;
    server.start_client("a", [&](env::Env& env, client::Api& api) {
      auto made = std::make_shared<ElectorService>(
          env, api,
          LeaderElectionOptions{
              .identity = "a", .lease_name = "berth", .lease_namespace = "kube-system"},
          LeadershipCallbacks{.on_started = [&] { ++started; }, .on_stopped = [] {}});
      made->start();
      elector = made.get();
      return made;
    });
    ASSERT_TRUE(server.world().run_until([&] { return elector && elector->leading(); }, 5s));
    server.world().run_for(after);
    bool released = false;
    elector->release([&] { released = true; });
    ASSERT_TRUE(server.world().run_until([&] { return released; }, 5s));
    server.world().run_for(5s);
    EXPECT_EQ(started, 1) << "it leads again after its end";
    for (const auto& [path, lease] : server.objects()) {
      EXPECT_EQ(lease.find_path({"spec", "holderIdentity"})->string_or_empty(), "") << path;
    }
  }
}

TEST_F(Election, WhoCannotHaveTheLeaseSaysWhy) {
  server_.fail_with(403);
  start("a");
  server_.world().run_for(1min);
  EXPECT_FALSE(leads("a"));
  EXPECT_FALSE(electors_.at("a")->trouble().empty());
  server_.fail_with(0);
  EXPECT_TRUE(server_.world().run_until([&] { return leads("a"); }, 10s));
  EXPECT_EQ(electors_.at("a")->trouble(), "");
}

}  // namespace
}  // namespace berth::control
