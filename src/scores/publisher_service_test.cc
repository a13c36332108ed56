#include "scores/publisher_service.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "base/rfc3339.h"
#include "control/testing/model_hub_service.h"
#include "json/parse.h"
#include "json/print.h"
#include "sim/world.h"

namespace berth::scores {
namespace {

using namespace std::chrono_literals;
using json::Value;

struct Program {
  Program(env::Env& env, const Publisher::Measure& measure)
      : api(env, client::testing::model_config("http"),
            {.rate = {.per_second = 0}, .call = {.timeout = 5s, .retry = {.attempts_max = 1}}}),
        publisher(env, api, {.object = {.cluster = "c1", .name = "usage"}}, measure) {}

  client::Api api;
  Publisher publisher;
};

class Publishing : public ::testing::Test {
 protected:
  Publishing() : world_(sim::WorldOptions{}) {
    hub_.on_write = [this](const auto& write) {
      const bool is_dry = write.status < 300 && !write.changed;
      if (!is_dry) writes_.push_back(write.what + (write.status < 300 ? "" : " refused"));
    };
    world_.add_node("server").start([this](std::span<env::Env> loops) {
      hub_.calendar = [&clock = loops[0].clock] { return clock.now(); };
      return std::shared_ptr<client::testing::ModelServer>(hub_.serve(loops[0]));
    });
  }

  void start(Duration clock_offset = 0s) {
    world_.add_node("agent", {.clock = {.wall_offset = clock_offset}})
        .start([this](std::span<env::Env> loops) {
          auto program = std::make_shared<Program>(loops[0], [this](Time) { return report_; });
          program_ = program.get();
          return program;
        });
    world_.run_for(500ms);
  }

  void set(std::int32_t value) {
    report_ = {.scores = {{{.name = "cpuAvailable", .value = value}}}};
  }

  Publisher& publisher() { return program_->publisher; }
  const Value* object() { return hub_.find(score_resource(), "c1/usage"); }
  Value status() { return object() ? api::field(*object(), "status") : Value(); }
  std::int64_t score() {
    const Value now = status();
    const auto scores = api::elements_field(now, "scores");
    return scores.empty() ? -1000 : scores[0].find("value")->as_int().value();
  }

  // From the hub's time now to the end of the scores.
  Duration left() {
    const Time now = world_.node("server").clock().wall(world_.now());
    return *api::time_field(status(), "validUntil") - now;
  }
  std::size_t writes() const { return writes_.size(); }

  control::testing::ModelHub hub_;
  std::vector<std::string> writes_;
  Report report_ = {.scores = {{{.name = "cpuAvailable", .value = 12}}}};
  Program* program_ = nullptr;
  sim::World world_;
};

TEST_F(Publishing, CreatesTheObjectAndThenItsStatus) {
  start();
  EXPECT_EQ(writes_, (std::vector<std::string>{"POST addonplacementscores",
                                               "PATCH addonplacementscores/c1/usage/status"}))
      << "a dry run that asks for the time is no write";
  EXPECT_EQ(score(), 12);
  EXPECT_GT(left(), 178s);
  EXPECT_LE(left(), 180s);
  EXPECT_TRUE(publisher().is_live());
}

TEST_F(Publishing, RefreshesTheEndEveryMinute) {
  start();
  world_.run_for(10min);
  EXPECT_GE(writes(), 2U + 9U);
  EXPECT_LE(writes(), 2U + 12U);
  EXPECT_GT(left(), 118s);
}

TEST_F(Publishing, WritesTheFirstChangeAtOnceAndTheNextAfterTenSeconds) {
  start();
  set(30);
  publisher().on_changed();
  world_.run_for(500ms);
  EXPECT_EQ(score(), 30);
  set(31);
  publisher().on_changed();
  world_.run_for(5s);
  EXPECT_EQ(score(), 30);
  world_.run_for(6s);
  EXPECT_EQ(score(), 31);
}

TEST_F(Publishing, WritesNothingForAChangeThatChangesNoScore) {
  start();
  const std::size_t before = writes();
  for (int i = 0; i < 100; ++i) publisher().on_changed();
  world_.run_for(20s);
  EXPECT_EQ(writes(), before);
}

TEST_F(Publishing, MakesAnObjectAgainThatWasDeleted) {
  start();
  hub_.erase(score_resource(), "c1/usage");
  world_.run_for(61s);
  EXPECT_EQ(score(), 12);
}

TEST_F(Publishing, OutlivesAnOutageOfTheHubAndPublishesWhatIsTrueThen) {
  start();
  world_.node("server").crash(sim::Crash::Process);
  world_.run_for(10s);
  set(77);
  publisher().on_changed();
  world_.run_for(4min);
  EXPECT_FALSE(publisher().is_live());
  EXPECT_FALSE(publisher().trouble().empty());
  world_.node("server").restart();
  ASSERT_TRUE(world_.run_until([this] { return score() == 77; }, 16s));
  world_.run_for(1s);
  EXPECT_TRUE(publisher().is_live());
  EXPECT_EQ(publisher().trouble(), "");
}

TEST_F(Publishing, LetsScoresLapseWhileTheSourceFails) {
  start();
  const Value end = *status().find("validUntil");
  report_ = {.trouble = Trouble{.message = "no nodes can be read"}};
  publisher().on_changed();
  world_.run_for(5min);
  EXPECT_EQ(score(), 12);
  EXPECT_EQ(*status().find("validUntil"), end);
  EXPECT_FALSE(publisher().is_live());
  const Value conditions = *status().find("conditions");
  EXPECT_EQ(conditions.elements()[0].find("message")->as_string(), "no nodes can be read");
  const std::size_t before = writes();
  world_.run_for(10min);
  EXPECT_EQ(writes(), before) << "said once";
}

TEST_F(Publishing, DoesNotFightAnotherWriterOfConditions) {
  start();
  Value object = *hub_.find(score_resource(), "c1/usage");
  object["status"]["conditions"].push_back(
      json::parse(R"({"type":"Theirs","status":"True"})").value());
  hub_.put(score_resource(), object);
  set(50);
  publisher().on_changed();
  world_.run_for(1s);
  EXPECT_EQ(score(), 50);
  report_ = {.trouble = Trouble{.message = "no nodes can be read"}};
  publisher().on_changed();
  world_.run_for(70s);
  EXPECT_EQ(status().find("conditions")->size(), 2U);
}

TEST_F(Publishing, WritesTheEndInTheTimeOfTheHub) {
  start(1h);
  EXPECT_GT(left(), 170s);
  EXPECT_LT(left(), 190s);
  world_.node("agent").clock().step_wall(-2h);
  world_.run_for(61s);
  EXPECT_GT(left(), 110s) << "also after our calendar was set";
  EXPECT_LT(left(), 190s);
}

TEST_F(Publishing, WritesTheEndInTheTimeOfTheHubIfItIsAhead) {
  start(-1h);
  EXPECT_GT(left(), 170s);
  EXPECT_LT(left(), 190s);
}

TEST_F(Publishing, SetsItsOwnerWhenItIsKnown) {
  start();
  publisher().set_owner(api::OwnerReference{
      .api_version = "a/v1", .kind = "ManagedClusterAddOn", .name = "berth", .uid = "u2"});
  world_.run_for(1s);
  ASSERT_EQ(api::Metadata(*object()).owner_references().size(), 1U);
  set(40);
  publisher().on_changed();
  world_.run_for(500ms);
  EXPECT_EQ(score(), 40) << "the first change is still at once";
}

TEST_F(Publishing, MakesTheObjectOnlyOnDemand) {
  world_.add_node("agent").start([this](std::span<env::Env> loops) {
    auto program = std::make_shared<Program>(loops[0], [this](Time) { return report_; });
    program->publisher.set_demand(Publisher::Demand::Unwanted);
    program_ = program.get();
    return program;
  });
  world_.run_for(5min);
  EXPECT_EQ(object(), nullptr);
  publisher().set_demand(Publisher::Demand::Wanted);
  world_.run_for(1s);
  EXPECT_EQ(score(), 12);
}

TEST_F(Publishing, WaitsForAProviderThatKnowsNothingYet) {
  report_ = {};
  start();
  EXPECT_EQ(status(), Value());
  EXPECT_FALSE(publisher().is_live());
  set(20);
  publisher().on_changed();
  world_.run_for(500ms);
  EXPECT_EQ(score(), 20);
}

}  // namespace
}  // namespace berth::scores
