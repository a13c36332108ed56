#include "scores/sources/fleet_samples.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace berth::scores {
namespace {

using namespace std::chrono_literals;
using Names = std::set<std::string>;

const Time kNow = Time::from_unix(1'000'000);

Series value(const std::string& cluster, double number) {
  return {.cluster = cluster, .part = "value", .number = number};
}
Series time(const std::string& cluster, double seconds, int part = 0) {
  return {.cluster = cluster, .part = "time" + std::to_string(part), .number = seconds};
}

FleetSamples match(const std::vector<Series>& series) {
  return match_series(series, names_by_name({"oslo", "rome"}), kNow);
}

TEST(FleetSamples, GiveEachClusterItsNumberAndItsOldestSample) {
  const auto samples = match({value("rome", 7), value("oslo", -2.5), time("rome", 999'990.25),
                              time("rome", 999'950, 1), time("oslo", 999'999)});
  ASSERT_EQ(samples.clusters.size(), 2U);
  EXPECT_EQ(samples.clusters.at("rome"), (Measurement{7, Time::from_unix(999'950)}));
  EXPECT_EQ(samples.clusters.at("oslo"), (Measurement{-2.5, Time::from_unix(999'999)}));
  EXPECT_EQ(samples.series, 2U);
}

TEST(FleetSamples, LeaveOutClustersThatNobodyAskedFor) {
  const auto samples = match({value("rome", 1), value("kyiv", 2), value("", 3),
                              time("rome", 999'990), time("kyiv", 999'990), time("", 999'990)});
  EXPECT_EQ(samples.clusters.size(), 1U);
  EXPECT_EQ(samples.unknown, 2U);
}

TEST(FleetSamples, RejectWhatIsNoNumber) {
  const auto samples =
      match({value("rome", NAN), value("oslo", INFINITY), time("rome", 999'990), time("oslo", 1)});
  EXPECT_TRUE(samples.clusters.empty());
  EXPECT_EQ(samples.rejected, 2U);
  EXPECT_EQ(samples.series, 2U);
}

TEST(FleetSamples, NameClustersWithSeveralNumbersAndTakeNone) {
  const auto samples = match({value("rome", 1), value("rome", NAN), value("oslo", 3),
                              time("rome", 999'990), time("oslo", 999'990)});
  EXPECT_EQ(samples.duplicates, Names{"rome"});
  EXPECT_EQ(samples.clusters.size(), 1U);
  EXPECT_TRUE(samples.clusters.contains("oslo"));
}

TEST(FleetSamples, WithoutATimeAreNone) {
  const auto samples = match(
      {value("rome", 1), value("oslo", 1), time("oslo", NAN), time("oslo", -5), time("", 999'990)});
  EXPECT_TRUE(samples.clusters.empty());
  EXPECT_EQ(samples.undated, 2U);
}

TEST(FleetSamples, AreNeverFromTheFuture) {
  EXPECT_EQ(match({value("rome", 1), time("rome", 1'000'060)}).clusters.at("rome").sampled, kNow);
}

api::ManagedCluster cluster(const std::string& name, const std::string& id) {
  api::ManagedCluster made{.facts = {.name = name}};
  if (!id.empty()) made.claims = {{.key = "id.k8s.io", .value = id}};
  return made;
}

TEST(FleetSamples, CanBeMatchedByAClaim) {
  const std::vector<api::ManagedCluster> clusters = {cluster("rome", "id-1"), cluster("oslo", "")};
  const ClusterNames names = names_by_claim(clusters, "id.k8s.io");
  const std::vector<Series> series = {value("id-1", 5), time("id-1", 999'000), value("rome", 6)};
  const FleetSamples samples = match_series(series, names, kNow);
  ASSERT_EQ(samples.clusters.size(), 1U);
  EXPECT_EQ(samples.clusters.at("rome").number, 5);
  EXPECT_EQ(samples.unknown, 1U);
}

TEST(FleetSamples, OfAClaimThatTwoClustersShareBelongToNeither) {
  const std::vector<api::ManagedCluster> clusters = {cluster("rome", "same"),
                                                     cluster("oslo", "same")};
  const ClusterNames names = names_by_claim(clusters, "id.k8s.io");
  EXPECT_EQ(names.ambiguous, (Names{"oslo", "rome"}));
  const std::vector<Series> series = {value("same", 5), time("same", 999'000)};
  const FleetSamples samples = match_series(series, names, kNow);
  EXPECT_TRUE(samples.clusters.empty());
  EXPECT_EQ(samples.duplicates.size(), 1U);
}

}  // namespace
}  // namespace berth::scores
