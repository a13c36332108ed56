#include "scores/hub_scores_controller.h"

#include <algorithm>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "control/testing/model_hub_service.h"
#include "json/yaml_read.h"
#include "sim/world.h"

namespace berth::scores {
namespace {

using namespace std::chrono_literals;

struct Program {
  explicit Program(env::Env& env)
      : api(env, client::testing::model_config("http"),
            {.rate = {.per_second = 0}, .call = {.retry = {.attempts_max = 1}}}),
        informers(env, api),
        recorder(env, api, {.controller = "scores-controller", .instance = "scores-controller-1"}),
        controller(env, api, informers, recorder, [] { return true; }) {}

  client::Api api;
  client::Informers informers;
  control::RecorderService recorder;
  HubScoresController controller;
};

// A hub of OCM alone, until Berth's definitions are applied.
class HubScores : public ::testing::Test {
 protected:
  HubScores() : world_(sim::WorldOptions{}) {
    world_.add_node("server").start([this](std::span<env::Env> loops) {
      return std::shared_ptr<client::testing::ModelServer>(
          hub_.serve(loops[0], {.first = [this](const auto& request) { return first(request); }}));
    });
  }

  std::optional<client::testing::ModelAnswer> first(const client::testing::ModelRequest& request) {
    const bool is_ours = request.path.contains("scores.berth.dev") ||
                         request.path.contains("addonplacementscoregenerators");
    if (!is_ours) return std::nullopt;
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

  std::string readiness_of_source() {
    const json::Value* source = hub_.find(source_resource(), "monitoring/fleet");
    return source && source->find("status") ? "told" : "untold";
  }

  control::testing::ModelHub hub_;
  bool defined_ = false;
  int requests_ = 0;
  Program* program_ = nullptr;
  sim::World world_;
};

TEST_F(HubScores, WithoutItsKindsItWaitsQuietly) {
  start();
  EXPECT_TRUE(program_->controller.is_settled());
  world_.run_for(10min);
  EXPECT_TRUE(program_->controller.is_settled());
  EXPECT_LE(requests_, 62) << "every 10 s";
  const auto& lines = world_.log().lines();
  EXPECT_EQ(
      std::ranges::count_if(lines,
                            [](const std::string& line) {
                              return line.contains("berth crds | kubectl apply --server-side -f -");
                            }),
      1);
  EXPECT_LE(lines.size(), 3U) << "no complaints";
}

TEST_F(HubScores, KindsThatComeLaterAreTakenUp) {
  start();
  world_.run_for(1min);
  defined_ = true;
  hub_.put(source_resource(), json::read_one_yaml(R"(
apiVersion: scores.berth.dev/v1alpha1
kind: ScoreSource
metadata: {name: fleet, namespace: monitoring}
spec: {endpoint: {url: "http://prometheus:9090"}, placementRef: {name: all}, targetScoreName: usage}
)")
                                  .value());
  world_.run_for(15s);
  EXPECT_EQ(readiness_of_source(), "told");
  EXPECT_TRUE(program_->controller.is_settled());
}

TEST_F(HubScores, IsNotSettledBeforeTheHubHasAnswered) {
  world_.fabric().block("berth", "server");
  start();
  EXPECT_FALSE(program_->controller.is_settled());
  world_.fabric().heal();
  world_.run_for(1min);
  EXPECT_TRUE(program_->controller.is_settled());
}

}  // namespace
}  // namespace berth::scores
