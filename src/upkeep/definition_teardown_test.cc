#include "upkeep/definition_teardown.h"

#include <string>

#include <gtest/gtest.h>

#include "api/conditions.h"
#include "api/metadata.h"
#include "json/parse.h"

namespace berth::upkeep {
namespace {

const Time kNow = Time::from_unix(1'800'000'000);

json::Value definition(const std::string& established = "True") {
  return json::parse(R"({"metadata":{"name":"things.g","deletionTimestamp":"2026-01-01T00:00:00Z",
      "finalizers":["mine","customresourcecleanup.apiextensions.k8s.io"]},
      "spec":{"group":"g","scope":"Namespaced","names":{"plural":"things"},
              "versions":[{"name":"v1","served":false},{"name":"v2","served":true}]},
      "status":{"conditions":[{"type":"Established","status":")" +
                     established + R"("}]}})")
      .value();
}

std::string terminating(const json::Value& object) {
  const json::Value* one =
      api::find_condition(*object.find_path({"status", "conditions"}), "Terminating");
  return std::string(one->find("status")->string_or_empty()) + " " +
         std::string(one->find("reason")->string_or_empty());
}

TEST(DefinitionTeardown, IsForDefinitionsThatAreDeletedAndStillHaveTheFinalizer) {
  EXPECT_TRUE(needs_cleanup(definition()));
  json::Value living = definition();
  living["metadata"].erase("deletionTimestamp");
  EXPECT_FALSE(needs_cleanup(living));
  EXPECT_FALSE(needs_cleanup(with_cleanup_done(definition(), kNow)));
}

TEST(DefinitionTeardown, FindsInstancesInAServedVersion) {
  const auto instances = instances_of(definition());
  ASSERT_TRUE(instances);
  EXPECT_EQ(instances->resource, (api::Gvr{"g", "v2", "things"}));
  EXPECT_TRUE(instances->namespaced);
  EXPECT_FALSE(instances_of(definition("False")));
}

TEST(DefinitionTeardown, TellsHowItGoes) {
  EXPECT_EQ(terminating(with_cleanup_begun(definition(), kNow)), "True InstanceDeletionInProgress");
  EXPECT_EQ(terminating(with_cleanup_failed(definition(), "no", kNow)),
            "True InstanceDeletionFailed");
  EXPECT_EQ(terminating(with_cleanup_done(definition(), kNow)), "False InstanceDeletionCompleted");
  EXPECT_EQ(terminating(with_cleanup_done(definition("False"), kNow)), "False NeverEstablished");
}

TEST(DefinitionTeardown, TakesAwayOnlyItsOwnFinalizer) {
  const json::Value done = with_cleanup_done(definition(), kNow);
  EXPECT_EQ(api::Metadata(done).finalizers(), std::vector<std::string_view>{"mine"});
}

}  // namespace
}  // namespace berth::upkeep
