#include "control/recorder_service.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "control/testing/object_server_service.h"

namespace berth::control {
namespace {

using namespace std::chrono_literals;
using json::Value;
using testing::ObjectServer;

Event decided(const std::string& name) {
  return {
      .regarding = Value::object({{"kind", "Placement"}, {"namespace", "team"}, {"name", name}}),
      .reason = "DecisionCreate",
      .action = "Scheduling",
      .note = "chose rome"};
}

class RecorderWorld : public ::testing::Test {
 protected:
  void start(RecorderLimits limits) {
    server_.start_client("controller", [this, limits](env::Env& env, client::Api& api) {
      auto recorder = std::make_shared<RecorderService>(
          env, api,
          EventRecorderOptions{.controller = "berth.dev/placement", .instance = "berth-1"}, limits);
      recorder_ = recorder.get();
      return recorder;
    });
    server_.world().run_for(1ms);
  }

  ObjectServer server_;
  RecorderService* recorder_ = nullptr;
};

TEST_F(RecorderWorld, EventsArriveAndRepetitionsBecomeASeries) {
  start({});
  recorder_->record(decided("web"));
  server_.world().run_for(1s);
  recorder_->record(decided("web"));
  server_.world().run_for(1s);
  ASSERT_EQ(server_.objects().size(), 1u);
  const Value& event = server_.objects().begin()->second;
  EXPECT_EQ(event.find("note")->string_or_empty(), "chose rome");
  EXPECT_EQ(event.find_path({"series", "count"})->as_int(), 2);
}

TEST_F(RecorderWorld, ASilentNetworkIsWaitedFor) {
  start({});
  server_.world().fabric().block("controller", "server");
  recorder_->record(decided("web"));
  server_.world().run_for(2min);
  EXPECT_TRUE(server_.objects().empty());
  server_.world().fabric().heal();
  EXPECT_TRUE(server_.world().run_until([&] { return server_.objects().size() == 1; }, 3min));
  EXPECT_EQ(recorder_->dropped(), 0u);
}

TEST_F(RecorderWorld, ARefusedEventIsDroppedAndHurtsNobody) {
  start({});
  server_.fail_with(403);
  recorder_->record(decided("web"));
  server_.world().run_for(1s);
  server_.fail_with(0);
  recorder_->record(decided("other"));
  server_.world().run_for(1s);
  EXPECT_EQ(server_.objects().size(), 1u);
  EXPECT_EQ(recorder_->dropped(), 1u);
}

TEST_F(RecorderWorld, TheQueueHasABound) {
  start({.queue_max = 10, .in_flight_max = 1});
  for (int i = 0; i < 100; ++i) recorder_->record(decided("p" + std::to_string(i)));
  EXPECT_EQ(recorder_->waiting(), 10u);
  EXPECT_EQ(recorder_->dropped(), 89u);
}

}  // namespace
}  // namespace berth::control
