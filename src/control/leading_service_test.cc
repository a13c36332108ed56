#include "control/leading_service.h"

#include <map>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "control/testing/object_server_service.h"

namespace berth::control {
namespace {

using namespace std::chrono_literals;
using testing::ObjectServer;

// Alive exactly while it should run.
struct Content {
  explicit Content(int& count) : alive(count) { ++alive; }
  ~Content() { --alive; }
  int& alive;
};

class LeadingWorld : public ::testing::Test {
 protected:
  void start(const std::string& name) {
    server_.start_client(name, [this, name](env::Env& env, client::Api& api) {
      auto leading = std::make_shared<LeadingService>(
          env, api,
          LeaderElectionOptions{
              .identity = name, .lease_name = "berth", .lease_namespace = "kube-system"},
          [this, name](const MayWrite& may_write) {
            EXPECT_TRUE(may_write());
            return std::make_shared<Content>(alive_[name]);
          },
          is_lasting_ ? env::Task() : [this, name] { ++lost_[name]; });
      leading->start();
      leaders_[name] = leading;
      return leading;
    });
    server_.world().run_for(1s);
  }

  bool is_lasting_ = false;
  std::map<std::string, int> alive_;
  std::map<std::string, int> lost_;
  std::map<std::string, std::weak_ptr<LeadingService>> leaders_;
  ObjectServer server_;
};

TEST_F(LeadingWorld, OnlyTheLeaderRuns) {
  start("a");
  start("b");
  EXPECT_EQ(alive_["a"], 1);
  EXPECT_EQ(alive_["b"], 0);
}

TEST_F(LeadingWorld, ReleasedLeadershipPassesToTheOtherAndIsNotLost) {
  start("a");
  start("b");
  bool released = false;
  leaders_["a"].lock()->release([&] { released = true; });
  EXPECT_EQ(alive_["a"], 0);
  EXPECT_TRUE(server_.world().run_until([&] { return alive_["b"] == 1; }, 10s));
  EXPECT_TRUE(released);
  EXPECT_EQ(lost_["a"], 0);
}

TEST_F(LeadingWorld, ALeaderThatCannotRenewStopsAndSaysSo) {
  start("a");
  server_.fail_with(500);
  EXPECT_TRUE(server_.world().run_until([&] { return lost_["a"] == 1; }, 20s));
  EXPECT_EQ(alive_["a"], 0);
}

TEST_F(LeadingWorld, WhoeverDoesNotEndWithItsLeadershipMayLeadAgain) {
  is_lasting_ = true;
  start("a");
  server_.fail_with(500);
  EXPECT_TRUE(server_.world().run_until([&] { return alive_["a"] == 0; }, 20s));
  server_.fail_with(0);
  EXPECT_TRUE(server_.world().run_until([&] { return alive_["a"] == 1; }, 20s));
}

}  // namespace
}  // namespace berth::control
