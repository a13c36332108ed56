#include "fleet/work/object_merge.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::fleet {
namespace {

json::Value parse(std::string_view text) { return json::parse(text).value(); }

OwnerWish ours(bool owned) {
  return {.reference = owner_reference(parse(R"({"metadata":{"name":"h-w","uid":"u1"}})")),
          .owned = owned};
}

constexpr std::string_view kOurs =
    R"({"apiVersion":"work.open-cluster-management.io/v1","kind":"AppliedManifestWork","name":"h-w","uid":"u1"})";

TEST(MergedMap, AddsWhatIsMissingAndKeepsWhatOthersPut) {
  EXPECT_EQ(merged_map(parse(R"({"a":"1","b":"2"})"), parse(R"({"b":"3","c":"4"})")),
            parse(R"({"a":"1","b":"3","c":"4"})"));
  EXPECT_EQ(merged_map(parse(R"({"a":"1","b":"2"})"), parse(R"({"b":"2"})")), std::nullopt);
  EXPECT_EQ(merged_map({}, parse(R"({"a":"1"})")), parse(R"({"a":"1"})"));
}

TEST(MergedMap, AKeyThatEndsInADashTakesAway) {
  EXPECT_EQ(merged_map(parse(R"({"a":"1","b":"2"})"), parse(R"({"a-":""})")),
            parse(R"({"b":"2"})"));
  EXPECT_EQ(merged_map(parse(R"({"b":"2"})"), parse(R"({"a-":""})")), std::nullopt);
}

TEST(MergedOwners, OursJoinsTheOthersOnce) {
  const json::Value other = parse(R"({"apiVersion":"v1","kind":"Pod","name":"p","uid":"x"})");
  const auto merged = merged_owners(json::Value::array({other}), ours(true));
  EXPECT_EQ(merged, json::Value::array({other, parse(kOurs)}));
  EXPECT_EQ(merged_owners(*merged, ours(true)), std::nullopt);
  EXPECT_EQ(merged_owners(*merged, ours(false)), json::Value::array({other}));
  EXPECT_EQ(merged_owners(json::Value::array({other}), ours(false)), std::nullopt);
}

TEST(MergedOwners, AnOlderRecordOfTheSameNameIsReplaced) {
  json::Value old = parse(kOurs);
  old["uid"] = "u0";
  EXPECT_EQ(merged_owners(json::Value::array({old}), ours(true)),
            json::Value::array({parse(kOurs)}));
}

TEST(AsCreated, OnlyOursOwnsItAndNothingIsTakenAway) {
  const json::Value made = as_created(
      parse(
          R"({"metadata":{"name":"n","uid":"x","labels":{"a":"1","b-":""},"annotations":{"c-":""},)"
          R"("ownerReferences":[{"name":"p"}]}})"),
      ours(true));
  json::Value expected = parse(R"({"metadata":{"name":"n","labels":{"a":"1"},"annotations":{}}})");
  expected["metadata"]["ownerReferences"] = json::Value::array({parse(kOurs)});
  EXPECT_EQ(made, expected);
  EXPECT_EQ(as_created(parse(R"({"metadata":{"name":"n"}})"), ours(false)),
            parse(R"({"metadata":{"name":"n"}})"));
}

TEST(OwnersPatch, HoldsForTheVersionThatWasRead) {
  const json::Value live = parse(R"({"metadata":{"uid":"u","resourceVersion":"7","labels":{}}})");
  json::Value expected = parse(R"({"metadata":{"uid":"u","resourceVersion":"7"}})");
  expected["metadata"]["ownerReferences"] = json::Value::array({parse(kOurs)});
  EXPECT_EQ(owners_patch(live, ours(true)), expected);
  EXPECT_EQ(owners_patch(live, ours(false)), std::nullopt);
}

TEST(MergedMetadata, ChangesNothingElse) {
  const json::Value live =
      parse(R"({"metadata":{"name":"n","labels":{"a":"1"}},"data":{"x":"y"}})");
  const auto merged =
      merged_metadata(live, parse(R"({"metadata":{"labels":{"b":"2"}}})"), ours(false));
  EXPECT_EQ(merged,
            parse(R"({"metadata":{"name":"n","labels":{"a":"1","b":"2"}},"data":{"x":"y"}})"));
  EXPECT_EQ(merged_metadata(live, parse(R"({"metadata":{"labels":{"a":"1"}}})"), ours(false)),
            std::nullopt);
}

}  // namespace
}  // namespace berth::fleet
