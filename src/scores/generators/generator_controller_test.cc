#include "scores/generators/generator_controller.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/conditions.h"
#include "api/kinds/add_on_placement_score.h"
#include "api/kinds/fields.h"
#include "control/testing/model_hub_service.h"
#include "json/yaml_read.h"
#include "scores/generators/generator_resources_service.h"
#include "sim/testing/ends.h"
#include "sim/world.h"

namespace berth::scores {
namespace {

using namespace std::chrono_literals;
using json::Value;
using ::testing::HasSubstr;

constexpr const char* kOk = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";

// An HTTP server that takes its time.
class Location {
 public:
  Location(env::Env& env, Duration delay)
      : server_(env,
                [this, &env, delay](sim::testing::End& end, std::string_view) {
                  timers_.push_back(
                      env::after(env.loop, env.clock, delay, [&end] { end.stream->write(kOk); }));
                },
                {.address = {.host = "", .port = 80}}) {}

 private:
  std::vector<env::Timer> timers_;
  sim::testing::Server server_;
};

struct Agent {
  Agent(env::Env& env, Duration simulated_delay)
      : api(env, client::testing::model_config("http"),
            {.rate = {.per_second = 0}, .call = {.timeout = 5s, .retry = {.attempts_max = 1}}}),
        controller(env, api,
                   {.cluster = "cluster1",
                    .simulated_delay = simulated_delay,
                    .plugins = {.directory = "plugins"}}) {}

  client::Api api;
  GeneratorController controller;
};

class GeneratorControllerTest : public ::testing::Test {
 protected:
  GeneratorControllerTest() {
    hub_.on_write = [this](const auto& write) { writes_.push_back(write.what); };
    world_.add_node("server").start([this](std::span<env::Env> loops) {
      hub_.calendar = [&clock = loops[0].clock] { return clock.now(); };
      return std::shared_ptr<client::testing::ModelServer>(hub_.serve(loops[0]));
    });
    serve("192.0.2.1", 30ms);
    serve("192.0.2.2", 50ms);
    world_.add_node("agent");
  }

  void serve(const std::string& address, Duration delay) {
    world_.add_node(address).start(
        [delay](std::span<env::Env> loops) { return std::make_shared<Location>(loops[0], delay); });
  }

  void start_agent(Duration simulated_delay = 0s) {
    world_.node("agent").start([this, simulated_delay](std::span<env::Env> loops) {
      auto agent = std::make_shared<Agent>(loops[0], simulated_delay);
      agent_ = agent.get();
      return agent;
    });
    world_.run_for(1s);
  }

  void put(std::string_view spec, const std::string& name = "g") {
    Value object = json::read_one_yaml(R"({
      apiVersion: cluster.open-cluster-management.io/v1alpha1,
      kind: AddOnPlacementScoreGenerator, metadata: {namespace: cluster1}})")
                       .value();
    object["metadata"]["name"] = name;
    if (const Value* before = hub_.find(generator_resource(), "cluster1/" + name)) {
      object["status"] = api::field(*before, "status");
    }
    object["spec"] = json::read_one_yaml(spec).value();
    hub_.put(generator_resource(), std::move(object));
    world_.run_for(1s);
  }

  const Value* generator(const std::string& name = "g") {
    return hub_.find(generator_resource(), "cluster1/" + name);
  }
  std::string condition(std::string_view type, std::string_view field) {
    const Value& status = api::field(*generator(), "status");
    const Value* found = api::find_condition(api::field(status, "conditions"), type);
    return found ? api::text_field(*found, field) : "";
  }
  std::string error_of(std::string_view entry) {
    for (const Value& item : api::elements_field(api::field(*generator(), "status"), "entries")) {
      if (api::text_field(item, "name") == entry) return api::text_field(item, "error");
    }
    return "no such entry";
  }

  std::map<std::string, std::int32_t> scores(const std::string& name = "g") {
    std::map<std::string, std::int32_t> values;
    const Value* object = hub_.find(score_resource(), "cluster1/" + name);
    if (!object) return values;
    for (const auto& item : api::read_add_on_placement_score(*object).scores) {
      values[item.name] = item.value;
    }
    return values;
  }
  // How long the published scores hold from now on.
  Duration left() {
    const Value* object = hub_.find(score_resource(), "cluster1/g");
    return *api::read_add_on_placement_score(*object).valid_until -
           world_.node("server").clock().wall(world_.now());
  }

  control::testing::ModelHub hub_;
  std::vector<std::string> writes_;
  Agent* agent_ = nullptr;
  sim::World world_{sim::WorldOptions{}};
};

constexpr std::string_view kTwo = R"({latencies: [{name: near, url: "http://192.0.2.1"},
                                                  {name: far, url: "http://192.0.2.2"}]})";

TEST_F(GeneratorControllerTest, PublishesWhatItMeasured) {
  put(kTwo);
  start_agent();
  EXPECT_EQ(scores(), (std::map<std::string, std::int32_t>{{"near", 31}, {"far", 51}}));
  EXPECT_GT(left(), 170s);
  EXPECT_EQ(condition("Accepted", "status"), "True");
  EXPECT_EQ(condition("Healthy", "status"), "True");
  const Value* score = hub_.find(score_resource(), "cluster1/g");
  const auto owners = api::Metadata(*score).owner_references();
  ASSERT_EQ(owners.size(), 1U);
  EXPECT_EQ(owners[0].kind, "AddOnPlacementScoreGenerator");
  EXPECT_EQ(owners[0].uid, api::read_facts(*generator()).uid);
}

TEST_F(GeneratorControllerTest, ASimulatedDelayIsAddedAndTold) {
  put(kTwo);
  start_agent(40ms);
  EXPECT_EQ(scores(), (std::map<std::string, std::int32_t>{{"near", 71}, {"far", 91}}));
  EXPECT_TRUE(condition("Accepted", "message").contains("40 ms of each connection are simulated"));
}

TEST_F(GeneratorControllerTest, KeepsTheScoresAliveAsLongAsItMeasures) {
  put(kTwo);
  start_agent();
  for (int minute = 0; minute < 10; ++minute) {
    world_.run_for(1min);
    EXPECT_GT(left(), 60s) << minute;
  }
}

TEST_F(GeneratorControllerTest, LetsTheScoresLapseWhenItDies) {
  put(kTwo);
  start_agent();
  world_.node("agent").crash(sim::Crash::Process);
  world_.run_for(181s);
  EXPECT_LT(left(), 0s);
}

TEST_F(GeneratorControllerTest, AppliesAChangeAtOnce) {
  put(kTwo);
  start_agent();
  world_.run_for(20s);
  serve("192.0.2.3", 10ms);
  put(R"({latencies: [{name: near, url: "http://192.0.2.1"},
                      {name: new, url: "http://192.0.2.3"}]})");
  EXPECT_EQ(scores(), (std::map<std::string, std::int32_t>{{"near", 31}, {"new", 11}}));
}

TEST_F(GeneratorControllerTest, ADeadLocationBecomesTheWorst) {
  put(kTwo);
  start_agent();
  world_.node("192.0.2.1").crash(sim::Crash::Process);
  world_.run_for(70s);
  EXPECT_EQ(scores()["near"], 100);
  EXPECT_EQ(condition("Healthy", "status"), "False");
  EXPECT_THAT(error_of("near"), HasSubstr("refused"));
  EXPECT_GT(left(), 60s);
}

TEST_F(GeneratorControllerTest, RemovesTheScoreWithItsGenerator) {
  put(kTwo);
  start_agent();
  hub_.erase(generator_resource(), "cluster1/g");
  world_.run_for(1s);
  EXPECT_EQ(hub_.find(score_resource(), "cluster1/g"), nullptr);
  EXPECT_EQ(agent_->controller.runs(), 0U);
  const std::size_t writes = writes_.size();
  world_.run_for(5min);
  EXPECT_EQ(writes_.size(), writes);
}

TEST_F(GeneratorControllerTest, SaysWhyItRefusesAGenerator) {
  start_agent();
  put(R"({latencies: [{name: a, url: "http://169.254.169.254/latest"}]})");
  EXPECT_EQ(condition("Accepted", "status"), "False");
  EXPECT_EQ(condition("Accepted", "reason"), "ForbiddenAddress");
  EXPECT_EQ(hub_.find(score_resource(), "cluster1/g"), nullptr);
  put(kTwo);
  EXPECT_EQ(condition("Accepted", "status"), "True");
  EXPECT_EQ(scores().size(), 2U);
}

TEST_F(GeneratorControllerTest, LeavesTheLastScoresToLapseAfterABadEdit) {
  put(kTwo);
  start_agent();
  put(R"({latencies: [{name: near, url: "http://192.0.2.1", runs: 0}]})");
  world_.run_for(20s);
  EXPECT_EQ(scores().size(), 2U);
  EXPECT_EQ(condition("Accepted", "message"), "spec.latencies[0].runs: must be from 1 to 20");
  world_.run_for(3min);
  EXPECT_LT(left(), 0s);
}

TEST_F(GeneratorControllerTest, LeavesGeneratorsOfOthersAlone) {
  start_agent();
  put(R"({addOnPlacementSelector: {name: somebody-else},
          latencies: [{name: a, url: "http://192.0.2.1"}]})");
  EXPECT_TRUE(api::field(*generator(), "status").is_null());
  EXPECT_TRUE(scores().empty());
}

TEST_F(GeneratorControllerTest, AMissingPluginHarmsNothingElse) {
  start_agent();
  put(R"({latencies: [{name: near, url: "http://192.0.2.1"}], otherPlugin: [{name: other}]})");
  EXPECT_EQ(scores(), (std::map<std::string, std::int32_t>{{"near", 31}}));
  EXPECT_THAT(error_of("other"), HasSubstr("PluginNotFound"));
}

TEST_F(GeneratorControllerTest, PublishesWhatAPluginSays) {
  world_.node("agent").child_programs()["plugins/otherPlugin"] = [](const env::Command& command) {
    EXPECT_THAT(command.text, HasSubstr(R"("option":"value")"));
    return env::Exit{.output = R"({"protocol":"berth-score-plugin/1",
                                   "scores":[{"name":"other","value":-7}]})"};
  };
  start_agent();
  put(R"({otherPlugin: [{name: other, option: value}]})");
  EXPECT_EQ(scores(), (std::map<std::string, std::int32_t>{{"other", -7}}));
}

TEST_F(GeneratorControllerTest, KeepsScoresThroughARestart) {
  Duration delay = 30ms;
  put(kTwo);
  start_agent();
  world_.run_for(20s);
  world_.node("agent").crash(sim::Crash::Process);
  delay = 30s;
  for (const char* host : {"192.0.2.1", "192.0.2.2"}) {
    world_.node(host).crash(sim::Crash::Process);
    world_.node(host).start(
        [delay](std::span<env::Env> loops) { return std::make_shared<Location>(loops[0], delay); });
  }
  start_agent();  // Nothing answers yet.
  EXPECT_EQ(scores().size(), 2U);
  EXPECT_GT(left(), 0s);
}

TEST_F(GeneratorControllerTest, OutlivesAnOutageOfTheHub) {
  put(kTwo);
  start_agent();
  world_.node("server").crash(sim::Crash::Process);
  world_.run_for(5min);
  EXPECT_LT(left(), 0s);
  world_.node("server").restart();
  world_.run_for(1min);
  EXPECT_GT(left(), 60s);
}

TEST_F(GeneratorControllerTest, MeasuresNoMoreAtATimeThanItMay) {
  std::string spec = "latencies:\n";
  for (int i = 0; i < 50; ++i) {
    spec += "- {name: n" + std::to_string(i) + ", url: 'http://192.0.2.2'}\n";
  }
  put(spec);
  start_agent();
  EXPECT_EQ(scores().size(), 50U);
}

TEST_F(GeneratorControllerTest, WritesNumbersSeldomAndFactsAtOnce) {
  put(R"({latencies: [{name: near, url: "http://192.0.2.1", interval: 10s}]})");
  start_agent();
  writes_.clear();
  world_.run_for(5min);
  const auto count = std::ranges::count_if(
      writes_, [](const std::string& what) { return what.contains("generators/"); });
  EXPECT_GE(count, 20);
  EXPECT_LE(count, 31);
  EXPECT_GT(left(), 15s);
}

}  // namespace
}  // namespace berth::scores
