#include "apiserver/strategies/pod_conditions.h"

#include <gtest/gtest.h>

#include "apiserver/tables/cells.h"
#include "json/print.h"
#include "json/yaml_read.h"

namespace berth::apiserver {
namespace {

using namespace std::chrono_literals;

std::string conditions_after(std::string_view yaml) {
  const auto pod = with_pod_condition(json::read_one_yaml(yaml).value(),
                                      {.type = "A", .status = "True", .reason = "R"}, Time{1s});
  return json::print(at(pod, "status.conditions"));
}

TEST(PodConditions, AreAddedAtTheEnd) {
  EXPECT_EQ(conditions_after("{}"),
            R"([{"type":"A","status":"True","lastProbeTime":null,)"
            R"("lastTransitionTime":"1970-01-01T00:00:01Z","reason":"R"}])");
}

TEST(PodConditions, KeepTheirTimeWhileTheStatusStays) {
  EXPECT_EQ(conditions_after("status: {conditions: [{type: A, status: 'True', "
                             "lastTransitionTime: before}, {type: B}]}"),
            R"([{"type":"A","status":"True","lastProbeTime":null,)"
            R"("lastTransitionTime":"before","reason":"R"},{"type":"B"}])");
  EXPECT_NE(conditions_after("status: {conditions: [{type: A, status: 'False', "
                             "lastTransitionTime: before}]}")
                .find("00:00:01Z"),
            std::string::npos);
}

TEST(PodConditions, DoNotGoWhereNoStatusIs) { EXPECT_EQ(conditions_after("status: text"), "null"); }

}  // namespace
}  // namespace berth::apiserver
