#include "nodes/reservation_controller.h"

#include <memory>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "nodes/scheduler_service.h"
#include "nodes/testing/cluster_builder.h"
#include "nodes/testing/model_cluster_service.h"
#include "sim/world.h"

namespace berth::nodes {
namespace {

using namespace std::chrono_literals;
using json::Value;
using ::testing::HasSubstr;
using testing::ModelCluster;
using testing::parsed;

const client::Gvr kDeployments{"apps", "v1", "deployments"};

// The controller beside the scheduler, as in a cluster; each may be left out.
struct Program {
  Program(env::Env& env, bool controls)
      : api(env, client::testing::model_config("http"), {.rate = {.per_second = 0}}),
        recorder(env, api, {.controller = "reservation-controller", .instance = "test"}),
        scheduler(env, api, api, [] { return true; },
                  {.scheduling = {.profiles = {default_profile()}}}) {
    if (!controls) return;
    controller = std::make_unique<ReservationController>(env, api, recorder, [] { return true; });
  }

  client::Api api;
  control::RecorderService recorder;
  SchedulerService scheduler;
  std::unique_ptr<ReservationController> controller;
};

class Rebuilds : public ::testing::Test {
 protected:
  Rebuilds() : world_(sim::WorldOptions{}) {
    world_.add_node("server").start([this](std::span<env::Env> loops) {
      return std::shared_ptr<client::testing::ModelServer>(cluster_.serve(loops[0]));
    });
    world_.add_node("berth");
    put_node("n1");
    put_node("n2");
    cluster_.hub.put(kDeployments, parsed(R"({"metadata":{"name":"web","namespace":"ns"},
        "spec":{"replicas":1}})"));
    root_uid_ = uid_of(kDeployments, "ns/web");
    Value set = parsed(R"({"metadata":{"name":"web-1","namespace":"ns"},"spec":{"replicas":1}})");
    set["metadata"]["ownerReferences"] = Value::array({Value::object({{"apiVersion", "apps/v1"},
                                                                      {"kind", "Deployment"},
                                                                      {"name", "web"},
                                                                      {"uid", root_uid_},
                                                                      {"controller", true}})});
    cluster_.hub.put(replica_sets_resource(), std::move(set));
    set_uid_ = uid_of(replica_sets_resource(), "ns/web-1");
  }

  void start(bool controls) {
    world_.node("berth").start([this, controls](std::span<env::Env> loops) {
      auto program = std::make_shared<Program>(loops[0], controls);
      program_ = program;
      return program;
    });
    world_.run_for(2s);
  }

  void put_node(std::string_view name) {
    Value node = testing::node(name, R"({"cpu":"4"})");
    node["metadata"].erase("uid");
    node["status"]["conditions"] = parsed(R"([{"type":"Ready","status":"True"}])");
    cluster_.hub.put(nodes_resource(), std::move(node));
  }

  std::string uid_of(const client::Gvr& resource, const std::string& key) {
    return std::string(api::Metadata(*cluster_.hub.find(resource, key)).uid());
  }

  // Of the Deployment, with the label.
  void put_own_pod(std::string_view name, std::string_view extra) {
    Value pod = testing::pod(name, extra);
    pod["metadata"].erase("uid");
    pod["metadata"]["labels"] = Value::object({{kRebuildLabel, "true"}});
    pod["metadata"]["ownerReferences"] = Value::array({Value::object({{"apiVersion", "apps/v1"},
                                                                      {"kind", "ReplicaSet"},
                                                                      {"name", "web-1"},
                                                                      {"uid", set_uid_},
                                                                      {"controller", true}})});
    cluster_.hub.put(pods_resource(), std::move(pod));
  }
  void put_foreign_pod(std::string_view name, std::string_view extra) {
    Value pod = testing::pod(name, extra);
    pod["metadata"].erase("uid");
    cluster_.hub.put(pods_resource(), std::move(pod));
  }

  // "Active" or "Released/NotNeeded" of the only one; "" if there is none.
  std::string phase() {
    const auto& state = cluster_.hub.store(pod_reservations_resource()).state();
    if (state.empty()) return "";
    const Value& status = api::field(state.begin()->second, "status");
    const std::string reason = api::text_field(status, "reason");
    return api::text_field(status, "phase") + (reason.empty() ? "" : "/" + reason);
  }

  std::string node_of(const std::string& pod) { return cluster_.node_of("ns/" + pod); }

  // Both nodes are full, but for what the pod leaves on its own.
  void fill() {
    put_own_pod("old", R"({"cpu":"2","node":"n1"})");
    put_foreign_pod("rest1", R"({"cpu":"2","node":"n1"})");
    put_foreign_pod("rest2", R"({"cpu":"4","node":"n2"})");
    put_foreign_pod("competitor", R"({"cpu":"1"})");
    world_.run_for(2s);
  }

  // As kubectl delete does it: the owner makes a new one while the old one is still there.
  void rebuild() {
    cluster_.begin_deletion("ns/old");
    world_.run_for(500ms);
    put_own_pod("new", R"({"cpu":"2"})");
    world_.run_for(1s);
    EXPECT_EQ(node_of("competitor"), "");
    cluster_.erase_pod("ns/old");
    world_.run_for(20s);
  }

  ModelCluster cluster_;
  sim::World world_;
  std::weak_ptr<Program> program_;
  std::string root_uid_;
  std::string set_uid_;
};

TEST_F(Rebuilds, ComeBackToTheirNodeWhileACompetitorWaits) {
  start(true);
  fill();
  rebuild();
  EXPECT_EQ(node_of("new"), "n1");
  EXPECT_EQ(node_of("competitor"), "");
  EXPECT_EQ(phase(), "Bound");
}

TEST_F(Rebuilds, LoseTheirRoomWithoutTheController) {
  start(false);
  fill();
  rebuild();
  EXPECT_EQ(node_of("new"), "");
  EXPECT_EQ(node_of("competitor"), "n1");
}

TEST_F(Rebuilds, LeaveTheRoomToOthersWhenTheyAreNotWantedAnyMore) {
  start(true);
  fill();
  cluster_.begin_deletion("ns/old");
  world_.run_for(1s);
  EXPECT_EQ(phase(), "Holding");
  cluster_.erase_pod("ns/old");
  world_.run_for(1s);
  EXPECT_EQ(phase(), "Active");
  EXPECT_EQ(node_of("competitor"), "");
  put_foreign_pod("second", R"({"cpu":"1"})");
  world_.run_for(1s);
  EXPECT_THAT(cluster_.scheduled_condition("ns/second"), HasSubstr("PodReservation ns/r-"));
  cluster_.hub.put(kDeployments, parsed(R"({"metadata":{"name":"web","namespace":"ns"},
      "spec":{"replicas":0}})"));
  world_.run_for(20s);
  EXPECT_EQ(phase(), "Released/NotNeeded");
  EXPECT_EQ(node_of("competitor"), "n1");
  EXPECT_EQ(node_of("second"), "n1");
}

TEST_F(Rebuilds, EndWithTheTime) {
  start(true);
  fill();
  cluster_.begin_deletion("ns/old");
  world_.run_for(1s);
  cluster_.erase_pod("ns/old");
  world_.run_for(4min);
  EXPECT_EQ(node_of("competitor"), "");
  world_.run_for(2min);
  EXPECT_EQ(phase(), "Expired/TimeIsOver");
  EXPECT_EQ(node_of("competitor"), "n1");
  world_.run_for(15min);
  EXPECT_EQ(phase(), "");
  EXPECT_TRUE(program_.lock()->controller->is_idle());
}

TEST_F(Rebuilds, TellTheDeploymentWhatItsPodsSayWrongly) {
  start(true);
  put_own_pod("old", R"({"cpu":"2","node":"n1"})");
  Value pod = *cluster_.hub.find(pods_resource(), "ns/old");
  pod["metadata"]["annotations"][kTtlAnnotation] = "for ever";
  cluster_.hub.put(pods_resource(), std::move(pod));
  world_.run_for(2s);
  const auto [count, note] = cluster_.events("InvalidRebuildRequest");
  EXPECT_EQ(count, 1);
  EXPECT_THAT(note, HasSubstr("pod old: reserve.berth.dev/ttl is \"for ever\""));
}

TEST_F(Rebuilds, SurviveTheControllersDeath) {
  start(true);
  fill();
  cluster_.begin_deletion("ns/old");
  world_.run_for(1s);
  world_.node("berth").crash(sim::Crash::Process);
  cluster_.erase_pod("ns/old");
  put_own_pod("new", R"({"cpu":"2"})");
  start(true);
  world_.run_for(20s);
  EXPECT_EQ(node_of("new"), "n1");
  EXPECT_EQ(node_of("competitor"), "");
  EXPECT_EQ(phase(), "Bound");
}

}  // namespace
}  // namespace berth::nodes
