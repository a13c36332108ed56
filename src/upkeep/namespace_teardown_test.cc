#include "upkeep/namespace_teardown.h"

#include <gtest/gtest.h>

#include "api/conditions.h"
#include "json/parse.h"
#include "json/print.h"

namespace berth::upkeep {
namespace {

using namespace std::chrono_literals;

const Time kNow = Time::from_unix(1'800'000'000);

json::Value parsed(std::string_view text) { return json::parse(text).value(); }

// "status reason: message" of a condition.
std::string told(const json::Value& object, std::string_view type) {
  const json::Value* one = api::find_condition(*object.find_path({"status", "conditions"}), type);
  const auto text = [one](std::string_view name) {
    return std::string(one->find(name)->string_or_empty());
  };
  return text("status") + " " + text("reason") + ": " + text("message");
}

TEST(NamespaceTeardown, IsForNamespacesThatAreDeletedAndStillHaveTheFinalizer) {
  EXPECT_FALSE(needs_teardown(parsed(R"({"spec":{"finalizers":["kubernetes"]}})")));
  const char* dying = R"({"metadata":{"deletionTimestamp":"2026-01-01T00:00:00Z"},)";
  EXPECT_TRUE(
      needs_teardown(parsed(dying + std::string(R"("spec":{"finalizers":["kubernetes"]}})"))));
  EXPECT_FALSE(needs_teardown(parsed(dying + std::string(R"("spec":{"finalizers":["other"]}})"))));
}

TEST(NamespaceTeardown, IsCompleteOnlyWhenNothingFailedAndNothingIsLeft) {
  EXPECT_TRUE(Teardown{}.is_complete());
  EXPECT_TRUE((Teardown{.left = {{.resource = {}, .count = 0}}}).is_complete());
  EXPECT_FALSE((Teardown{.left = {{.resource = {}, .count = 1}}}).is_complete());
  EXPECT_FALSE((Teardown{.content_failures = {"no"}}).is_complete());
  EXPECT_FALSE((Teardown{.discovery_failure = "no"}).is_complete());
}

TEST(NamespaceTeardown, TellsFiveTimesThatAllIsWell) {
  const json::Value object = with_teardown_conditions(parsed("{}"), {}, kNow);
  EXPECT_EQ(object.find_path({"status", "conditions"})->size(), 5U);
  EXPECT_EQ(told(object, "NamespaceDeletionDiscoveryFailure"),
            "False ResourcesDiscovered: All resources successfully discovered");
  EXPECT_EQ(told(object, "NamespaceDeletionGroupVersionParsingFailure"),
            "False ParsedGroupVersions: All legacy kube types successfully parsed");
  EXPECT_EQ(told(object, "NamespaceDeletionContentFailure"),
            "False ContentDeleted: All content successfully deleted, may be waiting on "
            "finalization");
  EXPECT_EQ(told(object, "NamespaceContentRemaining"),
            "False ContentRemoved: All content successfully removed");
  EXPECT_EQ(told(object, "NamespaceFinalizersRemaining"),
            "False ContentHasNoFinalizers: All content-preserving finalizers finished");
}

TEST(NamespaceTeardown, NamesWhatIsLeftAndWhy) {
  const Teardown teardown{
      .content_failures = {"b", "a"},
      .left = {{.resource = {"", "v1", "pods"}, .count = 2, .finalizers = {{"x/y", 2}}},
               {.resource = {"apps", "v1", "deployments"}, .count = 1, .finalizers = {{"x/y", 1}}},
               {.resource = {"", "v1", "secrets"}, .count = 0}}};
  const json::Value object = with_teardown_conditions(parsed("{}"), teardown, kNow);
  EXPECT_EQ(told(object, "NamespaceDeletionContentFailure"),
            "True ContentDeletionFailed: Failed to delete all resource types, 2 remaining: a, b");
  EXPECT_EQ(told(object, "NamespaceContentRemaining"),
            "True SomeResourcesRemain: Some resources are remaining: deployments.apps has 1 "
            "resource instances, pods. has 2 resource instances");
  EXPECT_EQ(told(object, "NamespaceFinalizersRemaining"),
            "True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: "
            "x/y in 3 resource instances");
}

TEST(NamespaceTeardown, ChangesNothingWhenNothingChanged) {
  const Teardown teardown{.discovery_failure = "down"};
  const json::Value once = with_teardown_conditions(parsed("{}"), teardown, kNow);
  EXPECT_EQ(with_teardown_conditions(once, teardown, kNow + 1h), once);
}

TEST(NamespaceTeardown, TakesAwayOnlyItsOwnFinalizer) {
  EXPECT_EQ(json::print(finalized(parsed(R"({"spec":{"finalizers":["a","kubernetes","b"]}})"))),
            R"({"spec":{"finalizers":["a","b"]}})");
}

}  // namespace
}  // namespace berth::upkeep
