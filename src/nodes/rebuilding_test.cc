#include "nodes/rebuilding.h"

#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "nodes/testing/cluster_builder.h"

namespace berth::nodes {
namespace {

using namespace std::chrono_literals;
using json::Value;
using ::testing::HasSubstr;
using testing::parsed;

const Time kNow = Time::from_unix(1'767'225'600);  // 2026-01-01T00:00:00Z

// A server in small: what plan() says is done and seen at once.
class RebuiltPods : public ::testing::Test {
 protected:
  RebuiltPods() {
    put_node("n1");
    put_node("n2");
    put_deployment(1);
    put_set("rs1");
  }

  void put(RebuildKind kind, const Value& object) {
    EXPECT_TRUE(rebuilding_.put(kind, object, now_).ok());
    settle();
  }

  void put_node(std::string_view name, std::string_view extra = "{}") {
    Value node = testing::node(name, extra);
    if (!node.find_path({"status", "conditions"})) {
      node["status"]["conditions"] = parsed(R"([{"type":"Ready","status":"True"}])");
    }
    put(RebuildKind::Nodes, node);
  }

  void put_deployment(int replicas) {
    put(RebuildKind::Deployments,
        parsed(fmt::format(R"({{"metadata":{{"name":"web","namespace":"ns","uid":"d"}},
            "spec":{{"replicas":{}}}}})",
                           replicas)));
  }

  void put_set(std::string_view uid) {
    put(RebuildKind::ReplicaSets,
        parsed(fmt::format(R"({{"metadata":{{"name":"web-{0}","namespace":"ns","uid":"{0}",
            "ownerReferences":[{{"apiVersion":"apps/v1","kind":"Deployment","name":"web","uid":"d",
            "controller":true}}]}},"spec":{{"replicas":1}}}})",
                           uid)));
  }

  // Of ReplicaSet rs1 unless it says otherwise, with the label.
  Value pod(std::string_view name, std::string_view extra, std::string_view annotations = "{}") {
    Value object = testing::pod(name, extra);
    const Value added = parsed(annotations);
    for (const auto& annotation : added.members()) {
      object["metadata"]["annotations"][annotation.name()] = annotation.value;
    }
    if (!object.find_path({"metadata", "labels"})) {
      object["metadata"]["labels"] = Value::object({{kRebuildLabel, "true"}});
    }
    return object;
  }
  static void set_owner_kind(Value& object, std::string_view kind) {
    Value reference = api::elements_field(object["metadata"], "ownerReferences")[0];
    reference["kind"] = kind;
    object["metadata"]["ownerReferences"] = Value::array({reference});
  }
  void put_pod(std::string_view name, std::string_view extra) {
    put(RebuildKind::Pods, pod(name, extra));
  }
  void remove_pod(const std::string& name) {
    rebuilding_.remove(RebuildKind::Pods, "uid-" + name, now_);
    settle();
  }

  void settle() {
    for (int i = 0; i < 10; ++i) {
      const auto due = rebuilding_.take_due();
      if (due.empty()) return;
      for (const std::string& root : due) carry_out(rebuilding_.plan(root, now_));
    }
    FAIL() << "it never comes to rest";
  }

  void carry_out(const RebuildSteps& steps) {
    for (const Reservation& made : steps.create) {
      ASSERT_FALSE(objects_.contains(made.key.name)) << made.key.name;
      Value object = made.to_json();
      object["metadata"]["uid"] = "uid-" + made.key.name;
      store(object);
    }
    for (const auto& change : steps.change) store(change.after);
    for (const Value& object : steps.remove) {
      objects_.erase(std::string(api::Metadata(object).name()));
      rebuilding_.remove(RebuildKind::Reservations, std::string(api::Metadata(object).uid()), now_);
    }
    for (const auto& declined : steps.declined) declined_.push_back(declined.reason);
    for (const auto& misread : steps.misread) {
      misread_.push_back(
          fmt::format("{} of {}: {}", misread.pod.name, misread.owner.name, misread.reason));
    }
    look_again_ = steps.look_again;
  }

  void store(const Value& object) {
    objects_[std::string(api::Metadata(object).name())] = object;
    EXPECT_TRUE(rebuilding_.put(RebuildKind::Reservations, object, now_).ok());
  }

  void advance(Duration length) {
    now_ += length;
    for (const char* root : {"d", "st", "j", "custom"}) carry_out(rebuilding_.plan(root, now_));
    settle();
  }

  // "uid-a=Active", in the order of names.
  std::string phases() {
    std::string text;
    for (const auto& [name, object] : objects_) {
      const Value& status = api::field(object, "status");
      const std::string reason = api::text_field(status, "reason");
      text += fmt::format("{}{}={}{}", text.empty() ? "" : " ", name.substr(2),
                          api::text_field(status, "phase"), reason.empty() ? "" : "/" + reason);
    }
    return text;
  }

  Time now_ = kNow;
  Rebuilding rebuilding_;
  std::map<std::string, Value> objects_;
  std::vector<std::string> declined_;
  std::vector<std::string> misread_;
  std::optional<Time> look_again_;
};

constexpr std::string_view kBound = R"({"cpu":"1","node":"n1","owner":"rs1"})";
constexpr std::string_view kLeaving = R"({"cpu":"1","node":"n1","owner":"rs1","deleting":1})";

TEST_F(RebuiltPods, KeepTheirRoomFromTheDeletionUntilTheirSuccessorIsBound) {
  put_pod("a", kBound);
  EXPECT_EQ(phases(), "");
  put_pod("a", kLeaving);
  EXPECT_EQ(phases(), "uid-a=Holding");
  put_pod("b", R"({"cpu":"1","owner":"rs1"})");  // It waits.
  remove_pod("a");
  EXPECT_EQ(phases(), "uid-a=Active");
  put_pod("b", R"({"cpu":"1","owner":"rs1","node":"n1","claim":"uid-r-uid-a"})");
  EXPECT_EQ(phases(), "uid-a=Bound");
  EXPECT_EQ(api::text_field(*objects_["r-uid-a"].find_path({"status", "boundPod"}), "name"), "b");
}

TEST_F(RebuiltPods, ReserveWhatThePodHad) {
  put_pod("a", R"({"cpu":"1500m","memory":"1Gi","node":"n1","owner":"rs1","priority":7,
      "ports":[80],"deleting":1})");
  const Reservation made = Reservation::from_json(objects_["r-uid-a"]).value();
  EXPECT_EQ(made.node, "n1");
  EXPECT_EQ(made.node_uid, "uid-n1");
  EXPECT_EQ(made.resources.amount("cpu").to_string(), "1500m");
  EXPECT_EQ(made.resources.amount("memory").to_string(), "1Gi");
  EXPECT_EQ(made.resources.amount("pods").to_string(), "1");
  ASSERT_EQ(made.ports.size(), 1U);
  EXPECT_EQ(made.ports[0].port, 80);
  EXPECT_EQ(made.priority, 7);
  EXPECT_EQ(made.owner.uid, "d");
  EXPECT_EQ(made.owner.kind, "Deployment");
  EXPECT_EQ(made.predecessor_uid, "uid-a");
  EXPECT_EQ(made.successor_name, "");
  EXPECT_EQ(made.expires, kNow + 5min);
}

TEST_F(RebuiltPods, HaveToAskForIt) {
  put_pod("a", R"({"node":"n1","owner":"rs1","deleting":1,"labels":{"a":"b"}})");
  EXPECT_EQ(phases(), "");
  put(RebuildKind::Namespaces, parsed(R"({"metadata":{"name":"ns","uid":"ns",
      "labels":{"reserve.berth.dev/rebuild":"true"}}})"));
  put_pod("b", R"({"node":"n1","owner":"rs1","deleting":1,
      "labels":{"reserve.berth.dev/rebuild":"false"}})");
  put_pod("c", R"({"node":"n1","owner":"rs1","deleting":1,"labels":{"a":"b"}})");
  EXPECT_EQ(phases(), "uid-a=Holding");  // One is needed, and one is enough.
}

TEST_F(RebuiltPods, KeepNothingWhenTheirOwnerWantsFewer) {
  put_deployment(2);
  put_pod("a", kBound);
  put_pod("b", kBound);
  put_deployment(1);
  put_pod("a", kLeaving);
  EXPECT_EQ(phases(), "");
  put_pod("b", kLeaving);
  EXPECT_EQ(phases(), "uid-a=Holding");
  put_deployment(0);
  EXPECT_EQ(phases(), "uid-a=Released/NotNeeded");
}

TEST_F(RebuiltPods, KeepNothingInARolloutThatHasItsNewPodAlready) {
  put_pod("old", kBound);
  put_set("rs2");
  put_pod("new", R"({"cpu":"1","node":"n2","owner":"rs2"})");
  put_pod("old", kLeaving);
  EXPECT_EQ(phases(), "");
}

TEST_F(RebuiltPods, OfAnotherReplicaSetOfTheSameDeploymentAreSuccessors) {
  put_pod("old", kLeaving);
  EXPECT_EQ(phases(), "uid-old=Holding");
  put_set("rs2");
  put_pod("new", R"({"cpu":"1","node":"n1","owner":"rs2"})");
  EXPECT_EQ(phases(), "uid-old=Released/NotNeeded");
}

TEST_F(RebuiltPods, ReleaseTheHoldOfTheNodeWhereOneCameBack) {
  put_deployment(2);
  put_pod("a", kLeaving);
  put_pod("b", R"({"cpu":"1","node":"n2","owner":"rs1","deleting":1})");
  EXPECT_EQ(phases(), "uid-a=Holding uid-b=Holding");
  put_pod("c", R"({"cpu":"1","node":"n1","owner":"rs1"})");
  EXPECT_EQ(phases(), "uid-a=Released/NotNeeded uid-b=Holding");
}

TEST_F(RebuiltPods, ThatVanishWithoutAWordKeepTheirRoomToo) {
  put_pod("a", kBound);
  remove_pod("a");
  EXPECT_EQ(phases(), "uid-a=Active");
}

TEST_F(RebuiltPods, ThatFailWhileWeLookKeepTheirRoom) {
  put_pod("a", kBound);
  put_pod("a", R"({"cpu":"1","node":"n1","owner":"rs1","phase":"Failed"})");
  EXPECT_EQ(phases(), "uid-a=Active");
}

TEST_F(RebuiltPods, ThatFailedBeforeWeLookedDoNot) {
  put_pod("a", R"({"cpu":"1","node":"n1","owner":"rs1","phase":"Failed"})");
  EXPECT_EQ(phases(), "");
}

TEST_F(RebuiltPods, ThatHadToGiveWayDoNot) {
  Value object = pod("a", kLeaving);
  object["status"]["conditions"] = parsed(R"([{"type":"DisruptionTarget","status":"True",
      "reason":"PreemptionByScheduler"}])");
  put(RebuildKind::Pods, object);
  EXPECT_EQ(phases(), "");
}

TEST_F(RebuiltPods, ThatTheirNodeCouldNotBearDoNot) {
  Value object = pod("a", kLeaving);
  object["status"]["conditions"] = parsed(R"([{"type":"DisruptionTarget","status":"True",
      "reason":"TerminationByKubelet"}])");
  put(RebuildKind::Pods, object);
  EXPECT_EQ(phases(), "");
}

TEST_F(RebuiltPods, ThatAreEvictedThroughTheApiKeepTheirRoom) {
  Value object = pod("a", kLeaving);
  object["status"]["conditions"] = parsed(R"([{"type":"DisruptionTarget","status":"True",
      "reason":"EvictionByEvictionAPI"}])");
  put(RebuildKind::Pods, object);
  EXPECT_EQ(phases(), "uid-a=Holding");
}

TEST_F(RebuiltPods, DoNotComeBackToANodeThatIsDrained) {
  put_node("n1", R"({"unschedulable":true})");
  put_pod("a", kLeaving);
  EXPECT_EQ(phases(), "");
}

TEST_F(RebuiltPods, LoseTheirRoomWithTheNode) {
  put_pod("a", kLeaving);
  put_node("n1", R"({"unschedulable":true})");
  EXPECT_EQ(phases(), "uid-a=Released/NodeUnschedulable");
}

TEST_F(RebuiltPods, LoseTheirRoomWhenTheNodeIsAnotherOne) {
  put_pod("a", kLeaving);
  put_node("n1", R"({"uid":"other"})");
  EXPECT_EQ(phases(), "uid-a=Released/NodeGone");
}

TEST_F(RebuiltPods, HaveOnlySoMuchTime) {
  put_pod("a", kLeaving);
  remove_pod("a");
  EXPECT_EQ(look_again_, kNow + 5min);
  advance(5min);
  EXPECT_EQ(phases(), "uid-a=Expired/TimeIsOver");
  advance(9min);
  EXPECT_EQ(phases(), "uid-a=Expired/TimeIsOver");
  advance(1min);
  EXPECT_EQ(phases(), "");
}

TEST_F(RebuiltPods, HaveTheTimeThatTheyAskForUpToAnHour) {
  const auto time_for = [this](std::string_view wish) {
    put(RebuildKind::Pods,
        pod("a", kLeaving, fmt::format(R"({{"reserve.berth.dev/ttl":"{}"}})", wish)));
    const Reservation made = Reservation::from_json(objects_.at("r-uid-a")).value();
    remove_pod("a");
    rebuilding_.remove(RebuildKind::Reservations, "uid-r-uid-a", now_);
    objects_.clear();
    return made.expires.value() - now_;
  };
  EXPECT_EQ(time_for("90s"), 90s);
  EXPECT_EQ(time_for("1h"), 1h);
  EXPECT_EQ(time_for("24h"), 1h);
  EXPECT_THAT(misread_, ::testing::IsEmpty());
  for (const char* nonsense : {"", "ten", "10", "-1m", "0s"}) {
    EXPECT_EQ(time_for(nonsense), 5min) << nonsense;
  }
  EXPECT_THAT(misread_, ::testing::Contains(
                            "a of web: reserve.berth.dev/ttl is \"ten\", not a length of time such "
                            "as 10m: the usual counts"));
}

TEST_F(RebuiltPods, SayWhetherTheyGoBackFirstOrLast) {
  put_deployment(3);
  const auto policy_for = [this](const std::string& name, std::string_view wish) {
    put(RebuildKind::Pods, pod(name, R"({"node":"n1","owner":"rs1","deleting":1})",
                               fmt::format(R"({{"reserve.berth.dev/policy":"{}"}})", wish)));
    return Reservation::from_json(objects_.at("r-uid-" + name)).value().policy;
  };
  EXPECT_EQ(policy_for("a", "Prefer"), HoldPolicy::Prefer);
  EXPECT_EQ(policy_for("b", "FallbackOnly"), HoldPolicy::FallbackOnly);
  EXPECT_THAT(misread_, ::testing::IsEmpty());
  EXPECT_EQ(policy_for("c", "fallback"), HoldPolicy::Prefer);
  EXPECT_THAT(misread_, ::testing::ElementsAre(
                            "c of web: reserve.berth.dev/policy is \"fallback\", not Prefer or "
                            "FallbackOnly: Prefer counts"));
}

TEST_F(RebuiltPods, WhoseLabelMakesNoSenseTellTheirOwnerOnce) {
  const std::string yes =
      R"({"node":"n1","owner":"rs1","labels":{"reserve.berth.dev/rebuild":"yes"})";
  put_pod("a", yes + "}");
  put_pod("b", yes + "}");
  put_pod("a", yes + R"(,"deleting":1})");
  EXPECT_EQ(phases(), "");
  const std::string told =
      "of web: reserve.berth.dev/rebuild is \"yes\", not true or false: no room is kept";
  EXPECT_THAT(misread_, ::testing::ElementsAre("a " + told));
  remove_pod("a");
  put_pod("b", R"({"node":"n1","owner":"rs1"})");
  put_pod("c", yes + "}");  // Somebody brought it back.
  EXPECT_THAT(misread_, ::testing::ElementsAre("a " + told, "c " + told));
}

TEST_F(RebuiltPods, GetNoSecondReservationWhileTheyAreLeaving) {
  put_pod("a", kLeaving);
  advance(1h);
  EXPECT_EQ(phases(), "uid-a=Expired/TimeIsOver");
  put_pod("a", kLeaving);
  EXPECT_EQ(phases(), "uid-a=Expired/TimeIsOver");
}

TEST_F(RebuiltPods, OfAStatefulSetReserveForTheirOwnName) {
  put(RebuildKind::StatefulSets, parsed(R"({"metadata":{"name":"db","namespace":"ns","uid":"st"},
      "spec":{"replicas":2}})"));
  Value object = pod("db-0", R"({"cpu":"1","node":"n1","owner":"st","deleting":1})");
  set_owner_kind(object, "StatefulSet");
  put(RebuildKind::Pods, object);
  const Reservation made = Reservation::from_json(objects_["r-uid-db-0"]).value();
  EXPECT_EQ(made.successor_name, "db-0");
  EXPECT_EQ(made.owner.kind, "StatefulSet");
}

TEST_F(RebuiltPods, OfACustomKindAreCountedByItsScale) {
  Value object = pod("x", R"({"cpu":"1","node":"n1","owner":"custom","deleting":1})");
  set_owner_kind(object, "CloneSet");
  put(RebuildKind::Pods, object);
  EXPECT_EQ(phases(), "");
  const auto unscaled = rebuilding_.take_unscaled();
  ASSERT_EQ(unscaled.size(), 1U);
  EXPECT_EQ(unscaled[0].first.kind, "CloneSet");
  EXPECT_EQ(unscaled[0].second, "ns");
  rebuilding_.put_scale(unscaled[0].first, parsed(R"({"spec":{"replicas":1}})"));
  settle();
  EXPECT_EQ(phases(), "uid-x=Holding");
}

TEST_F(RebuiltPods, KeepNoMoreThanHalfOfANode) {
  put_deployment(3);
  put_pod("a", kLeaving);
  put_pod("b", kLeaving);
  put_pod("c", kLeaving);
  EXPECT_EQ(phases(), "uid-a=Holding uid-b=Holding");
  ASSERT_EQ(declined_.size(), 1U);
  EXPECT_THAT(declined_[0], HasSubstr("more than 50% of node n1"));
}

TEST_F(RebuiltPods, KeepNoMoreThanHalfOfTheClusterForOneNamespace) {
  rebuilding_ = Rebuilding({.node_percent_max = 100});
  for (const char* name : {"n1", "n2"}) put_node(name);
  put_deployment(5);
  put_set("rs1");
  put_pod("a", R"({"cpu":"4","node":"n1","owner":"rs1","deleting":1})");
  put_pod("b", R"({"cpu":"1m","node":"n2","owner":"rs1","deleting":1})");
  EXPECT_EQ(phases(), "uid-a=Holding");  // Of two nodes with four cores each.
  ASSERT_EQ(declined_.size(), 1U);
  EXPECT_THAT(declined_[0], HasSubstr("namespace ns would keep more than 50% of the cluster"));
}

TEST_F(RebuiltPods, AreFoundAgainByWhoeverBeginsAnewWhateverIsReadFirst) {
  put_pod("a", kLeaving);
  EXPECT_EQ(phases(), "uid-a=Holding");
  rebuilding_ = Rebuilding();
  const auto put_all = [this](RebuildKind kind, const Value& object) {
    EXPECT_TRUE(rebuilding_.put(kind, object, now_).ok());
  };
  put_all(RebuildKind::Pods, pod("a", kLeaving));
  put_all(RebuildKind::Reservations, objects_.at("r-uid-a"));
  Value node = testing::node("n1");
  node["status"]["conditions"] = parsed(R"([{"type":"Ready","status":"True"}])");
  put_all(RebuildKind::Nodes, node);
  put_all(RebuildKind::Deployments, parsed(R"({"metadata":{"name":"web","namespace":"ns",
      "uid":"d"},"spec":{"replicas":1}})"));
  put_set("rs1");
  EXPECT_EQ(phases(), "uid-a=Holding");
}

TEST_F(RebuiltPods, ThatNobodyMakesAreLeftAlone) {
  put_pod("bare", R"({"cpu":"1","node":"n1","deleting":1})");
  EXPECT_EQ(phases(), "");
}

}  // namespace
}  // namespace berth::nodes
