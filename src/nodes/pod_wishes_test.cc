#include "nodes/pod_wishes.h"

#include <gtest/gtest.h>

#include "nodes/testing/cluster_builder.h"

namespace berth::nodes {
namespace {

PodWishes wishes_of(std::string_view spec) {
  return PodWishes::from_json(testing::pod("p", fmt::format(R"({{"spec":{}}})", spec)));
}

TEST(PodWishes, NameWhatWouldHaveToBeGuessed) {
  struct Case {
    std::string_view spec;
    std::string_view unsupported;
  };
  const Case cases[] = {
      {R"({"volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"c"}}]})",
       "volume \"v\" (persistentVolumeClaim)"},
      {R"({"volumes":[{"name":"v","ephemeral":{}}]})", "volume \"v\" (ephemeral)"},
      {R"({"volumes":[{"name":"v","emptyDir":{}},{"name":"w","configMap":{}}]})", ""},
      {R"({"resourceClaims":[{"name":"gpu"}]})", "resourceClaims (dynamic resource allocation)"},
      {R"({"topologySpreadConstraints":[{"topologyKey":"zone","whenUnsatisfiable":"DoNotSchedule"}]})",
       "topologySpreadConstraints by \"zone\""},
      {R"({"affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{}]}}})",
       "affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution"},
      {R"({"affinity":{"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{}]}}})",
       "affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution"},
      {R"({"workloadRef":{"name":"w"}})", "workloadRef"},
  };
  for (const Case& c : cases) EXPECT_EQ(join(wishes_of(c.spec).unsupported, ","), c.unsupported);
}

TEST(PodWishes, PassPreferencesOverButSaySo) {
  const PodWishes wishes = wishes_of(R"({
      "topologySpreadConstraints":[{"topologyKey":"zone","whenUnsatisfiable":"ScheduleAnyway"}],
      "affinity":{"podAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{}]}}})");
  EXPECT_TRUE(wishes.unsupported.empty());
  EXPECT_EQ(wishes.unweighed.size(), 2u);
}

TEST(PodWishes, OfOneTemplateHaveOneShape) {
  const auto shape = [](std::string_view extra) {
    return testing::pending("p", extra).wishes.shape;
  };
  EXPECT_EQ(shape(R"({"cpu":"1","labels":{"a":"b"}})"), shape(R"({"cpu":"2"})"));
  EXPECT_NE(shape("{}"), shape(R"({"spec":{"nodeSelector":{"a":"b"}}})"));
  EXPECT_NE(shape("{}"), shape(R"({"spec":{"tolerations":[{"operator":"Exists"}]}})"));
}

TEST(PodWishes, KnowTheGates) {
  EXPECT_EQ(join(wishes_of(R"({"schedulingGates":[{"name":"a"},{"name":"b"}]})").gates, ","),
            "a,b");
}

}  // namespace
}  // namespace berth::nodes
