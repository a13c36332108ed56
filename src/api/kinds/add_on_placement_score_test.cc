#include "api/kinds/add_on_placement_score.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::api {
namespace {

TEST(AddOnPlacementScoreKind, ReadsNumbersAndTheirEnd) {
  const auto score = read_add_on_placement_score(
      json::parse(R"({"metadata":{"name":"gpu","namespace":"rome"},"status":{
        "validUntil":"1970-01-01T00:01:00Z",
        "scores":[{"name":"free","value":70},{"name":"used","value":-30}]}})")
          .value());
  EXPECT_EQ(score.facts.name, "gpu");
  EXPECT_EQ(score.facts.object_namespace, "rome");
  EXPECT_EQ(score.valid_until, Time(std::chrono::seconds(60)));
  ASSERT_EQ(score.scores.size(), 2U);
  EXPECT_EQ(score.scores[1].name, "used");
  EXPECT_EQ(score.scores[1].value, -30);
}

TEST(AddOnPlacementScoreKind, WithoutAStatusThereIsNothing) {
  EXPECT_EQ(read_add_on_placement_score(json::parse("{}").value()), AddOnPlacementScore{});
}

}  // namespace
}  // namespace berth::api
