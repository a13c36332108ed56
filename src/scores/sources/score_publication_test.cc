#include "scores/sources/score_publication.h"

#include <string>

#include <gtest/gtest.h>

#include "api/conditions.h"
#include "api/kinds/add_on_placement_score.h"
#include "base/rfc3339.h"
#include "json/parse.h"

namespace berth::scores {
namespace {

using namespace std::chrono_literals;
using json::Value;

const Time kNow = Time::from_unix(1'800'000'000);

Publication rome(std::vector<KnownScore> scores) {
  return {.cluster = "rome",
          .name = "fleet",
          .source_uid = "u1",
          .source = "monitoring/fleet",
          .scores = std::move(scores),
          .score_names = {"cpu", "mem"},
          .valid_for = 180s};
}

// As the hub holds it after the plan was carried out.
Value written(const PublicationPlan& plan) {
  Value object = plan.after.value();
  object["metadata"]["uid"] = "o1";
  object["metadata"]["resourceVersion"] = "5";
  return object;
}

Value published(std::vector<KnownScore> scores, Time when = kNow) {
  return written(plan_publication(nullptr, rome(std::move(scores)), when));
}

std::string text(const Value& object) {
  const auto score = api::read_add_on_placement_score(object);
  std::string line;
  for (const auto& item : score.scores) line += item.name + "=" + std::to_string(item.value) + " ";
  return line + "until " +
         std::to_string((score.valid_until.value_or(Time()) - kNow) / Duration(1s));
}

TEST(ScorePublications, MakeAnObjectThatNamesItsSource) {
  const Value object = published({{"cpu", 10, kNow + 170s}, {"mem", -3, kNow + 160s}});
  EXPECT_EQ(text(object), "cpu=10 mem=-3 until 160");
  EXPECT_EQ(source_uid_of(object), "u1");
  EXPECT_EQ(object.find_path({"metadata", "namespace"})->string_or_empty(), "rome");
  EXPECT_EQ(object.find_path({"metadata", "name"})->string_or_empty(), "fleet");
  EXPECT_EQ(
      object.find_path({"metadata", "annotations"})->find(kSourceAnnotation)->string_or_empty(),
      "monitoring/fleet");
  EXPECT_TRUE(api::is_condition_true(object, "AddOnPlacementScoreUpdated"));
}

TEST(ScorePublications, MakeNothingOfNothing) {
  EXPECT_FALSE(plan_publication(nullptr, rome({}), kNow).after);
  EXPECT_FALSE(plan_publication(nullptr, rome({{"cpu", 1, kNow}}), kNow).after);
}

TEST(ScorePublications, AreSkippedWhileMoreThanHalfOfTheTimeIsLeft) {
  const Value object = published({{"cpu", 10, kNow + 180s}});
  const auto plan = [&](Duration later, std::int32_t value) {
    const Time now = kNow + later;
    return plan_publication(&object, rome({{"cpu", value, now + 180s}}), now);
  };
  EXPECT_FALSE(plan(0s, 10).after);
  EXPECT_FALSE(plan(89s, 10).after);
  ASSERT_TRUE(plan(90s, 10).after);
  EXPECT_EQ(text(*plan(90s, 10).after), "cpu=10 until 270");
  ASSERT_TRUE(plan(1s, 11).after);
  EXPECT_EQ(text(*plan(1s, 11).after), "cpu=11 until 181");
}

TEST(ScorePublications, AreSkippedBelowTheHysteresis) {
  const Value object = published({{"cpu", 10, kNow + 180s}});
  const auto changes = [&](std::int32_t value, Duration later) {
    Publication wanted = rome({{"cpu", value, kNow + later + 180s}});
    wanted.hysteresis = 5;
    return plan_publication(&object, wanted, kNow + later).after.has_value();
  };
  EXPECT_FALSE(changes(14, 10s));
  EXPECT_FALSE(changes(6, 10s));
  EXPECT_TRUE(changes(15, 10s));
  EXPECT_TRUE(changes(5, 10s));
  EXPECT_TRUE(changes(14, 100s)) << "it is refreshed anyway, with what is true";
}

TEST(ScorePublications, OfAStuckSampleAreNotWrittenAgain) {
  const Value object = published({{"cpu", 10, kNow + 180s}});
  const Publication wanted = rome({{"cpu", 10, kNow + 180s}});
  for (const Duration later : {0s, 100s, 174s, 176s, 180s, 500s}) {
    EXPECT_FALSE(plan_publication(&object, wanted, kNow + later).after) << later.count();
  }
}

TEST(ScorePublications, LetAScoreLeaveBeforeItTakesOthersAlong) {
  const Publication wanted = rome({{"cpu", 10, kNow + 60s}, {"mem", 20, kNow + 180s}});
  const auto first = plan_publication(nullptr, wanted, kNow);
  EXPECT_EQ(text(*first.after), "cpu=10 mem=20 until 60");
  EXPECT_EQ(first.look_again, kNow + 55s);
  const Value object = written(first);
  EXPECT_FALSE(plan_publication(&object, wanted, kNow + 54s).after);
  const auto second = plan_publication(&object, wanted, kNow + 55s);
  EXPECT_EQ(text(*second.after), "mem=20 until 180");
  EXPECT_FALSE(second.look_again);
}

TEST(ScorePublications, KeepWhatWasPublishedBeforeARestartUntilItsEnd) {
  const Value object = published({{"cpu", 10, kNow + 180s}, {"mem", 20, kNow + 180s}});
  // Only one of the two queries has been answered since.
  const auto plan = plan_publication(&object, rome({{"cpu", 40, kNow + 200s}}), kNow + 20s);
  EXPECT_EQ(text(*plan.after), "cpu=40 mem=20 until 180");
  EXPECT_EQ(plan.look_again, kNow + 175s);
  // A score whose query is gone goes, too.
  Publication fewer = rome({{"cpu", 40, kNow + 200s}});
  fewer.score_names = {"cpu"};
  EXPECT_EQ(text(*plan_publication(&object, fewer, kNow + 20s).after), "cpu=40 until 200");
}

TEST(ScorePublications, DoNotBringBackWhatHasEnded) {
  const Value object = published({{"cpu", 10, kNow + 60s}});
  const Publication measured = rome({{"cpu", 10, kNow + 60s}, {"mem", 5, kNow + 300s}});
  EXPECT_EQ(text(*plan_publication(&object, measured, kNow + 61s).after), "mem=5 until 300");
  const Publication other = rome({{"mem", 5, kNow + 300s}});
  EXPECT_EQ(text(*plan_publication(&object, other, kNow + 61s).after), "mem=5 until 300");
}

TEST(ScorePublications, ShortenAnEndThatIsTooLate) {
  Value object = published({{"cpu", 10, kNow + 180s}});
  object["status"]["validUntil"] = format_seconds(kNow + 24h);
  EXPECT_EQ(text(*plan_publication(&object, rome({{"cpu", 10, kNow + 180s}}), kNow).after),
            "cpu=10 until 180");
  object["status"].erase("validUntil");
  EXPECT_EQ(text(*plan_publication(&object, rome({{"cpu", 10, kNow + 180s}}), kNow).after),
            "cpu=10 until 180");
}

TEST(ScorePublications, RestoreTheConditionAndKeepThoseOfOthers) {
  Value object = published({{"cpu", 10, kNow + 180s}});
  object["status"]["conditions"] = json::parse(R"([{"type":"Theirs","status":"True"}])").value();
  const auto plan = plan_publication(&object, rome({{"cpu", 10, kNow + 180s}}), kNow);
  ASSERT_TRUE(plan.after);
  EXPECT_TRUE(api::is_condition_true(*plan.after, "Theirs"));
  EXPECT_TRUE(api::is_condition_true(*plan.after, "AddOnPlacementScoreUpdated"));
}

TEST(ScorePublications, KnowWhoseAnObjectIs) {
  EXPECT_EQ(source_uid_of(json::parse(R"({"metadata":{"name":"x"}})").value()), "");
}

}  // namespace
}  // namespace berth::scores
