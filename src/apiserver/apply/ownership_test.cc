#include "apiserver/apply/ownership.h"

#include <gtest/gtest.h>

#include "apiserver/apply/testing/sets.h"
#include "apiserver/apply/testing/thing_schema.h"

namespace berth::apiserver {
namespace {

using testing::json_of;
using testing::set_of;
using testing::ThingType;

ManagedEntry entry(std::string manager, Operation operation, std::string_view fields,
                   std::string version = "v1") {
  return {.name = {.manager = std::move(manager),
                   .operation = operation,
                   .api_version = std::move(version)},
          .fields = set_of(fields)};
}

TEST(Ownership, ConflictsNameTheManagerAndTheField) {
  const Changes changes{.modified = set_of(R"({"f:spec":{"f:n":{}}})")};
  const ManagedFields owners = {
      entry("test", Operation::Update, R"({"f:spec":{"f:n":{}}})", "ex.io/v1"),
      entry("other", Operation::Apply, R"({"f:spec":{"f:s":{}}})")};
  const Error error = conflict_error(conflicts_of(owners, changes, nullptr));
  EXPECT_EQ(error.code, Code::Conflict);
  EXPECT_EQ(error.message,
            "Apply failed with 1 conflict: conflict with \"test\" using ex.io/v1: .spec.n");
  ASSERT_EQ(error.causes.size(), 1u);
  EXPECT_EQ(error.causes[0], (Cause{.reason = "FieldManagerConflict",
                                    .message = "conflict with \"test\" using ex.io/v1",
                                    .field = ".spec.n"}));
}

// As answered by a real server.
TEST(Ownership, SeveralConflictsAreGroupedByManager) {
  const Changes changes{.modified = set_of(R"({"f:spec":{"f:n":{},"f:s":{}}})"),
                        .added = set_of(R"({"f:spec":{"f:set":{"v:\"x\"":{}}}})")};
  const ManagedFields owners = {
      entry("m2", Operation::Apply, R"({"f:spec":{"f:n":{}}})"),
      entry("m1", Operation::Apply, R"({"f:spec":{"f:n":{},"f:s":{},"f:set":{"v:\"x\"":{}}}})")};
  EXPECT_EQ(conflict_error(conflicts_of(owners, changes, nullptr)).message,
            "Apply failed with 4 conflicts: conflicts with \"m1\":\n- .spec.n\n- .spec.s\n"
            "- .spec.set[=\"x\"]\nconflicts with \"m2\":\n- .spec.n");
  EXPECT_EQ(conflicts_of(owners, changes, &owners[1].name).size(), 1u) << "not with oneself";
}

TEST(Ownership, ChangesAreTakenFromEverybodyElse) {
  const Changes changes{.removed = set_of(R"({"f:a":{}})"),
                        .modified = set_of(R"({"f:b":{}})"),
                        .added = set_of(R"({"f:c":{}})")};
  const ManagedFields owners = {entry("x", Operation::Apply, R"({"f:a":{},"f:b":{},"f:d":{}})"),
                                entry("y", Operation::Update, R"({"f:b":{},"f:c":{}})"),
                                entry("z", Operation::Apply, R"({"f:a":{}})")};
  const ManagedFields after = after_changes(owners, changes, &owners[2].name);
  ASSERT_EQ(after.size(), 2u) << "who has nothing left disappears";
  EXPECT_EQ(after[0].fields, set_of(R"({"f:d":{}})"));
  EXPECT_EQ(after[1].fields, set_of(R"({"f:a":{}})"));
}

TEST(Ownership, ResetFieldsDoNotCountWithWhatIsBelowThem) {
  const Changes changes =
      without_fields({.added = set_of(R"({"f:spec":{},"f:status":{"f:x":{}}})")},
                     field_set({path_of({"status"})}));
  EXPECT_EQ(changes.added, set_of(R"({"f:spec":{}})"));
}

// A struct that nobody owns anything in any more goes with all that is in it.
TEST(Ownership, PruningKeepsWhatOthersOwnAndWhatNobodyOwns) {
  const ThingType thing;
  const json::Value merged =
      json_of(R"({"spec":{"n":1,"s":"x","nested":{"a":"x","b":"y"},"set":["a","b","c"]}})");
  const ManagedEntry last =
      entry("me", Operation::Apply,
            R"({"f:spec":{"f:n":{},"f:nested":{"f:a":{}},"f:set":{"v:\"a\"":{},"v:\"b\"":{}}}})");
  const ManagedFields owners = {
      entry("me", Operation::Apply, R"({"f:spec":{"f:set":{"v:\"a\"":{}}}})"),
      entry("you", Operation::Update, R"({"f:spec":{"f:n":{}}})")};
  EXPECT_EQ(prune(merged, last, owners, thing.type),
            json_of(R"({"spec":{"n":1,"s":"x","set":["a","c"]}})"));
}

TEST(Ownership, OldUpdatersBecomeOneBeyondTen) {
  ManagedFields owners = {entry("applier", Operation::Apply, R"({"f:z":{}})")};
  for (int i = 0; i < 12; ++i) {
    ManagedEntry updater = entry("m" + std::to_string(i), Operation::Update,
                                 R"({"f:f)" + std::to_string(i) + R"(":{}})");
    updater.time = Time::from_unix(100 - i);
    owners.push_back(std::move(updater));
  }
  const ManagedFields few = with_few_updaters(owners);
  EXPECT_EQ(few.size(), 11u);
  const auto ancient = std::ranges::find(few, "ancient-changes",
                                         [](const ManagedEntry& e) { return e.name.manager; });
  ASSERT_NE(ancient, few.end());
  EXPECT_EQ(ancient->fields, set_of(R"({"f:f9":{},"f:f10":{},"f:f11":{}})"));
  EXPECT_EQ(ancient->time, Time::from_unix(91)) << "of the youngest that was merged";
  owners.resize(11);
  EXPECT_EQ(with_few_updaters(owners).size(), 11u) << "ten may stay";
}

}  // namespace
}  // namespace berth::apiserver
