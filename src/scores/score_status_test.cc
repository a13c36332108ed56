#include "scores/score_status.h"

#include <gtest/gtest.h>

#include "base/rfc3339.h"
#include "json/merge_patch.h"
#include "json/parse.h"
#include "json/print.h"

namespace berth::scores {
namespace {

using namespace std::chrono_literals;
using json::Value;

const Time kNow = parse_rfc3339("2026-11-16T08:00:00Z").value();

Value parse(std::string_view text) { return json::parse(text).value(); }

Value empty_object() {
  return parse(R"({"metadata":{"name":"s","namespace":"c1","uid":"u1","resourceVersion":"7"}})");
}

std::optional<Value> patch_of(const Value& object, const Report& report) {
  return status_patch(object, {.report = report, .now = kNow, .validity = 180s});
}

Value patched(const Value& object, const Report& report) {
  const auto patch = patch_of(object, report);
  return patch ? json::apply_merge_patch(object, *patch) : object;
}

Report two_scores() {
  return checked(
      {.scores = {{{.name = "memAvailable", .value = 4}, {.name = "cpuAvailable", .value = 12}}}});
}

Report no_source() { return {.trouble = Trouble{.message = "start the source"}}; }

TEST(ScoreStatus, HasTheShapeOfTheArticle) {
  EXPECT_EQ(json::print(*patched(empty_object(), two_scores()).find("status")),
            R"({"scores":[{"name":"cpuAvailable","value":12},{"name":"memAvailable","value":4}],)"
            R"("validUntil":"2026-11-16T08:03:00Z",)"
            R"("conditions":[{"type":"AddOnPlacementScoreUpdated","status":"True",)"
            R"("lastTransitionTime":"2026-11-16T08:00:00Z","reason":"AddOnPlacementScoreUpdated",)"
            R"("message":"AddOnPlacementScore updated successfully"}]})");
}

TEST(ScoreStatus, RefreshesWithoutTouchingConditions) {
  const Value object = patched(empty_object(), two_scores());
  EXPECT_EQ(compare(object, two_scores()), Difference::ValidUntil);
  const Report report = two_scores();
  const auto patch = status_patch(object, {.report = report, .now = kNow + 60s, .validity = 180s});
  EXPECT_EQ(json::print(*patch),
            R"({"metadata":{"uid":"u1"},"status":{"scores":[{"name":"cpuAvailable","value":12},)"
            R"({"name":"memAvailable","value":4}],"validUntil":"2026-11-16T08:04:00Z"}})");
}

TEST(ScoreStatus, SaysNothingTwice) {
  const Value object = patched(empty_object(), two_scores());
  EXPECT_EQ(patch_of(object, two_scores()), std::nullopt);
  EXPECT_EQ(patch_of(empty_object(), {}), std::nullopt) << "a provider that knows nothing yet";
  EXPECT_EQ(compare(empty_object(), {}), Difference::None);
}

TEST(ScoreStatus, TakesTheGivenEndOfScores) {
  Report report = two_scores();
  report.valid_until = kNow + 30s;
  EXPECT_EQ(patched(empty_object(), report).find_path({"status", "validUntil"})->string_or_empty(),
            "2026-11-16T08:00:30Z");
}

TEST(ScoreStatus, RemovesWhatIsNoLongerMeasured) {
  const Value object = patched(empty_object(), two_scores());
  Report fewer = two_scores();
  fewer.scores->pop_back();
  EXPECT_EQ(compare(object, fewer), Difference::Content);
  EXPECT_EQ(json::print(*patched(object, fewer).find_path({"status", "scores"})),
            R"([{"name":"cpuAvailable","value":12}])");
  EXPECT_EQ(json::print(*patched(object, {.scores = {{}}}).find_path({"status", "scores"})), "[]");
}

TEST(ScoreStatus, KeepsTheLastScoresAndTheirEndWhenTheSourceFails) {
  const Value object = patched(empty_object(), two_scores());
  EXPECT_EQ(compare(object, no_source()), Difference::Content);
  const Value after = patched(object, no_source());
  EXPECT_EQ(*after.find_path({"status", "scores"}), *object.find_path({"status", "scores"}));
  EXPECT_EQ(*after.find_path({"status", "validUntil"}),
            *object.find_path({"status", "validUntil"}));
  const Value& condition = after.find_path({"status", "conditions"})->elements()[0];
  EXPECT_EQ(condition.find("status")->string_or_empty(), "False");
  EXPECT_EQ(condition.find("reason")->string_or_empty(), "SourceUnavailable");
  EXPECT_EQ(condition.find("message")->string_or_empty(), "start the source");
  EXPECT_EQ(compare(after, no_source()), Difference::None);
}

TEST(ScoreStatus, GivesScoresOfOthersAnEndThatHadNone) {
  Value object = empty_object();
  object["status"] = parse(R"({"scores":[{"name":"old","value":90}]})");
  EXPECT_EQ(patched(object, no_source()).find_path({"status", "validUntil"})->string_or_empty(),
            "2026-11-16T08:03:00Z");
}

TEST(ScoreStatus, PublishesAPartBesideTheTroubleOfTheRest) {
  Report report = two_scores();
  report.trouble = Trouble{.message = "nobody answers at rome"};
  const Value after = patched(empty_object(), report);
  EXPECT_EQ(after.find_path({"status", "scores"})->size(), 2U);
  EXPECT_EQ(after.find_path({"status", "conditions"})->elements()[0].find("status")->as_string(),
            "False");
}

TEST(ScoreStatus, LeavesConditionsOfOthersAloneAndHoldsForThatVersionOnly) {
  Value object = empty_object();
  object["status"]["conditions"] = parse(R"([{"type":"Theirs","status":"True"}])");
  const auto patch = patch_of(object, two_scores());
  EXPECT_EQ(patch->find_path({"metadata", "resourceVersion"})->as_string(), "7");
  const auto conditions = patch->find_path({"status", "conditions"})->elements();
  ASSERT_EQ(conditions.size(), 2U);
  EXPECT_EQ(conditions[0], (parse(R"({"type":"Theirs","status":"True"})")));
}

TEST(ScoreStatus, MovesTheTransitionTimeWithTheStatusOnly) {
  Value object = patched(empty_object(), no_source());
  const Report other = {.trouble = Trouble{.message = "another message"}};
  const auto patch = status_patch(object, {.report = other, .now = kNow + 60s, .validity = 180s});
  const Value& condition = patch->find_path({"status", "conditions"})->elements()[0];
  EXPECT_EQ(condition.find("lastTransitionTime")->as_string(), "2026-11-16T08:00:00Z");
  EXPECT_EQ(condition.find("message")->as_string(), "another message");
}

TEST(ScoreStatus, RefusesScoresThatAServerWouldRefuse) {
  struct Case {
    std::vector<Score> scores;
    std::string_view message;
  };
  const Case cases[] = {
      {{{"", 1}}, "a score has no name: give each one a name"},
      {{{"b", 1}, {"a", 2}, {"b", 3}},
       "the score b is there twice: give each one a name of its own"},
      {{{"a", 101}}, "the score a is 101: normalise it to -100..100"},
      {{{"a", -101}}, "the score a is -101: normalise it to -100..100"},
  };
  for (const Case& c : cases) {
    const Report report = checked({.scores = c.scores});
    EXPECT_FALSE(report.scores);
    ASSERT_TRUE(report.trouble);
    EXPECT_EQ(report.trouble->reason, TroubleReason::Invalid);
    EXPECT_EQ(report.trouble->message, c.message);
  }
}

const api::OwnerReference kOwner{.api_version = "addon.open-cluster-management.io/v1alpha1",
                                 .kind = "ManagedClusterAddOn",
                                 .name = "berth",
                                 .uid = "u2"};

TEST(ScoreObject, IsMadeWithItsOwner) {
  EXPECT_EQ(json::print(make_score_object({.cluster = "c1", .name = "s", .owner = kOwner})),
            R"({"apiVersion":"cluster.open-cluster-management.io/v1alpha1",)"
            R"("kind":"AddOnPlacementScore","metadata":{"name":"s","namespace":"c1",)"
            R"("ownerReferences":[{"apiVersion":"addon.open-cluster-management.io/v1alpha1",)"
            R"("kind":"ManagedClusterAddOn","name":"berth","uid":"u2"}]}})");
}

TEST(ScoreObject, GetsAnOwnerBesideOthersAndInsteadOfADeadOne) {
  Value object = empty_object();
  object["metadata"]["ownerReferences"] =
      parse(R"([{"apiVersion":"v1","kind":"ConfigMap","name":"x","uid":"u9"},)"
            R"({"apiVersion":"a/v1","kind":"ManagedClusterAddOn","name":"berth","uid":"gone"}])");
  const auto patch = owner_patch(object, kOwner);
  ASSERT_TRUE(patch);
  const Value after = json::apply_merge_patch(object, *patch);
  const auto owners = api::Metadata(after).owner_references();
  ASSERT_EQ(owners.size(), 2U);
  EXPECT_EQ(owners[0].uid, "u9");
  EXPECT_EQ(owners[1].uid, "u2");
  EXPECT_EQ(owner_patch(after, kOwner), std::nullopt);
}

}  // namespace
}  // namespace berth::scores
