#include "apiserver/validation/scheduling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/validation/testing/findings.h"

namespace berth::apiserver {
namespace {

using ::testing::ElementsAre;
using testing::found_in;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Scheduling, TolerationsSayWhatTheyTolerate) {
  EXPECT_THAT(found_in(check_scheduling,
                       "tolerations: [{operator: Exists}, {key: a, value: b, effect: NoSchedule}, "
                       "{key: a, operator: Exists, effect: NoExecute, tolerationSeconds: 3}]"),
              IsEmpty());
  EXPECT_THAT(
      found_in(
          check_scheduling,
          "tolerations: [{value: x}, {key: a, operator: Exists, value: x}, {key: b, operator: "
          "Perhaps}, {key: c, effect: Never}, {key: d, tolerationSeconds: 1}, {key: e, value: 'a "
          "b'}]"),
      ElementsAre(
          HasSubstr("tolerations[0].operator: Invalid value: \"\": operator must be Exists"),
          HasSubstr("tolerations[1].operator: Invalid value: \"x\": value must be empty"),
          HasSubstr("tolerations[2].operator: Unsupported value: \"Perhaps\""),
          HasSubstr("tolerations[3].effect: Unsupported value: \"Never\""),
          HasSubstr("tolerations[4].effect: Invalid value: \"\": effect must be 'NoExecute'"),
          HasSubstr("tolerations[5].operator: Invalid value: \"a b\"")));
}

TEST(Scheduling, NodesAreSelectedByTermsThatMeanSomething) {
  const std::string required =
      "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
      "{nodeSelectorTerms: [";
  EXPECT_EQ(found_in(check_scheduling, required + "]}}}").size(), 1);
  EXPECT_THAT(found_in(check_scheduling, required + "{matchExpressions: [{key: a, operator: In, "
                                                    "values: [b]}, {key: c, operator: Exists}, "
                                                    "{key: d, operator: Gt, values: ['3']}]}]}}}"),
              IsEmpty());
  EXPECT_EQ(
      found_in(check_scheduling, required + "{matchExpressions: [{key: a, operator: In}, "
                                            "{key: b, operator: Exists, values: [x]}, {key: "
                                            "c, operator: Lt}, {key: d, operator: Like}]}]}}}")
          .size(),
      4);
}

TEST(Scheduling, PodsAreNearByATopology) {
  EXPECT_EQ(found_in(check_scheduling,
                     "affinity: {podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: "
                     "[{weight: 101, podAffinityTerm: {topologyKey: zone}}, {weight: 1, "
                     "podAffinityTerm: {topologyKey: 'a b'}}]}}")
                .size(),
            2);
}

TEST(Scheduling, SpreadsAndGatesAreWellFormed) {
  EXPECT_EQ(
      found_in(check_scheduling,
               "topologySpreadConstraints: [{maxSkew: 0, whenUnsatisfiable: Never}, {maxSkew: "
               "1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, minDomains: 2}]")
          .size(),
      3);
  EXPECT_THAT(found_in(check_scheduling, "schedulingGates: [{name: a}, {name: a}]"),
              ElementsAre("schedulingGates[1]: Duplicate value: \"a\""));
}

}  // namespace
}  // namespace berth::apiserver
