#include "nodes/extending.h"

#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/print.h"
#include "nodes/testing/cluster_builder.h"

namespace berth::nodes {
namespace {

using json::Value;
using testing::ClusterBuilder;
using ::testing::HasSubstr;
using testing::hold;
using testing::parsed;

Value arguments(std::string_view pod, std::string_view nodes = R"(["n1","n2"])") {
  Value made = Value::object({{"Pod", testing::pod("p", pod)}, {"Nodes", Value()}});
  made["NodeNames"] = parsed(nodes);
  return made;
}

std::string filtered(ClusterBuilder& cluster, std::string_view pod) {
  const auto read = ExtenderArgs::from_json(arguments(pod));
  EXPECT_TRUE(read.ok());
  return json::print(*extender_filter(cluster.snapshot(), *read).find("NodeNames"));
}

class Extender : public ::testing::Test {
 protected:
  Extender() {
    cluster_.node("n1", R"({"cpu":"4"})").node("n2", R"({"cpu":"4"})");
    cluster_.hold(hold("r", "n1", "3", "rs"));
  }

  Value filter(const Value& question) {
    return extender_filter(cluster_.snapshot(), ExtenderArgs::from_json(question).value());
  }

  ClusterBuilder cluster_;
};

TEST_F(Extender, KeepsHeldRoomFromCompetitors) {
  const Value answer = filter(arguments(R"({"cpu":"2","owner":"else"})"));
  EXPECT_EQ(json::print(*answer.find("NodeNames")), R"(["n2"])");
  EXPECT_TRUE(answer.find("Nodes")->is_null());
  EXPECT_TRUE(answer.find("FailedNodes")->members().empty());
  EXPECT_EQ(answer.find("Error")->string_or_empty(), "");
  // Else victims would be evicted for it in vain.
  EXPECT_THAT(
      std::string(answer.find_path({"FailedAndUnresolvableNodes", "n1"})->string_or_empty()),
      HasSubstr("Insufficient cpu because of reserved room (r for owner rs)"));
}

TEST_F(Extender, LetsInWhomTheRoomIsForAndWhoNeedsLess) {
  EXPECT_EQ(filtered(cluster_, R"({"cpu":"4","owner":"rs"})"), R"(["n1","n2"])");
  EXPECT_EQ(filtered(cluster_, R"({"cpu":"1","owner":"else"})"), R"(["n1","n2"])");
  EXPECT_EQ(filtered(cluster_, R"({"cpu":"4","owner":"else","priority":1})"), R"(["n1","n2"])");
}

TEST_F(Extender, AnswersWithWholeNodesIfItIsAskedSo) {
  Value question = Value::object({{"Pod", testing::pod("p", R"({"cpu":"2"})")}});
  question["Nodes"]["items"] = Value::array({testing::node("n1"), testing::node("n2")});
  const Value answer = filter(question);
  EXPECT_TRUE(answer.find("NodeNames")->is_null());
  const auto items = api::elements_field(*answer.find("Nodes"), "items");
  ASSERT_EQ(items.size(), 1U);
  EXPECT_EQ(api::Metadata(items[0]).name(), "n2");
}

// kube-scheduler has seen the predecessor go, and we have not.
TEST_F(Extender, IsNotFooledByAPredecessorThatIsGoneElsewhere) {
  ClusterBuilder cluster;
  cluster.node("n1", R"({"cpu":"4"})").node("n2", R"({"cpu":"4"})");
  cluster.pod("old", R"({"cpu":"3","node":"n1","owner":"rs"})");
  Hold held = hold("r", "n1", "3", "rs");
  held.predecessor_uid = "uid-old";
  cluster.hold(held);
  EXPECT_EQ(filtered(cluster, R"({"cpu":"2","owner":"else"})"), R"(["n2"])");
  EXPECT_EQ(filtered(cluster, R"({"cpu":"3","owner":"rs"})"), R"(["n1","n2"])");
}

TEST_F(Extender, PrefersTheHeldNodeUnlessItIsForNeedOnly) {
  const auto points = [this](HoldPolicy policy) {
    Hold held = hold("r", "n1", "3", "rs");
    held.policy = policy;
    cluster_.hold(held);
    const auto read = ExtenderArgs::from_json(arguments(R"({"cpu":"1","owner":"rs"})"));
    return json::print(extender_prioritize(cluster_.snapshot(), read.value()));
  };
  EXPECT_EQ(points(HoldPolicy::Prefer), R"([{"Host":"n1","Score":10},{"Host":"n2","Score":5}])");
  EXPECT_EQ(points(HoldPolicy::FallbackOnly),
            R"([{"Host":"n1","Score":0},{"Host":"n2","Score":5}])");
}

TEST_F(Extender, LetsNobodyBeEvictedForRoomThatStaysHeld) {
  cluster_.pod("victim", R"({"cpu":"1","node":"n1"})");
  cluster_.pod("other", R"({"cpu":"4","node":"n2"})");
  const auto asked = [this](std::string_view pod) {
    Value question = Value::object({{"Pod", testing::pod("p", pod)}});
    question["NodeNameToMetaVictims"] = parsed(R"({
        "n1":{"Pods":[{"UID":"uid-victim"}],"NumPDBViolations":1},
        "n2":{"Pods":[{"UID":"uid-other"}],"NumPDBViolations":0}})");
    return json::print(extender_preempt(cluster_.snapshot(), question).value());
  };
  EXPECT_EQ(asked(R"({"cpu":"2","owner":"else"})"),
            R"({"NodeNameToMetaVictims":{"n2":{"Pods":[{"UID":"uid-other"}],)"
            R"("NumPDBViolations":0}}})");
  EXPECT_EQ(asked(R"({"cpu":"2","owner":"else","priority":1})"),
            R"({"NodeNameToMetaVictims":{"n1":{"Pods":[{"UID":"uid-victim"}],)"
            R"("NumPDBViolations":1},"n2":{"Pods":[{"UID":"uid-other"}],"NumPDBViolations":0}}})");
}

TEST_F(Extender, AcceptsCandidatesWithoutVictimsAndWholePods) {
  Value question = Value::object({{"Pod", testing::pod("p", R"({"cpu":"1","owner":"else"})")}});
  question["NodeNameToVictims"]["n2"]["Pods"] = Value::array();
  question["NodeNameToVictims"]["n1"]["Pods"] =
      Value::array({testing::pod("victim", R"({"cpu":"1","node":"n1"})")});
  const Value answer = extender_preempt(cluster_.snapshot(), question).value();
  const Value& nodes = *answer.find("NodeNameToMetaVictims");
  EXPECT_EQ(nodes.members().size(), 2U);
  EXPECT_EQ(json::print(*nodes.find_path({"n1", "Pods"})), R"([{"UID":"uid-victim"}])");
}

TEST_F(Extender, KnowsWhatAPodTakesWithANode) {
  const PendingPod own = testing::pending("p", R"({"cpu":"1","owner":"rs"})");
  EXPECT_EQ(claim_of(cluster_.snapshot(), own, "n1"), "r");
  EXPECT_EQ(claim_of(cluster_.snapshot(), own, "n2"), "");
  EXPECT_EQ(claim_of(cluster_.snapshot(), own, "n3"), "");
}

TEST_F(Extender, RefusesWhatItCannotRead) {
  Value question = arguments(R"({"cpu":"much"})");
  EXPECT_FALSE(ExtenderArgs::from_json(question).ok());
}

}  // namespace
}  // namespace berth::nodes
