#include "local/example_load_controller.h"

#include <memory>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "control/testing/model_hub_service.h"
#include "sim/world.h"

namespace berth::local {
namespace {

using namespace std::chrono_literals;
using json::Value;
using ::testing::Contains;

const client::Gvr kDeployments{"apps", "v1", "deployments"};
constexpr ExampleLoad kLoad{.nodes = 4};

struct Program {
  explicit Program(env::Env& env)
      : api(env, client::testing::model_config("http"), {.rate = {.per_second = 0}}),
        controller(env, api, kLoad) {}

  client::Api api;
  ExampleLoadController controller;
};

class ExampleLoadOfACluster : public ::testing::Test {
 protected:
  ExampleLoadOfACluster() : world_(sim::WorldOptions{}) {
    hub_.put(kDeployments, example_workload(0));
    world_.add_node("server").start([this](std::span<env::Env> loops) {
      return std::shared_ptr<client::testing::ModelServer>(hub_.serve(loops[0]));
    });
    world_.add_node("berth").start([this](std::span<env::Env> loops) {
      clock_ = &loops[0].clock;
      return std::make_shared<Program>(loops[0]);
    });
  }

  std::int64_t replicas() {
    const Value* workload = hub_.find(kDeployments, "default/web");
    return workload ? workload->find_path({"spec", "replicas"})->as_int().value_or(-1) : -1;
  }

  // It looks every five seconds, and its write is under way for a moment.
  std::set<std::int64_t> wanted_lately() {
    std::set<std::int64_t> sizes;
    for (Duration ago = 0s; ago <= 6s; ago += 1s) {
      sizes.insert(example_replicas(kLoad, clock_->now() - ago));
    }
    return sizes;
  }

  control::testing::ModelHub hub_;
  sim::World world_;
  env::Clock* clock_ = nullptr;
};

TEST_F(ExampleLoadOfACluster, FollowsTheDay) {
  std::set<std::int64_t> sizes;
  for (int step = 0; step < 20; ++step) {
    world_.run_for(30s);
    EXPECT_THAT(wanted_lately(), Contains(replicas())) << "after step " << step;
    sizes.insert(replicas());
  }
  EXPECT_GT(sizes.size(), 5U);
}

TEST_F(ExampleLoadOfACluster, IsLeftAloneOnceSomebodyDeletedTheWorkload) {
  world_.run_for(30s);
  hub_.erase(kDeployments, "default/web");
  world_.run_for(10min);
  EXPECT_EQ(replicas(), -1);
}

}  // namespace
}  // namespace berth::local
