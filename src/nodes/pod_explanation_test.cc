#include "nodes/pod_explanation.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rfc3339.h"
#include "nodes/testing/cluster_builder.h"

namespace berth::nodes {
namespace {

using testing::ClusterBuilder;
using ::testing::HasSubstr;

class PodExplanation : public ::testing::Test {
 protected:
  PodExplanation() {
    cluster_.node("free", R"({"cpu":"4"})")
        .node("held", R"({"cpu":"4"})")
        .node("small", R"({"cpu":"500m"})");
    Hold hold = testing::hold("r", "held", "4", "rs");
    hold.name = "PodReservation ns/r";
    hold.expires = parse_rfc3339("2026-01-01T00:05:00Z").value();
    cluster_.hold(hold);
  }

  std::string all(std::string_view pod) {
    const PendingPod pending = testing::pending("p", pod);
    return explain_pod(Cycle::of(cluster_.snapshot(), pending), default_profile());
  }
  Result<std::string> on(std::string_view node, std::string_view pod) {
    const PendingPod pending = testing::pending("p", pod);
    return explain_pod_on(Cycle::of(cluster_.snapshot(), pending), default_profile(), node);
  }

  ClusterBuilder cluster_;
};

TEST_F(PodExplanation, ShowsEveryNodeTheBestFirst) {
  const std::string text = all(R"({"cpu":"1","owner":"else"})");
  EXPECT_THAT(text, HasSubstr("small   -       NodeResourcesFit: Insufficient cpu\n"));
  EXPECT_THAT(text, HasSubstr("held    -       PodReservation: Insufficient cpu because of "
                              "reserved room (PodReservation ns/r for owner rs until "
                              "2026-01-01T00:05:00Z)\n"));
  EXPECT_LT(text.find("\nfree "), text.find("\nheld "));
}

TEST_F(PodExplanation, NamesTheHoldThatStandsInTheWayAndUntilWhen) {
  const std::string text = on("held", R"({"cpu":"1","owner":"else"})").value();
  EXPECT_THAT(text, HasSubstr("held does not take the pod: PodReservation: "));
  EXPECT_THAT(text, HasSubstr("It asks for cpu 1, pods 1.\n"));
  EXPECT_THAT(text, HasSubstr("  PodReservation ns/r keeps cpu 4 for owner rs until "
                              "2026-01-01T00:05:00Z\n"));
}

TEST_F(PodExplanation, TellsWhomTheRoomIsFor) {
  const std::string text = on("held", R"({"cpu":"1","owner":"rs"})").value();
  EXPECT_THAT(text, HasSubstr("held would take the pod, with "));
  EXPECT_THAT(text, HasSubstr("; this pod may take it\n"));
}

TEST_F(PodExplanation, TellsThatNothingIsHeld) {
  EXPECT_THAT(on("free", R"({"cpu":"1"})").value(), HasSubstr("No room is held there.\n"));
}

TEST_F(PodExplanation, TellsThatThereIsNoSuchNode) {
  const auto answer = on("nowhere", R"({"cpu":"1"})");
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code, Code::NotFound);
}

}  // namespace
}  // namespace berth::nodes
