#include "placement/prioritizers/agent_score.h"

#include <gtest/gtest.h>

#include "placement/request.h"
#include "placement/testing/fleet_builder.h"

namespace berth::placement {
namespace {

using namespace std::chrono_literals;
using testing::FleetBuilder;

Ranking rank(const FleetBuilder& fleet, const Options& options = {}) {
  const CompiledPlacement placement = testing::compiled("{}");
  const PastDecisions past;
  const Request request{.placement = placement,
                        .fleet = fleet.view(),
                        .past = past,
                        .options = options,
                        .now = fleet.now()};
  return AgentScore({.resource = "gpu", .score = "free"})
      .rank(request, fleet.view().clusters().existing().indices());
}

TEST(AgentScore, ScoresOneCluster) {
  struct Case {
    std::string_view what;
    std::vector<api::AddOnPlacementScore::Item> items;
    std::optional<Time> valid_until;
    Score score;
  };
  const Case cases[] = {
      {"published number", {{"free", 70}}, {}, {70}},
      {"a number beyond the range is not ours to judge", {{"free", 250}}, {}, {250}},
      {"other items only", {{"used", 30}}, {}, {0, Note::NoScore}},
      {"still valid", {{"free", 70}}, Time(1001s), {70}},
      {"expires now", {{"free", 70}}, Time(1000s), {0, Note::IsExpired}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    FleetBuilder fleet;
    fleet.cluster("paris").score("paris", "gpu", c.items, c.valid_until);
    EXPECT_EQ(rank(fleet).scores.at(0), c.score);
  }
}

TEST(AgentScore, AnOtherReportIsNoReport) {
  FleetBuilder fleet;
  fleet.cluster("quiet").score("quiet", "cpu", {{"free", 1}}).score("ghost", "gpu", {{"free", 1}});
  EXPECT_EQ(rank(fleet).scores.at(0).note, Note::NoReport);
}

TEST(AgentScore, AnswerIsValidUntilTheFirstLiveReportExpires) {
  FleetBuilder fleet;
  fleet.cluster("stale").score("stale", "gpu", {{"free", 1}}, Time(10s));
  fleet.cluster("rome").score("rome", "gpu", {{"free", 1}}, Time(3000s));
  fleet.cluster("oslo").score("oslo", "gpu", {{"free", 1}}, Time(1090s));
  EXPECT_EQ(rank(fleet).valid_until, Time(1090s));
  EXPECT_EQ(rank(fleet, ocm_exact()).valid_until, std::nullopt);
}

TEST(AgentScore, TheWarningNamesExpiredReportsInTheOrderOfClusters) {
  FleetBuilder fleet;
  fleet.cluster("b").score("b", "gpu", {}, Time(1s)).cluster("a").score("a", "gpu", {}, Time(1s));
  fleet.cluster("c");
  EXPECT_EQ(rank(fleet).warning, "AddOnPlacementScores a/gpu b/gpu expired");
}

}  // namespace
}  // namespace berth::placement
