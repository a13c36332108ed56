#include "hosting/hub_hosting_controller.h"

#include <algorithm>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "control/testing/model_hub_service.h"
#include "hosting/names.h"
#include "hosting/testing/hosting_builder.h"
#include "sim/world.h"

namespace berth::hosting {
namespace {

using namespace std::chrono_literals;

struct Program {
  explicit Program(env::Env& env)
      : api(env, client::testing::model_config("http"),
            {.rate = {.per_second = 0}, .call = {.retry = {.attempts_max = 1}}}),
        informers(env, api),
        recorder(env, api, {.controller = "hosting-controller", .instance = "test"}),
        controller(env, api, informers, recorder, [] { return true; }) {}

  client::Api api;
  client::Informers informers;
  control::RecorderService recorder;
  HubHostingController controller;
};

// A hub of OCM alone, until Berth's definitions are applied.
class HubHosting : public ::testing::Test {
 protected:
  HubHosting() : world_(sim::WorldOptions{}) {
    world_.add_node("server").start([this](std::span<env::Env> loops) {
      return std::shared_ptr<client::testing::ModelServer>(
          hub_.serve(loops[0], {.first = [this](const auto& request) { return first(request); }}));
    });
  }

  std::optional<client::testing::ModelAnswer> first(const client::testing::ModelRequest& request) {
    if (!request.path.contains(kGroup)) return std::nullopt;
    ++requests_;
    if (defined_) return std::nullopt;
    return client::testing::ModelAnswer{.status = 404, .document = {}};
  }

  void start() {
    world_.add_node("berth").start([this](std::span<env::Env> loops) {
      auto program = std::make_shared<Program>(loops[0]);
      program_ = program.get();
      return program;
    });
    world_.run_for(1s);
  }

  control::testing::ModelHub hub_;
  bool defined_ = false;
  int requests_ = 0;
  Program* program_ = nullptr;
  sim::World world_;
};

TEST_F(HubHosting, WithoutItsKindsItWaitsQuietly) {
  start();
  EXPECT_TRUE(program_->controller.is_settled());
  world_.run_for(10min);
  EXPECT_TRUE(program_->controller.is_settled());
  EXPECT_LE(requests_, 62) << "every 10 s";
  EXPECT_EQ(std::ranges::count_if(world_.log().lines(),
                                  [](const std::string& line) {
                                    return line.contains("berth crds | kubectl apply");
                                  }),
            1);
}

TEST_F(HubHosting, KindsThatComeLaterAreTakenUp) {
  start();
  world_.run_for(1min);
  defined_ = true;
  hub_.put(resource_of(HostingResource::Clusters), testing::cluster_object("h"));
  world_.run_for(15s);
  EXPECT_TRUE(program_->controller.is_settled());
  EXPECT_NE(hub_.find(resource_of(HostingResource::Ledgers), "h/hosting"), nullptr);
}

TEST_F(HubHosting, IsNotSettledBeforeTheHubHasAnswered) {
  defined_ = true;
  world_.fabric().block("berth", "server");
  start();
  EXPECT_FALSE(program_->controller.is_settled());
  world_.fabric().heal();
  world_.run_for(1min);
  EXPECT_TRUE(program_->controller.is_settled());
}

}  // namespace
}  // namespace berth::hosting
