#include "fleet/addons/manifest_options.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::fleet {
namespace {

json::Value parsed(std::string_view text) { return json::parse(text).value(); }

const json::Value kManifests = parsed(R"([{"apiVersion":"v1","kind":"ConfigMap"},
    {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d","namespace":"n"}}])");

TEST(ManifestOptions, ReadTheStatusOfEveryWorkload) {
  EXPECT_EQ(manifest_options(kManifests.elements(), {}), parsed(R"([
      {"resourceIdentifier":{"group":"apps","resource":"deployments","name":"d","namespace":"n"},
       "feedbackRules":[{"type":"WellKnownStatus"}]}])"));
}

TEST(ManifestOptions, MergeWhatTheTemplateAsksAboutTheSameObject) {
  const json::Value more = parsed(R"([
      {"resourceIdentifier":{"group":"apps","resource":"deployments","name":"d","namespace":"n"},
       "feedbackRules":[{"type":"WellKnownStatus"},
         {"type":"JSONPaths","jsonPaths":[{"name":"a","path":".x"},{"name":"b","path":".y"}]},
         {"type":"JSONPaths","jsonPaths":[{"name":"b","path":".z"}]}],
       "updateStrategy":{"type":"ServerSideApply"}},
      {"resourceIdentifier":{"resource":"configmaps","name":"c"},
       "updateStrategy":{"type":"CreateOnly"}}])");
  EXPECT_EQ(manifest_options(kManifests.elements(), more.elements()), parsed(R"([
      {"resourceIdentifier":{"group":"apps","resource":"deployments","name":"d","namespace":"n"},
       "feedbackRules":[{"type":"WellKnownStatus"},
         {"type":"JSONPaths","jsonPaths":[{"name":"a","path":".x"},{"name":"b","path":".y"}]}],
       "updateStrategy":{"type":"ServerSideApply"}},
      {"resourceIdentifier":{"resource":"configmaps","name":"c"},
       "updateStrategy":{"type":"CreateOnly"}}])"));
}

TEST(ManifestOptions, AreTheSameWithWhatTheServerFillsIn) {
  const json::Value wanted = parsed(R"([{"resourceIdentifier":{"name":"d"}}])");
  EXPECT_TRUE(are_same_options(
      parsed(R"([{"resourceIdentifier":{"name":"d"},"feedbackScrapeType":"Poll"}])"), wanted));
  EXPECT_FALSE(are_same_options(
      parsed(R"([{"resourceIdentifier":{"name":"d"},"feedbackScrapeType":"Watch"}])"), wanted));
}

}  // namespace
}  // namespace berth::fleet
