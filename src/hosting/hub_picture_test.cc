#include "hosting/hub_picture.h"

#include <gtest/gtest.h>

#include "hosting/names.h"
#include "hosting/testing/hosting_builder.h"

namespace berth::hosting {
namespace {

using json::Value;
using testing::cluster_object;
using testing::kNow;
using testing::parsed;
using testing::request_object;

Value named(std::string_view body, std::string_view name, std::string_view ns) {
  Value object = parsed(body);
  object["metadata"] = Value::object({{"name", name}, {"namespace", ns}});
  return object;
}

Value ledger_with_claim_of(const std::string& request) {
  Claim claim = make_claim(testing::request(request), kNow);
  return with_claims(new_ledger("a"), {claim});
}

HubPicture picture_of_one_host() {
  return {.requests = {request_object("r")},
          .ledgers = {new_ledger("a")},
          .clusters = {cluster_object("a")},
          .scores = {named(R"({"status":{"scores":[{"name":"hostedClustersCount","value":7}]}})",
                           kCountScore, "a")},
          .add_ons = {named(R"({"status":{"conditions":[{"type":"Available","status":"True"}],
              "configReferences":[{"resource":"addondeploymentconfigs","desiredConfig":
              {"namespace":"cfg","name":"hs"}}]}})",
                            kHyperShiftAddOn, "a")},
          .configs = {named(R"({"spec":{"customizedVariables":[
              {"name":"hcMaxNumber","value":"10"},{"name":"hcThresholdNumber","value":"8"}]}})",
                            "hs", "cfg")}};
}

TEST(HubPicture, PutsTogetherWhatBelongsToAHost) {
  const Situation situation = situation_of(picture_of_one_host(), "", kNow);
  const Host* host = situation.find_host("a");
  ASSERT_NE(host, nullptr);
  EXPECT_EQ(host->load.total(), 7);
  EXPECT_EQ(host->thresholds, (Thresholds{.hosted_max = 10, .threshold = 8}));
  EXPECT_TRUE(decide(situation.question(*situation.find("uid-r"), kNow)).host.has_value());
}

TEST(HubPicture, LeavesOutTheClaimsOfTheRequestThatIsAskedAbout) {
  HubPicture picture = picture_of_one_host();
  picture.ledgers = {ledger_with_claim_of("r")};
  EXPECT_EQ(situation_of(picture, "", kNow).find_host("a")->load.claimed, 1);
  EXPECT_EQ(situation_of(picture, "uid-r", kNow).find_host("a")->load.claimed, 0);
}

TEST(HubPicture, KnowsWhatPlacementsHaveChosen) {
  HubPicture picture = picture_of_one_host();
  picture.requests = {request_object("r", R"("placementRef":{"name":"p"})")};
  const auto is_possible = [&picture] {
    const Situation situation = situation_of(picture, "", kNow);
    return decide(situation.question(*situation.find("uid-r"), kNow)).host.has_value();
  };
  EXPECT_FALSE(is_possible());
  Value decision = named(R"({"status":{"decisions":[{"clusterName":"a","reason":""}]}})",
                         "p-decision-1", "tenant");
  decision["metadata"]["labels"]["cluster.open-cluster-management.io/placement"] = "p";
  picture.decisions = {decision};
  EXPECT_TRUE(is_possible());
}

}  // namespace
}  // namespace berth::hosting
