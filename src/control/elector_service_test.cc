#include "control/elector_service.h"

#include <map>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "control/testing/object_server_service.h"

namespace berth::control {
namespace {

using namespace std::chrono_literals;
using testing::ObjectServer;

class Election : public ::testing::Test {
 protected:
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

}  // namespace
}  // namespace berth::control
