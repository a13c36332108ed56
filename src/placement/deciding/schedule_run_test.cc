#include "placement/deciding/schedule_run.h"

#include <gtest/gtest.h>

#include "placement/testing/fleet_builder.h"

namespace berth::placement {
namespace {

using testing::FleetBuilder;

using Progress = ScheduleRun::Progress;

TEST(ScheduleRun, MayBeSpentUntilSliceOrBudgetEnd) {
  ScheduleRun run(Time(), 100);
  EXPECT_EQ(run.allowance(), 100U);
  run.begin_slice(30);
  EXPECT_EQ(run.allowance(), 30U);
  run.spend(40);
  EXPECT_EQ(run.allowance(), 0U);
  EXPECT_FALSE(run.is_over_budget());
  run.begin_slice(80);
  EXPECT_EQ(run.allowance(), 60U);
  run.spend(1000);
  EXPECT_EQ(run.allowance(), 0U);
  EXPECT_TRUE(run.is_over_budget());
}

TEST(ScheduleRun, RemembersAnswersOfClustersThatHaveNotChanged) {
  ScheduleRun run(Time(), 100);
  run.remember(1, {{.cluster = 1, .answered = 1, .version = 10},
                   {.cluster = 3, .answered = 2, .version = 11},
                   {.cluster = 4, .answered = 3, .version = 12}});
  const auto now = run.resume(1, {{.cluster = 0, .version = 13},
                                  {.cluster = 1, .version = 14},
                                  {.cluster = 4, .version = 12},
                                  {.cluster = 5, .version = 15}});
  std::vector<std::uint32_t> answered;
  for (const Progress& progress : now) answered.push_back(progress.answered);
  EXPECT_EQ(answered, (std::vector<std::uint32_t>{0, 0, 3, 0}));
  EXPECT_EQ(run.resume(0, {{.cluster = 3, .version = 11}}).at(0).answered, 0U);
}

TEST(ScheduleRun, SaysRoughlyWhatOneExpressionCosts) {
  ScheduleRun run(Time(), 1'000'000);
  run.spend(345'000);
  run.spend(355'000);
  EXPECT_TRUE(run.over_budget_message().starts_with(
      "one expression costs about 300000 on one cluster, and all of them on all clusters may cost "
      "1000000: "))
      << run.over_budget_message();
}

// Three predicates that cost something; cluster 7 changes after the first slice.
constexpr std::string_view kSpec = R"({"predicates":[
    {"requiredClusterSelector":{"celSelector":{"celExpressions":[
        "managedCluster.metadata.labels['n'] != '3'","int(managedCluster.metadata.labels['n']) % 2 == 1"]}}},
    {"requiredClusterSelector":{"labelSelector":{"matchLabels":{"n":"4"}}}},
    {"requiredClusterSelector":{"celSelector":{"celExpressions":[
        "managedCluster.metadata.labels['n'] == '8'"]}}}]})";

FleetBuilder numbered() {
  FleetBuilder fleet;
  for (int i = 0; i < 10; ++i) {
    fleet.cluster(fmt::format("c{}", i), fmt::format(R"({{"labels":{{"n":"{}"}}}})", i));
  }
  return fleet;
}

TEST(ScheduleRun, InSlicesTheAnswerIsTheSame) {
  const FleetBuilder fleet = numbered();
  const CompiledPlacement placement = testing::compiled(kSpec);
  ScheduleRun run(fleet.now(), 1'000'000);
  int slices = 0;
  Schedule result;
  do {
    run.begin_slice(1);  // One evaluation.
    result = schedule(placement, fleet.view(), run, {});
    ++slices;
  } while (result.is_paused && slices < 100);
  EXPECT_EQ(testing::chosen(fleet, result), testing::chosen(fleet, kSpec));
  EXPECT_EQ(result.valid_until, testing::schedule(fleet, kSpec).valid_until);
  EXPECT_EQ(slices, 10 + 9 + 5) << "nothing is asked twice";
}

TEST(ScheduleRun, AClusterThatChangesBetweenSlicesIsAskedAgain) {
  FleetBuilder fleet = numbered();
  const CompiledPlacement placement = testing::compiled(kSpec);
  ScheduleRun run(fleet.now(), 1'000'000);
  run.begin_slice(600);
  EXPECT_TRUE(schedule(placement, fleet.view(), run, {}).is_paused);
  fleet.cluster("c1", R"({"labels":{"n":"2"}})").view().remove_cluster("c5");
  run.begin_slice(1'000'000);
  const Schedule result = schedule(placement, fleet.view(), run, {});
  ASSERT_FALSE(result.is_paused);
  EXPECT_EQ(testing::chosen(fleet, result), testing::chosen(fleet, kSpec));
}

}  // namespace
}  // namespace berth::placement
