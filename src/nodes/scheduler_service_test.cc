#include "nodes/scheduler_service.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nodes/testing/cluster_builder.h"
#include "nodes/testing/model_cluster_service.h"
#include "sim/world.h"

namespace berth::nodes {
namespace {

using namespace std::chrono_literals;
using json::Value;
using ::testing::HasSubstr;
using testing::ModelCluster;
using ::testing::StartsWith;

struct Program {
  explicit Program(env::Env& env)
      : api(env, client::testing::model_config("http"), {.rate = {.per_second = 0}}),
        service(env, api, api, [] { return true; },
                {.scheduling = {.profiles = {default_profile()}}}) {}

  client::Api api;
  SchedulerService service;
};

class SchedulerInACluster : public ::testing::Test {
 protected:
  SchedulerInACluster() : world_(sim::WorldOptions{}) {
    world_.add_node("server").start([this](std::span<env::Env> loops) {
      return std::shared_ptr<client::testing::ModelServer>(cluster_.serve(loops[0]));
    });
    world_.add_node("berth");
    start();
  }

  void start() {
    world_.node("berth").start([this](std::span<env::Env> loops) {
      auto program = std::make_shared<Program>(loops[0]);
      program_ = program;
      metrics_ = &loops[0].metrics;
      return program;
    });
  }

  void put_node(std::string_view name, std::string_view extra) {
    Value node = testing::node(name, extra);
    node["metadata"].erase("uid");
    cluster_.hub.put(nodes_resource(), std::move(node));
  }

  void put_pod(std::string_view name, std::string_view extra) {
    Value pod = testing::pod(name, extra);
    pod["metadata"].erase("uid");
    cluster_.hub.put(pods_resource(), std::move(pod));
  }

  void put_reservation(std::string_view name, std::string_view spec) {
    Value object = testing::parsed(R"({"apiVersion":"reserve.berth.dev/v1alpha1",
        "kind":"PodReservation"})");
    object["metadata"] = Value::object({{"name", name}, {"namespace", "ns"}});
    object["spec"] = testing::parsed(spec);
    cluster_.hub.put(pod_reservations_resource(), std::move(object));
  }

  std::string uid_of(const client::Gvr& resource, const std::string& key) {
    return std::string(api::Metadata(*cluster_.hub.find(resource, key)).uid());
  }

  std::string node_of(const std::string& pod) { return cluster_.node_of("ns/" + pod); }
  std::string condition(const std::string& pod) {
    return cluster_.scheduled_condition("ns/" + pod);
  }

  std::pair<int, std::string> events(std::string_view reason) { return cluster_.events(reason); }

  void settle() {
    world_.run_for(2s);
    EXPECT_TRUE(world_.run_until([this] { return program_.lock()->service.is_idle(); }, 1min));
    world_.run_for(1s);
  }

  ModelCluster cluster_;
  sim::World world_;
  std::weak_ptr<Program> program_;
  env::Metrics* metrics_ = nullptr;
};

TEST_F(SchedulerInACluster, BindsPodsWhereTheyFitAndSaysSo) {
  put_node("n1", R"({"cpu":"2"})");
  put_node("n2", R"({"cpu":"2"})");
  for (const char* name : {"a", "b", "c", "d"}) put_pod(name, R"({"cpu":"1"})");
  settle();
  std::map<std::string, int> pods;
  for (const char* name : {"a", "b", "c", "d"}) ++pods[node_of(name)];
  EXPECT_EQ(pods, (std::map<std::string, int>{{"n1", 2}, {"n2", 2}}));
  EXPECT_EQ(events("Scheduled").first, 4);
  EXPECT_THAT(events("Scheduled").second, StartsWith("Successfully assigned ns/"));
  const std::string metrics = metrics_->exposition();
  EXPECT_THAT(metrics, HasSubstr("scheduler_schedule_attempts_total{profile=\"berth-scheduler\","
                                 "result=\"scheduled\"} 4"));
  EXPECT_THAT(metrics, HasSubstr("scheduler_pending_pods{queue=\"active\"} 0"));
}

TEST_F(SchedulerInACluster, SaysWhyAPodWaitsAndTriesAgainWhenThatMayHelp) {
  put_node("n1", R"({"cpu":"2"})");
  put_pod("big", R"({"cpu":"3"})");
  settle();
  EXPECT_EQ(node_of("big"), "");
  EXPECT_EQ(condition("big"), "Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.");
  EXPECT_EQ(events("FailedScheduling").first, 1);
  put_node("n2", R"({"cpu":"4"})");
  world_.run_for(2s);
  EXPECT_EQ(node_of("big"), "n2");
}

TEST_F(SchedulerInACluster, LeavesPodsOfOthersAlone) {
  put_node("n1", R"({"cpu":"2"})");
  put_pod("p", R"({"cpu":"1","spec":{"schedulerName":"default-scheduler"}})");
  settle();
  EXPECT_EQ(node_of("p"), "");
  EXPECT_EQ(condition("p"), "");
}

TEST_F(SchedulerInACluster, TellsGatedPodsOnceAndTakesThemWhenTheGateOpens) {
  put_node("n1", R"({"cpu":"2"})");
  put_pod("p", R"({"cpu":"1","spec":{"schedulingGates":[{"name":"wait"}]}})");
  settle();
  EXPECT_THAT(condition("p"), StartsWith("SchedulingGated: "));
  put_pod("p", R"({"cpu":"1"})");
  settle();
  EXPECT_EQ(node_of("p"), "n1");
}

TEST_F(SchedulerInACluster, NamesTheAnnotationThatHoldsTheRoomAndBindsWhenItIsGone) {
  put_node("n1", R"({"cpu":"6","annotations":{"reserve.cpu/a8f6f901":"5500m"}})");
  put_pod("p", R"({"cpu":"1","owner":"rs"})");
  settle();
  EXPECT_EQ(node_of("p"), "");
  EXPECT_THAT(condition("p"), HasSubstr("reserve.cpu/a8f6f901"));
  put_node("n1", R"({"cpu":"6"})");
  world_.run_for(1s);
  EXPECT_EQ(node_of("p"), "n1");
}

TEST_F(SchedulerInACluster, TellsTheNodeWhatIsWrongWithItsAnnotations) {
  put_node("n1", R"({"cpu":"6","annotations":{"reserve.cpu/x":"much"}})");
  put_pod("p", R"({"cpu":"1"})");
  settle();
  EXPECT_EQ(node_of("p"), "n1");
  EXPECT_EQ(events("InvalidReservation").first, 1);
  EXPECT_THAT(events("InvalidReservation").second, HasSubstr("reserve.cpu/x"));
}

TEST_F(SchedulerInACluster, KeepsReservedRoomForThePodItIsFor) {
  put_node("n1", R"({"cpu":"2"})");
  put_reservation("r", R"({"nodeName":"n1","resources":{"cpu":"2"},"owner":{"uid":"rs"}})");
  put_pod("other", R"({"cpu":"1","owner":"else"})");
  settle();
  EXPECT_EQ(node_of("other"), "");
  EXPECT_THAT(condition("other"), HasSubstr("PodReservation ns/r"));
  put_pod("rebuilt", R"({"cpu":"2","owner":"rs"})");
  settle();
  EXPECT_EQ(node_of("rebuilt"), "n1");
  const Value& pod = *cluster_.find_pod("ns/rebuilt");
  EXPECT_EQ(api::Metadata(pod).annotations().find(kClaimAnnotation).value_or(""),
            uid_of(pod_reservations_resource(), "ns/r"));
}

TEST_F(SchedulerInACluster, OpensTheRoomWhenTheTimeOfAReservationIsOver) {
  world_.run_for(1s);
  put_node("n1", R"({"cpu":"2"})");
  // Long over, but for the margin of clocks that differ.
  put_reservation("r", R"({"nodeName":"n1","resources":{"cpu":"2"},"owner":{"uid":"rs"},
      "expireTime":"1999-01-01T00:00:00Z"})");
  put_reservation("end", R"({"nodeName":"n1","resources":{"cpu":"1"},"owner":{"uid":"rs"},
      "expireTime":"9999-12-31T23:59:59Z"})");
  put_pod("one", R"({"cpu":"1","owner":"else"})");
  put_pod("two", R"({"cpu":"1","owner":"else"})");
  world_.run_for(1min);
  EXPECT_EQ(node_of("one"), "n1");
  EXPECT_EQ(node_of("two"), "");
}

TEST_F(SchedulerInACluster, TriesAgainWhenTheServerRefusesToBind) {
  put_node("n1", R"({"cpu":"2"})");
  cluster_.mishap = ModelCluster::Mishap::Forbidden;
  cluster_.mishaps = 2;
  put_pod("p", R"({"cpu":"1"})");
  world_.run_for(1s);
  EXPECT_EQ(condition("p"), "SchedulerError: not you");
  world_.run_for(30s);
  EXPECT_EQ(node_of("p"), "n1");
  EXPECT_EQ(cluster_.bindings, 3);
}

// The binding was made, but the answer is lost: the room must not be given to another one.
TEST_F(SchedulerInACluster, KeepsARoomWhileItIsNotKnownWhetherThePodIsBound) {
  put_node("n1", R"({"cpu":"2"})");
  settle();
  cluster_.on_bound = [this](const std::string&, const std::string&) {
    world_.fabric().block("server", "berth");
    world_.fabric().cut_streams("server", "berth");
  };
  put_pod("a", R"({"cpu":"2"})");
  put_pod("b", R"({"cpu":"2"})");
  world_.run_for(20s);
  world_.fabric().heal();
  cluster_.on_bound = [](const std::string&, const std::string&) {};
  world_.run_for(3min);
  EXPECT_NE(node_of("a").empty(), node_of("b").empty());
  EXPECT_TRUE(program_.lock()->service.is_idle());
  EXPECT_EQ(program_.lock()->service.scheduling().assumed(), 0U);
}

TEST_F(SchedulerInACluster, HearsFromTheWatchThatABindingSucceededAfterAll) {
  put_node("n1", R"({"cpu":"2"})");
  cluster_.mishap = ModelCluster::Mishap::ErrorAfterAll;
  cluster_.mishaps = 1;
  put_pod("a", R"({"cpu":"2"})");
  settle();
  world_.run_for(10s);
  EXPECT_EQ(node_of("a"), "n1");
  EXPECT_EQ(cluster_.bindings, 1);
  EXPECT_EQ(program_.lock()->service.scheduling().assumed(), 0U);
}

TEST_F(SchedulerInACluster, SendsTheSameBindingAgainWhenTheServerIsInTrouble) {
  put_node("n1", R"({"cpu":"2"})");
  cluster_.mishap = ModelCluster::Mishap::Error;
  cluster_.mishaps = 3;
  put_pod("a", R"({"cpu":"2"})");
  world_.run_for(20s);
  EXPECT_EQ(node_of("a"), "n1");
  EXPECT_EQ(cluster_.bindings, 4);
}

TEST_F(SchedulerInACluster, ASecondOneGoesOnWhereTheFirstEnded) {
  put_node("n1", R"({"cpu":"2"})");
  put_pod("a", R"({"cpu":"1"})");
  settle();
  world_.node("berth").crash(sim::Crash::Process);
  put_pod("b", R"({"cpu":"1"})");
  put_pod("c", R"({"cpu":"1"})");
  start();
  settle();
  EXPECT_NE(node_of("b").empty(), node_of("c").empty());
  EXPECT_TRUE(node_of("b") == "n1" || node_of("c") == "n1");
}

}  // namespace
}  // namespace berth::nodes
