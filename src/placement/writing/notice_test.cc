#include "placement/writing/notice.h"

#include <gtest/gtest.h>

#include "placement/testing/fleet_builder.h"

namespace berth::placement {
namespace {

using testing::FleetBuilder;

const api::ObjectKey kKey = {"ns1", "p"};

TEST(Notices, AreWordedAsTheReferences) {
  EXPECT_EQ(decision_created(kKey, "d"),
            (Notice{Notice::Type::Normal, "DecisionCreate", "DecisionCreated",
                    "Decision d is created with placement p in namespace ns1"}));
  EXPECT_EQ(decision_updated(kKey, "d", {}),
            (Notice{Notice::Type::Normal, "DecisionUpdate", "DecisionUpdated",
                    "Decision d is updated with placement p in namespace ns1"}));
  EXPECT_EQ(decision_deleted(kKey, "d"),
            (Notice{Notice::Type::Normal, "DecisionDelete", "DecisionDeleted",
                    "Decision d is deleted with placement p in namespace ns1"}));
}

TEST(Notices, F4_AWarningIsToldWithTheUpdate) {
  EXPECT_EQ(decision_updated(kKey, "d",
                             {ScheduleOutcome::Code::Warning, "AddOn/demo/demo",
                              "AddOnPlacementScores a/demo expired"}),
            (Notice{Notice::Type::Warning, "DecisionUpdate", "DecisionUpdated",
                    "Decision d is updated with placement p in namespace ns1: "
                    "AddOnPlacementScores a/demo expired in plugin AddOn/demo/demo"}));
}

TEST(Notices, AWarningNeverExceedsWhatAnEventMayHold) {
  EXPECT_EQ(
      decision_updated(kKey, "d", {ScheduleOutcome::Code::Warning, "P", std::string(5000, 'x')})
          .note.size(),
      1024U);
}

TEST(Notices, F1_ScoresNameEveryFeasibleClusterWithATrailingSpace) {
  FleetBuilder fleet;
  fleet.cluster("b").cluster("a");
  EXPECT_EQ(score_updated(testing::schedule(fleet, R"({"numberOfClusters":1})"), fleet.view()).note,
            "a:100 b:100 ");
}

TEST(Notices, F3_ScoresAreCutBetweenItems) {
  FleetBuilder fleet;
  fleet.clusters(1000);
  const std::string note = score_updated(testing::schedule(fleet), fleet.view()).note;
  EXPECT_EQ(note.size(), 1000U + 6U);  // 100 items of ten bytes.
  EXPECT_TRUE(note.ends_with("c0099:100 ......")) << note;
}

}  // namespace
}  // namespace berth::placement
