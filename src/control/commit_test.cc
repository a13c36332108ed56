#include "control/commit.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "json/print.h"

namespace berth::control {
namespace {

using json::Value;

const client::Gvr kPlacements = {
    .group = "cluster.open-cluster-management.io", .version = "v1beta1", .resource = "placements"};

Value object(std::string version, Value spec, Value status = nullptr) {
  Value made = Value::object({{"metadata", Value::object({{"name", "web"},
                                                          {"namespace", "team"},
                                                          {"uid", "u-1"},
                                                          {"resourceVersion", version}})},
                              {"spec", std::move(spec)}});
  if (!status.is_null()) made["status"] = std::move(status);
  return made;
}

std::string text_of(const Write& write) {
  if (const auto* create = std::get_if<CreateWrite>(&write)) {
    return fmt::format("create {} {}", client::path_of(create->collection).value(),
                       json::print(create->object));
  }
  if (const auto* patch = std::get_if<PatchWrite>(&write)) {
    return fmt::format("patch {} {}", client::path_of(patch->path).value(),
                       json::print(patch->patch));
  }
  const auto& removal = std::get<DeleteWrite>(write);
  return fmt::format("delete {} uid={} version={}", client::path_of(removal.path).value(),
                     removal.options.uid, removal.options.resource_version);
}

// All writes of a change, each answered with the next of `answers`.
std::vector<std::string> writes_of(Change change, std::vector<Value> answers = {}) {
  Commit commit = Commit::of(std::move(change)).value();
  std::vector<std::string> writes;
  for (std::size_t i = 0; commit.write() && i < 5; ++i) {
    writes.push_back(text_of(*commit.write()));
    const Value answer = i < answers.size() ? answers[i] : object("9", Value::object());
    EXPECT_TRUE(commit.on_answer(answer).ok());
  }
  return writes;
}

const std::string kPath =
    "/apis/cluster.open-cluster-management.io/v1beta1/namespaces/team/placements";

TEST(Commit, WhatIsAlreadySoCostsNothing) {
  const Value same = object("1", Value::object({{"n", 1}}), Value::object({{"ok", true}}));
  EXPECT_TRUE(writes_of({.resource = kPlacements, .before = same, .after = same}).empty());
}

TEST(Commit, SpecAndStatusAreWrittenWhereTheyBelong) {
  const Value before = object("1", Value::object({{"n", 1}}), Value::object({{"m", 1}}));
  const Value new_spec = object("1", Value::object({{"n", 2}}), Value::object({{"m", 1}}));
  const Value new_status = object("1", Value::object({{"n", 1}}), Value::object({{"m", 2}}));
  const auto spec_writes =
      writes_of({.resource = kPlacements, .before = before, .after = new_spec},
                {object("2", Value::object({{"n", 2}}), Value::object({{"m", 1}}))});
  ASSERT_EQ(spec_writes.size(), 1u);
  EXPECT_TRUE(spec_writes[0].starts_with("patch " + kPath + "/web {")) << spec_writes[0];
  EXPECT_NE(spec_writes[0].find(R"("spec":{"n":2})"), std::string::npos) << spec_writes[0];
  EXPECT_EQ(spec_writes[0].find("status"), std::string::npos) << spec_writes[0];

  const auto status_writes =
      writes_of({.resource = kPlacements, .before = before, .after = new_status});
  ASSERT_EQ(status_writes.size(), 1u);
  EXPECT_TRUE(status_writes[0].starts_with("patch " + kPath + "/web/status {")) << status_writes[0];
}

TEST(Commit, TheSecondWriteCarriesTheVersionOfTheFirst) {
  const Value before = object("1", Value::object({{"n", 1}}), Value::object({{"m", 1}}));
  const Value after = object("1", Value::object({{"n", 2}}), Value::object({{"m", 2}}));
  const Value answer = object("2", Value::object({{"n", 2}}), Value::object({{"m", 1}}));
  const auto writes =
      writes_of({.resource = kPlacements, .before = before, .after = after}, {answer});
  ASSERT_EQ(writes.size(), 2u);
  EXPECT_NE(writes[0].find(R"("resourceVersion":"1")"), std::string::npos) << writes[0];
  EXPECT_NE(writes[1].find("/web/status"), std::string::npos) << writes[1];
  EXPECT_NE(writes[1].find(R"("resourceVersion":"2")"), std::string::npos) << writes[1];
}

TEST(Commit, ACreatedObjectGetsItsStatusInASecondWrite) {
  Value wanted =
      Value::object({{"metadata", Value::object({{"name", "web"}, {"namespace", "team"}})},
                     {"status", Value::object({{"m", 1}})}});
  const auto writes =
      writes_of({.resource = kPlacements, .after = wanted},
                {Value::object({{"metadata", Value::object({{"name", "web"},
                                                            {"namespace", "team"},
                                                            {"uid", "u-1"},
                                                            {"resourceVersion", "1"}})}})});
  ASSERT_EQ(writes.size(), 2u);
  EXPECT_EQ(writes[0], "create " + kPath + R"( {"metadata":{"name":"web","namespace":"team"}})");
  EXPECT_TRUE(writes[1].starts_with("patch " + kPath + "/web/status {")) << writes[1];

  wanted.erase("status");
  EXPECT_EQ(writes_of({.resource = kPlacements, .after = wanted}).size(), 1u);
}

TEST(Commit, AKindWithoutStatusSubresourceIsWrittenAtOnce) {
  const Value before = object("1", Value::object({{"n", 1}}), Value::object({{"m", 1}}));
  const Value after = object("1", Value::object({{"n", 2}}), Value::object({{"m", 2}}));
  const auto writes = writes_of({.resource = kPlacements,
                                 .before = before,
                                 .after = after,
                                 .status = StatusWrites::WithTheRest});
  ASSERT_EQ(writes.size(), 1u);
  EXPECT_NE(writes[0].find(R"("status":{"m":2})"), std::string::npos) << writes[0];
}

TEST(Commit, DeletesOnlyThatVeryObject) {
  const auto writes = writes_of({.resource = kPlacements, .before = object("7", Value::object())});
  EXPECT_EQ(writes, std::vector<std::string>{"delete " + kPath + "/web uid=u-1 version=7"});
}

TEST(Commit, WhatIsGoneNeedNotBeDeleted) {
  Commit commit =
      Commit::of({.resource = kPlacements, .before = object("7", Value::object())}).value();
  EXPECT_TRUE(commit.on_answer(failure(Code::NotFound, "gone")).ok());
  EXPECT_FALSE(commit.write());
}

TEST(Commit, AnErrorEndsIt) {
  Commit commit =
      Commit::of({.resource = kPlacements,
                  .before = object("1", Value::object({{"n", 1}}), Value::object({{"m", 1}})),
                  .after = object("1", Value::object({{"n", 2}}), Value::object({{"m", 2}}))})
          .value();
  const Status status = commit.on_answer(failure(Code::Conflict, "changed"));
  EXPECT_EQ(status.error().code, Code::Conflict);
  EXPECT_FALSE(commit.write());
}

TEST(Commit, RefusesWhatItCannotSafelyWrite) {
  EXPECT_FALSE(Commit::of({.resource = kPlacements}).ok());
  const Value nameless = Value::object({{"metadata", Value::object()}, {"spec", 1}});
  EXPECT_FALSE(
      Commit::of({.resource = kPlacements, .before = nameless, .after = Value::object()}).ok());
}

}  // namespace
}  // namespace berth::control
