#include "hosting/question.h"

#include <gtest/gtest.h>

#include "hosting/testing/hosting_builder.h"

namespace berth::hosting {
namespace {

using testing::host;
using testing::kNow;
using testing::request;

Host in_region(const std::string& name, const std::string& region) {
  Host made = host(name);
  made.labels = {{.key = "region", .value = region}};
  return made;
}

TEST(Question, SelectsByPlacementOrByLabelsAndClaims) {
  Fleet fleet;
  fleet.put(in_region("a", "eu"));
  const Selection chosen = {"a"};
  const Selection none = {};
  const auto by_placement = request("r", R"("placementRef":{"name":"p"})");
  EXPECT_TRUE(Question(by_placement, fleet, &chosen, kNow).is_selected(fleet.hosts()[0]));
  EXPECT_FALSE(Question(by_placement, fleet, &none, kNow).is_selected(fleet.hosts()[0]));
  EXPECT_FALSE(Question(by_placement, fleet, nullptr, kNow).is_selected(fleet.hosts()[0]));

  const auto selects = [&](std::string_view spec) {
    const auto asked = request("r", spec);
    return Question(asked, fleet, nullptr, kNow).is_selected(fleet.hosts()[0]);
  };
  EXPECT_TRUE(selects(""));
  EXPECT_TRUE(selects(R"("clusterSelector":{"labelSelector":{"matchLabels":{"region":"eu"}}})"));
  EXPECT_FALSE(selects(R"("clusterSelector":{"labelSelector":{"matchLabels":{"region":"us"}}})"));
  EXPECT_FALSE(selects(R"("clusterSelector":{"claimSelector":{"matchExpressions":[
      {"key":"platform","operator":"Exists"}]}})"));
}

TEST(Question, CountsWhomItKnowsInEveryPlace) {
  Fleet fleet;
  fleet.put(in_region("a", "eu"));
  fleet.put(in_region("b", "eu"));
  fleet.put(in_region("c", "us"));
  fleet.put(host("d"));
  fleet.place(request("1", R"("group":"g")"), "a");
  fleet.place(request("2", R"("group":"g")"), "b");
  fleet.place(request("3", R"("group":"g")"), "gone");
  fleet.place(request("4", R"("group":"h")"), "c");
  const auto asked = request("r", R"("group":"g",
      "spread":[{"topologyKey":"region","topologyKeyType":"Label"}],
      "antiAffinity":[{"groupSelector":{"matchLabels":{"hosting.berth.dev/group":"h"}}}])");
  const Question question(asked, fleet, nullptr, kNow);
  using Counts = std::vector<std::int32_t>;
  EXPECT_EQ(question.spreads()[0].there, (Counts{2, 2, 0, Question::kNowhere}));
  EXPECT_EQ(question.spreads()[0].lowest, 0);
  EXPECT_EQ(question.spreads()[0].highest, 2);
  EXPECT_EQ(question.anti_affinities()[0].there, (Counts{0, 0, 1, 0}));
}

TEST(Question, ComparesOnlyWithPlacesThatItMayBeIn) {
  Fleet fleet;
  fleet.put(in_region("a", "eu"));
  fleet.put(in_region("c", "us"));
  fleet.place(request("1"), "a");
  const auto asked = request("r", R"(
      "clusterSelector":{"labelSelector":{"matchLabels":{"region":"eu"}}},
      "spread":[{"topologyKey":"region","topologyKeyType":"Label"}])");
  EXPECT_EQ(Question(asked, fleet, nullptr, kNow).spreads()[0].lowest, 1);
}

}  // namespace
}  // namespace berth::hosting
