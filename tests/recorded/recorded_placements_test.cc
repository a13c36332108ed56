// Does Berth's placement engine decide as Open Cluster Management's controller did?
// placements.jsonl has what that answered; CONTRIBUTING.md says how to record it anew.

#include <filesystem>
#include <iostream>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "base/check.h"
#include "json/print.h"
#include "kube/comparison/judgement.h"
#include "kube/comparison/recording.h"

namespace berth::kube {
namespace {

using json::Value;

constexpr std::int64_t kFleetsMin = 20;

Result<Recording> open_placements() {
  return Recording::open(std::filesystem::path(BERTH_RECORDED) / "placements.jsonl");
}

// An observation in which an edit has moved something.
Observation any_move() {
  auto recording = open_placements();
  CHECK(recording.ok());
  for (;;) {
    auto seen = recording->next();
    CHECK(seen.ok() && seen->has_value());
    if (judge_moves(**seen).right > 0) return **std::move(seen);
  }
}

// By the head; what is missing was lost.
std::int64_t states_promised(const Value& head) {
  const auto seeds = api::elements_field(head, "seeds");
  const auto edits = api::integer_field(head, "edits");
  if (seeds.size() != 2 || !edits) return 0;
  const std::int64_t fleets = seeds[1].as_int().value_or(0) - seeds[0].as_int().value_or(0) + 1;
  return fleets < kFleetsMin ? 0 : fleets * (*edits + 1);
}

TEST(RecordedPlacements, TheEngineDecidesAsOcmDid) {
  auto recording = open_placements();
  ASSERT_TRUE(recording.ok()) << recording.error().message;
  ComparisonCounts counts;
  for (;;) {
    const auto seen = recording->next();
    ASSERT_TRUE(seen.ok()) << seen.error().message;
    if (!*seen) break;
    const auto difference = difference_at_rest(**seen);
    EXPECT_FALSE(difference) << *difference;
    const JudgedMoves moves = judge_moves(**seen);
    for (const std::string& move : moves.differences) ADD_FAILURE() << move;
    counts.add(**seen, moves);
  }
  std::cout << json::print(recording->head()) << ": " << counts.text() << "\n";
  EXPECT_GT(counts.states, 0);
  EXPECT_EQ(counts.states, states_promised(recording->head()));
  EXPECT_GT(counts.moves, counts.states / 4) << "hardly anything happened";
}

TEST(RecordedPlacements, AChoiceThatOcmDidNotMakeIsNoticed) {
  Observation seen = any_move();
  ASSERT_FALSE(difference_at_rest(seen));
  const Objects::Table decisions = seen.settled.all(ObjectKind::Decision);
  for (const auto& [name, object] : decisions) {
    Value changed = object;
    changed["status"]["decisions"].push_back(
        Value::object({{"clusterName", "nowhere"}, {"reason", ""}}));
    seen.settled.put(ObjectKind::Decision, std::move(changed));
  }
  EXPECT_TRUE(difference_at_rest(seen));
}

TEST(RecordedPlacements, AScoreThatOcmDidNotGiveIsNoticed) {
  Observation seen = any_move();
  for (auto& [name, answer] : seen.answers) {
    answer["prioritizers"].push_back(Value::object({{"name", "Luck"}}));
  }
  EXPECT_TRUE(difference_at_rest(seen));
}

TEST(RecordedPlacements, AMoveThatOcmDidNotMakeIsNoticed) {
  Observation seen = any_move();
  seen.settled = seen.edited;
  EXPECT_FALSE(judge_moves(seen).differences.empty());
}

}  // namespace
}  // namespace berth::kube
