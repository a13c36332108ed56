#include "client/follower_service.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "client/testing/model_server_service.h"
#include "sim/world.h"

namespace berth::client {
namespace {

using namespace std::chrono_literals;
using testing::model_config;
using testing::ModelServer;
using testing::ModelStore;

const ResourcePath kCollection{.resource = {"", "v1", "configmaps"}, .ns = "default"};

struct Program {
  explicit Program(const env::Env& env)
      : api(env, model_config("http"), {.rate = {.per_second = 0}}),
        follower(env, api,
                 {.collection = kCollection, .proof = FollowerProof{.every = 2s, .age_max = 20s}},
                 {.on_state =
                      [this](const std::vector<ObjectPtr>& all) {
                        known = all.size();
                        ++states;
                      },
                  .on_put =
                      [this, &clock = env.clock](const Object&) {
                        ++known;
                        ages.push_back(clock.monotonic() - *follower.last_sign());
                      },
                  .on_removed = [this](const Object&) { --known; }}) {}

  std::size_t known = 0;
  int states = 0;
  std::vector<Duration> ages = {};  // Of the proof, whenever an object came.
  Api api;
  Follower follower;
};

class Following : public ::testing::Test {
 protected:
  void begin(Duration bookmarks, testing::ServerBug bug = testing::ServerBug::None) {
    store_.put("first");
    world_.add_node("server").start([this, bookmarks, bug](std::span<env::Env> loops) {
      return std::make_shared<ModelServer>(
          loops[0], store_,
          testing::ModelServerOptions{.bookmark_interval = bookmarks, .bug = bug});
    });
    world_.add_node("client").start([this](std::span<env::Env> loops) {
      auto program = std::make_shared<Program>(loops[0]);
      program_ = program.get();
      return program;
    });
    world_.run_for(1s);
  }

  // How old the proof is that everything is known.
  Duration age() {
    const Instant now = world_.node("client").clock().monotonic(world_.now());
    return now - program_->follower.last_sign().value();
  }

  ModelStore store_;
  Program* program_ = nullptr;
  sim::World world_{sim::WorldOptions{}};
};

TEST_F(Following, IsProvenByTheFirstStateAndThenBySayingHowFarTheServerIs) {
  begin(5s);
  EXPECT_LE(age(), 1s);
  for (int i = 0; i < 20; ++i) {
    world_.run_for(3s);
    EXPECT_LE(age(), 8s) << i;
  }
  EXPECT_EQ(program_->states, 1);
}

TEST_F(Following, IsNotProvenBySilence) {
  begin(1h);
  world_.run_for(3s);
  store_.put("second");
  world_.fabric().clog("server", "client", world_.now() + 15s);
  world_.run_for(14s);
  EXPECT_EQ(program_->known, 1U);
  EXPECT_GE(age(), 14s);
}

// What arrives late tells of the time at which it was sent, and there may be more behind it.
TEST_F(Following, IsNotProvenByOldNews) {
  begin(1h);
  world_.fabric().clog("server", "client", world_.now() + 10s);
  store_.put("second");
  store_.put("third");
  world_.run_for(11s);
  EXPECT_EQ(program_->known, 3U);
  ASSERT_EQ(program_->ages.size(), 2U);
  EXPECT_GE(program_->ages[0], 9s);
  world_.run_for(3s);
  EXPECT_LE(age(), 3s);
}

// A server that loses events is found out.
TEST_F(Following, ReadsAllAnewWhenNothingElseProvesIt) {
  begin(1h, testing::ServerBug::SkippedEvent);
  for (int i = 0; i < 18; ++i) store_.put("more-" + std::to_string(i));  // The last one is lost.
  world_.run_for(5s);
  ASSERT_LT(program_->known, 19U);
  world_.run_for(1min);
  EXPECT_EQ(program_->known, 19U);
  EXPECT_GT(program_->states, 1);
  EXPECT_LE(age(), 25s);
}

}  // namespace
}  // namespace berth::client
