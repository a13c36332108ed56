#include "upkeep/garbage.h"

#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"

namespace berth::upkeep {
namespace {

using enum OwnerState;

json::Value parsed(std::string_view text) { return json::parse(text).value(); }

json::Value with_owners(std::string_view more = "") {
  return parsed(R"({"metadata":{"name":"x","ownerReferences":[
      {"uid":"a","blockOwnerDeletion":true},{"uid":"b"}])" +
                std::string(more) + "}}");
}

std::string uids(const Verdict& verdict) {
  std::string text;
  const json::Value* references =
      verdict.after ? verdict.after->find_path({"metadata", "ownerReferences"}) : nullptr;
  if (!references) return "none";
  for (const json::Value& one : references->elements()) text += one.find("uid")->string_or_empty();
  return text;
}

TEST(Garbage, StaysWhileItHasAnOwner) {
  const std::vector<OwnerState> states = {Solid, Solid};
  const Verdict verdict = judge(with_owners(), states, Below::Nothing);
  EXPECT_FALSE(verdict.after || verdict.deletion);
}

TEST(Garbage, LosesReferencesToOwnersThatAreGone) {
  const std::vector<OwnerState> absent = {Absent, Solid};
  EXPECT_EQ(uids(judge(with_owners(), absent, Below::Nothing)), "b");
  const std::vector<OwnerState> awaiting = {Solid, Awaiting};
  EXPECT_EQ(uids(judge(with_owners(), awaiting, Below::Dependents)), "a");
}

TEST(Garbage, GoesWhenNoOwnerIsLeft) {
  const std::vector<OwnerState> states = {Absent, Absent};
  EXPECT_EQ(judge(with_owners(), states, Below::Nothing).deletion, Cascade::Background);
  EXPECT_EQ(judge(with_owners(R"(,"finalizers":["orphan"])"), states, Below::Nothing).deletion,
            Cascade::Orphan);
  EXPECT_EQ(judge(with_owners(R"(,"finalizers":["foregroundDeletion"])"), states, Below::Nothing)
                .deletion,
            Cascade::Foreground);
}

TEST(Garbage, StaysWhenAnOwnerCannotBeAskedFor) {
  const std::vector<OwnerState> states = {Absent, Unknown};
  const Verdict verdict = judge(with_owners(), states, Below::Nothing);
  EXPECT_FALSE(verdict.after || verdict.deletion);
}

TEST(Garbage, StaysWhenItHasNoOwnersAtAllOrIsAlreadyGoing) {
  EXPECT_FALSE(judge(parsed(R"({"metadata":{}})"), {}, Below::Nothing).deletion);
  const std::vector<OwnerState> states = {Absent, Absent};
  EXPECT_FALSE(
      judge(with_owners(R"(,"deletionTimestamp":"2026-01-01T00:00:00Z")"), states, Below::Nothing)
          .deletion);
  const std::vector<OwnerState> too_few = {Absent};
  EXPECT_FALSE(judge(with_owners(), too_few, Below::Nothing).deletion);
}

TEST(Garbage, TakesItsOwnDependentsAlongBeforeAnOwnerThatWaits) {
  const std::vector<OwnerState> states = {Awaiting, Absent};
  EXPECT_EQ(judge(with_owners(), states, Below::Dependents).deletion, Cascade::Foreground);
  EXPECT_EQ(judge(with_owners(), states, Below::Nothing).deletion, Cascade::Background);
}

TEST(Garbage, UnblocksItsOwnersInACircle) {
  const std::vector<OwnerState> states = {Awaiting, Awaiting};
  const Verdict verdict = judge(with_owners(), states, Below::DependentsThatAwait);
  ASSERT_TRUE(verdict.after);
  EXPECT_FALSE(verdict.deletion);
  EXPECT_EQ(verdict.after->find_path({"metadata", "ownerReferences"})
                ->elements()[0]
                .find("blockOwnerDeletion")
                ->as_bool(),
            false);
  EXPECT_EQ(judge(*verdict.after, states, Below::DependentsThatAwait).deletion,
            Cascade::Foreground);
}

TEST(Garbage, LosesOneFinalizerOrOwnerAndKeepsTheOthers) {
  const json::Value object = with_owners(R"(,"finalizers":["f","orphan"])");
  EXPECT_EQ(json::print(*without_finalizer(object, "orphan").find_path({"metadata", "finalizers"})),
            R"(["f"])");
  EXPECT_EQ(json::print(*without_owner(object, "a").find_path({"metadata", "ownerReferences"})),
            R"([{"uid":"b"}])");
  EXPECT_FALSE(without_finalizer(parsed(R"({"metadata":{"finalizers":["x"]}})"), "x")
                   .find_path({"metadata", "finalizers"}));
}

}  // namespace
}  // namespace berth::upkeep
