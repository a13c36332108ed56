#include "nodes/scheduling.h"

#include <gtest/gtest.h>

#include "nodes/testing/cluster_builder.h"

namespace berth::nodes {
namespace {

using namespace std::chrono_literals;

class Scheduler : public ::testing::Test {
 protected:
  Now now() const { return {Instant(time_), Time(time_)}; }
  void node(std::string_view name, std::string_view extra = "{}") {
    EXPECT_TRUE(state_.put_node(testing::node(name, extra)).ok());
  }
  void pod(std::string_view name, std::string_view extra = "{}") {
    EXPECT_TRUE(state_.put_pod(testing::pod(name, extra), now()).ok());
  }
  void reserve(std::string_view uid, std::string_view node, std::string_view cpu,
               std::string_view owner, std::optional<Time> expires = std::nullopt) {
    Reservation made{.key = {"ns", std::string(uid)}, .node = std::string(node)};
    made.resources.set("cpu", api::Quantity::parse(cpu).value());
    made.owner.uid = owner;
    made.expires = expires;
    json::Value object = made.to_json();
    object["metadata"]["uid"] = uid;
    EXPECT_TRUE(state_.put_reservation(object, now()).ok());
  }

  // What comes next: "bind p n", "refuse p: why", "gated p"; "" when nothing does.
  std::string next() {
    const auto step = state_.next(now());
    if (!step) return "";
    if (const auto* bind = std::get_if<BindPod>(&*step)) {
      return fmt::format("bind {} {}{}", bind->pod.key.name, bind->node,
                         bind->claim.empty() ? "" : " claims " + bind->claim);
    }
    if (const auto* refusal = std::get_if<RefusePod>(&*step)) {
      return fmt::format("refuse {}: {}", refusal->pod.key.name, refusal->message);
    }
    return fmt::format("gated {}", std::get<GatedPod>(*step).pod.key.name);
  }

  Duration time_ = 1000s;
  Scheduling state_{{.profiles = {default_profile()}}};
};

TEST_F(Scheduler, AssumesWhatItDecides) {
  node("n", R"({"cpu":"2"})");
  pod("a", R"({"cpu":"1500m"})");
  pod("b", R"({"cpu":"1500m"})");
  EXPECT_EQ(next(), "bind a n");
  EXPECT_EQ(next(), "refuse b: 0/1 nodes are available: 1 Insufficient cpu.");
  EXPECT_EQ(next(), "");
  EXPECT_EQ(state_.assumed(), 1u);
}

TEST_F(Scheduler, ForgetsABindingThatFailed) {
  node("n", R"({"cpu":"2"})");
  pod("a", R"({"cpu":"1500m"})");
  pod("b", R"({"cpu":"1500m"})");
  next();
  next();
  time_ += 5s;
  state_.on_bind_failed("uid-a", now());
  EXPECT_EQ(next(), "bind b n");
  time_ += 10s;
  EXPECT_EQ(next(), "refuse a: 0/1 nodes are available: 1 Insufficient cpu.");
}

TEST_F(Scheduler, DoesNotBelieveOldNewsOfABoundPod) {
  node("n");
  pod("a", R"({"cpu":"1"})");
  EXPECT_EQ(next(), "bind a n");
  pod("a", R"({"cpu":"1","labels":{"x":"y"}})");  // From before the binding.
  state_.on_bound("uid-a");
  pod("a", R"({"cpu":"1","labels":{"x":"z"}})");  // Also.
  EXPECT_EQ(next(), "");
  EXPECT_EQ(state_.snapshot().free(kCpu)[0], 3000);
  pod("a", R"({"cpu":"1","node":"n"})");
  EXPECT_EQ(state_.assumed(), 0u);
  state_.on_bind_failed("uid-a", now());  // An answer that came too late.
  EXPECT_EQ(state_.snapshot().free(kCpu)[0], 3000);
}

TEST_F(Scheduler, WakesOnlyThoseWhomTheChangeHelps) {
  node("n", R"({"cpu":"2"})");
  pod("x", R"({"cpu":"2","node":"n"})");
  pod("small", R"({"cpu":"1"})");
  pod("large", R"({"cpu":"4"})");
  next();
  next();
  time_ += 10s;
  state_.remove_pod("uid-x");
  EXPECT_EQ(next(), "bind small n");
  EXPECT_EQ(next(), "");
  time_ += 10s;
  node("m", R"({"cpu":"8"})");
  EXPECT_EQ(next(), "bind large m");
}

TEST_F(Scheduler, BindsAtOnceWhoIsLetInHoweverOftenHeWasRefused) {
  node("n", R"({"cpu":"2"})");
  reserve("r", "n", "2", "d");
  pod("a", R"({"cpu":"1"})");
  EXPECT_EQ(next().substr(0, 8), "refuse a");
  pod("a", R"({"cpu":"1","labels":{"x":"y"}})");
  EXPECT_EQ(next(), "") << "nobody knows whether that helps";
  time_ += 1s;
  EXPECT_EQ(next().substr(0, 8), "refuse a");
  state_.remove_reservation("r");
  EXPECT_EQ(next(), "bind a n");
}

TEST_F(Scheduler, TriesAgainWhenATaintGoes) {
  node("n", R"({"taints":[{"key":"k","effect":"NoSchedule"}]})");
  pod("a");
  EXPECT_EQ(next().substr(0, 8), "refuse a");
  time_ += 10s;
  node("n", R"({"taints":[{"key":"k","effect":"NoSchedule"}]})");
  EXPECT_EQ(next(), "");
  node("n");
  EXPECT_EQ(next(), "bind a n");
}

TEST_F(Scheduler, FreesTheRoomWhenTheReservationEnds) {
  node("n", R"({"cpu":"2"})");
  reserve("r", "n", "2", "d", Time(1100s));
  pod("other", R"({"cpu":"1"})");
  EXPECT_NE(next().find("because of reserved room (PodReservation ns/r"), std::string::npos);
  time_ = 1104s;
  state_.expire(now());
  EXPECT_EQ(next(), "");
  EXPECT_EQ(state_.next_expiry(), Time(1105s));
  time_ = 1105s;
  state_.expire(now());
  EXPECT_EQ(next(), "bind other n");
  reserve("r", "n", "2", "d", Time(1100s));  // Late news of it.
  EXPECT_TRUE(state_.snapshot().all_holds().empty());
}

TEST_F(Scheduler, RecordsTheClaimWithTheBinding) {
  node("n", R"({"cpu":"2"})");
  reserve("r", "n", "1", "d");
  pod("a", R"({"cpu":"1","owner":"d"})");
  pod("b", R"({"cpu":"2","owner":"d"})");
  EXPECT_EQ(next(), "bind a n claims r");
  EXPECT_TRUE(state_.snapshot().is_claimed("r"));
  time_ += 10s;
  state_.on_bind_failed("uid-a", now());
  EXPECT_FALSE(state_.snapshot().is_claimed("r"));
}

TEST_F(Scheduler, FindsTheOwnerBehindTheReplicaSetWhenItComesLate) {
  node("n", R"({"cpu":"2"})");
  reserve("r", "n", "2", "d");
  pod("a", R"({"cpu":"1","owner":"rs"})");
  EXPECT_EQ(next().substr(0, 8), "refuse a");
  time_ += 10s;
  state_.put_replica_set(testing::parsed(R"({"metadata":{"uid":"rs","ownerReferences":[
      {"kind":"Deployment","name":"d","uid":"d","controller":true}]}})"));
  EXPECT_EQ(next(), "bind a n claims r");
}

TEST_F(Scheduler, RefusesAloudWhatItCannotDo) {
  node("n");
  pod("a", R"({"spec":{"volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"c"}}]}})");
  EXPECT_EQ(next(),
            "refuse a: 0/1 nodes are available: berth-scheduler does not support volume \"v\" "
            "(persistentVolumeClaim) yet.");
  time_ += 10s;
  node("m");
  EXPECT_EQ(next(), "");  // No node can help.
  pod("a");
  EXPECT_EQ(next().substr(0, 6), "bind a");
}

TEST_F(Scheduler, TellsImportantPodsThatNobodyIsEvictedForThem) {
  node("n", R"({"cpu":"2"})");
  pod("x", R"({"cpu":"2","node":"n"})");
  pod("important", R"({"cpu":"1","priority":1000})");
  EXPECT_EQ(next(),
            "refuse important: 0/1 nodes are available: 1 Insufficient cpu. preemption: not "
            "supported, nobody is evicted for it.");
  pod("patient", R"({"cpu":"1","priority":1000,"spec":{"preemptionPolicy":"Never"}})");
  EXPECT_EQ(next(), "refuse patient: 0/1 nodes are available: 1 Insufficient cpu.");
}

TEST_F(Scheduler, TellsGatedPodsOnceAndPlacesThemWhenTheGatesOpen) {
  node("n");
  pod("a", R"({"spec":{"schedulingGates":[{"name":"g"}]}})");
  EXPECT_EQ(next(), "gated a");
  EXPECT_EQ(next(), "");
  pod("a");
  EXPECT_EQ(next(), "bind a n");
}

TEST_F(Scheduler, LeavesOthersPodsAlone) {
  node("n");
  pod("a", R"({"spec":{"schedulerName":"default-scheduler"}})");
  pod("b", R"({"deleting":true})");
  pod("c", R"({"phase":"Failed"})");
  EXPECT_EQ(next(), "");
}

TEST_F(Scheduler, DoesNotTryAgainBecauseOfItsOwnConditions) {
  node("n", R"({"cpu":"1"})");
  pod("a", R"({"cpu":"2"})");
  next();
  time_ += 10s;
  json::Value told = testing::pod("a", R"({"cpu":"2"})");
  told["status"]["conditions"] = testing::parsed(R"([{"type":"PodScheduled","status":"False"}])");
  EXPECT_TRUE(state_.put_pod(told, now()).ok());
  EXPECT_EQ(next(), "");
}

TEST_F(Scheduler, RespectsTheAntiAffinityOfPodsThatLeave) {
  node("n");
  pod("x", R"({"node":"n","spec":{"affinity":{"podAntiAffinity":{
      "requiredDuringSchedulingIgnoredDuringExecution":[
        {"topologyKey":"kubernetes.io/hostname","labelSelector":{}}]}}}})");
  pod("a");
  EXPECT_EQ(next(),
            "refuse a: 0/1 nodes are available: 1 node(s) didn't satisfy existing pods "
            "anti-affinity rules.");
  time_ += 10s;
  state_.remove_pod("uid-x");
  EXPECT_EQ(next(), "bind a n");
}

TEST_F(Scheduler, SurvivesObjectsThatCannotBeRead) {
  node("n");
  EXPECT_FALSE(state_.put_node(testing::node("m", R"({"cpu":"x"})")).ok());
  EXPECT_FALSE(state_.put_pod(testing::pod("a", R"({"cpu":"x"})"), now()).ok());
  EXPECT_FALSE(
      state_
          .put_reservation(
              testing::parsed(R"({"metadata":{"uid":"r"},"spec":{"resources":{"cpu":"x"}}})"),
              now())
          .ok());
  pod("b");
  EXPECT_EQ(next(), "bind b n");
}

TEST_F(Scheduler, ForgetsADeletedPodEverywhere) {
  node("n");
  pod("a");
  pod("b");
  next();
  state_.remove_pod("uid-a");
  state_.remove_pod("uid-b");
  EXPECT_EQ(next(), "");
  EXPECT_TRUE(state_.pod_uids().empty());
  EXPECT_EQ(state_.assumed(), 0u);
}

}  // namespace
}  // namespace berth::nodes
