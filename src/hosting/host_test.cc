#include "hosting/host.h"

#include <gtest/gtest.h>

#include "hosting/testing/hosting_builder.h"

namespace berth::hosting {
namespace {

using namespace std::chrono_literals;
using testing::cluster_object;
using testing::kNow;
using testing::parsed;
using Source = Observation::Source;

json::Value count_score(int count) {
  json::Value score = parsed(R"({"metadata":{"name":"hosted-clusters-score","managedFields":[
      {"time":"2027-01-15T07:00:00Z","fieldsV1":{"f:status":{"f:scores":{}}}},
      {"time":"2027-01-15T07:59:00Z","fieldsV1":{"f:metadata":{}}}]}})");
  score["status"]["scores"] = json::Value::array(
      {json::Value::object({{"name", "hostedClustersCount"}, {"value", count}})});
  return score;
}

json::Value add_on(std::string_view available) {
  return parsed(fmt::format(R"({{"status":{{"conditions":[
      {{"type":"Available","status":"{}"}}]}}}})",
                            available));
}

TEST(Host, IsWhatItsClusterSays) {
  json::Value cluster = cluster_object("h");
  Host host = read_host({.cluster = cluster}, kNow);
  EXPECT_TRUE(host.is_accepted && host.is_available && host.is_hosting);
  EXPECT_FALSE(host.says_full || host.is_deleting || host.has_ledger);
  EXPECT_EQ(host.thresholds, (Thresholds{80, 60}));
  EXPECT_EQ(host.observation.source, Source::None);
  cluster["status"]["clusterClaims"].push_back(
      parsed(R"({"name":"full.hostedclustercount.hypershift.openshift.io","value":"true"})"));
  EXPECT_TRUE(read_host({.cluster = cluster}, kNow).says_full);
}

TEST(Host, IsObservedByTheScoreAsItIsToday) {
  json::Value cluster = cluster_object("h");
  cluster["status"]["allocatable"] = parsed(R"({"cpu":"64","memory":"256G","pods":"500"})");
  const json::Value score = count_score(12);
  const json::Value alive = add_on("True");
  const Host host = read_host({.cluster = cluster, .score = &score, .add_on = &alive}, kNow);
  EXPECT_EQ(host.observation.source, Source::Score);
  EXPECT_EQ(host.observation.count, 12);
  EXPECT_EQ(host.observation.at, kNow - 1h) << "when the scores were written, not the labels";
  EXPECT_EQ(staleness(host.observation, kNow), "");
  EXPECT_EQ(host.load.free[Resource::Pods], 500 - 12 * 75);
}

TEST(Host, WhoseAddOnIsDeadOrCannotCountIsNotObserved) {
  const json::Value cluster = cluster_object("h");
  json::Value score = count_score(0);
  const json::Value dead = add_on("Unknown");
  const json::Value alive = add_on("True");
  const auto text = [&](const json::Value& add_on_object) {
    return staleness(
        read_host({.cluster = cluster, .score = &score, .add_on = &add_on_object}, kNow)
            .observation,
        kNow);
  };
  EXPECT_EQ(text(dead), "the agent that reports is silent");
  EXPECT_EQ(text(alive), "");
  score["status"]["conditions"] = parsed(
      R"([{"type":"HostedClusterCountUpdated","status":"False","reason":"HostedClusterCountFailed"}])");
  EXPECT_EQ(text(alive), "the agent that reports is silent");
}

TEST(Host, BelievesAnAgentThatNamesWhatItHasBeforeANumber) {
  const json::Value cluster = cluster_object("h");
  const json::Value score = count_score(12);
  const json::Value alive = add_on("True");
  json::Value ledger = new_ledger("h");
  ledger["status"]["observed"] =
      to_json(ExactObservation{.items = {{"a/b", true}}, .at = kNow, .valid_until = kNow + 90s});
  const HostSources sources{
      .cluster = cluster, .ledger = &ledger, .score = &score, .add_on = &alive};
  EXPECT_EQ(read_host(sources, kNow).observation.source, Source::Agent);
  EXPECT_EQ(read_host(sources, kNow).load.total(), 1);
  EXPECT_EQ(read_host(sources, kNow + 2min).observation.source, Source::Score)
      << "the agent has fallen silent, the add-on has not";
}

TEST(Thresholds, AreThoseOfTheAddOnIfBothMakeSense) {
  const auto of = [](std::string_view maximum, std::string_view threshold) {
    const json::Value config = parsed(fmt::format(R"({{"spec":{{"customizedVariables":[
        {{"name":"hcMaxNumber","value":"{}"}},{{"name":"hcThresholdNumber","value":"{}"}}]}}}})",
                                                  maximum, threshold));
    return read_thresholds(&config);
  };
  EXPECT_EQ(of("40", "30"), (Thresholds{40, 30}));
  EXPECT_EQ(of("30", "40"), (Thresholds{80, 60}));
  EXPECT_EQ(of("many", "30"), (Thresholds{80, 60}));
  EXPECT_EQ(of("0", "0"), (Thresholds{80, 60}));
  EXPECT_EQ(read_thresholds(nullptr), (Thresholds{80, 60}));
}

TEST(Thresholds, OfTheLedgerComeFirst) {
  const json::Value cluster = cluster_object("h");
  json::Value ledger = new_ledger("h");
  ledger["spec"]["maxHostedClusters"] = 10;
  EXPECT_EQ(read_host({.cluster = cluster, .ledger = &ledger}, kNow).thresholds,
            (Thresholds{10, 10}));
  ledger["spec"]["thresholdHostedClusters"] = 4;
  EXPECT_EQ(read_host({.cluster = cluster, .ledger = &ledger}, kNow).thresholds,
            (Thresholds{10, 4}));
}

TEST(DeploymentConfig, IsTheOneThatTheAddOnUses) {
  EXPECT_EQ(deployment_config_of(parsed(R"({"status":{"configReferences":[
      {"resource":"other","desiredConfig":{"name":"x"}},
      {"resource":"addondeploymentconfigs","name":"old","namespace":"n",
       "desiredConfig":{"name":"c","namespace":"ns"}}]}})")),
            "ns/c");
  EXPECT_EQ(deployment_config_of(parsed(R"({"status":{"configReferences":[
      {"resource":"addondeploymentconfigs","name":"old","namespace":"n"}]}})")),
            "n/old");
  EXPECT_EQ(deployment_config_of(parsed("{}")), "");
}

}  // namespace
}  // namespace berth::hosting
