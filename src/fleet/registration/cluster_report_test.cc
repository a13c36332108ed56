#include "fleet/registration/cluster_report.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "base/rfc3339.h"
#include "fleet/registration/names.h"
#include "json/parse.h"
#include "json/print.h"

namespace berth::fleet {
namespace {

using namespace std::chrono_literals;
using json::Value;
using Verdict = Health::Verdict;

const Time kNow = Time::from_unix(1'800'000'000);

Value accepted() {
  return json::parse(R"({"metadata":{"name":"paris"},"status":{"conditions":[
      {"type":"HubAcceptedManagedCluster","status":"True"}]}})")
      .value();
}

ClusterReport healthy() {
  return {.health = Verdict::Available, .probe = {.status = 200}, .version = "v1.35.4"};
}

std::string condition(const Value& cluster, std::string_view type) {
  const Value* found = api::find_condition(*cluster.find_path({"status", "conditions"}), type);
  if (!found) return "none";
  return api::text_field(*found, "status") + " " + api::text_field(*found, "reason") + " " +
         api::text_field(*found, "message");
}

Value node(std::string_view text) { return json::parse(text).value(); }

TEST(ClusterResources, CountAllNodesButOnlyOpenOnesAsAllocatable) {
  const Value open = node(R"({"metadata":{"name":"a"},"status":{
      "capacity":{"cpu":"4","memory":"8Gi","gpu":"1"},"allocatable":{"cpu":"3500m"}}})");
  const Value closed = node(R"({"metadata":{"name":"b"},"spec":{"unschedulable":true},
      "status":{"capacity":{"cpu":"500m","memory":"1Gi"},"allocatable":{"cpu":"250m"}}})");
  const std::vector<const Value*> nodes = {&open, &closed};
  ClusterReport report = healthy();
  report.resources = sum_of_nodes(nodes);
  const Value told = with_report(accepted(), report, kNow);
  EXPECT_EQ(json::print(*told.find_path({"status", "capacity"})),
            R"({"cpu":"4500m","gpu":"1","memory":"9Gi"})");
  EXPECT_EQ(json::print(*told.find_path({"status", "allocatable"})), R"({"cpu":"3500m"})");
}

TEST(Health, BelievesAFailureWhenItHasLasted) {
  Health health;
  const Instant start{};
  const ProbeAnswer bad{.status = 500};
  EXPECT_EQ(health.on_probe(bad, start), Verdict::Undecided);
  EXPECT_EQ(health.next_probe(60s), 5s);
  EXPECT_EQ(health.on_probe(bad, start + 15s), Verdict::Undecided);
  EXPECT_EQ(health.on_probe(bad, start + 20s), Verdict::Unavailable);
  EXPECT_EQ(health.on_probe({.status = 200}, start + 25s), Verdict::Available);
  EXPECT_EQ(health.next_probe(60s), 60s);
  EXPECT_EQ(health.on_probe({.status = 0}, start + 30s), Verdict::Undecided);
}

TEST(ClusterReport, SaysNothingBeforeTheHubAcceptsTheCluster) {
  const Value fresh = json::parse(R"({"metadata":{"name":"paris"}})").value();
  EXPECT_EQ(with_report(fresh, healthy(), kNow), fresh);
}

TEST(ClusterReport, SaysNothingWhileTheClockIsWrong) {
  Value wrong = accepted();
  wrong["status"]["conditions"].push_back(
      Value::object({{"type", kClockSynced}, {"status", "False"}}));
  EXPECT_EQ(with_report(wrong, healthy(), kNow), wrong);
}

TEST(ClusterReport, SpeaksOcmsWords) {
  const Value told = with_report(accepted(), healthy(), kNow);
  EXPECT_EQ(condition(told, kJoined), "True ManagedClusterJoined Managed cluster joined");
  EXPECT_EQ(condition(told, kAvailable),
            "True ManagedClusterAvailable Managed cluster is available");
  EXPECT_EQ(told.find_path({"status", "version", "kubernetes"})->string_or_empty(), "v1.35.4");
  EXPECT_EQ(with_report(told, healthy(), kNow + 1h), told);

  const ClusterReport down{.health = Verdict::Unavailable,
                           .probe = {.status = 500, .text = "etcd failed"}};
  EXPECT_EQ(condition(with_report(told, down, kNow), kAvailable),
            "False ManagedClusterKubeAPIServerUnavailable The kube-apiserver is not ok, status "
            "code: 500, etcd failed");
}

TEST(ClusterReport, KeepsWhatItKnowsWhileTheClusterIsDown) {
  ClusterReport report = healthy();
  report.resources.capacity.set("cpu", api::Quantity(4));
  const Value told = with_report(accepted(), report, kNow);
  for (const Verdict verdict : {Verdict::Unavailable, Verdict::Undecided}) {
    const Value after = with_report(told, {.health = verdict}, kNow);
    EXPECT_EQ(*after.find_path({"status", "capacity"}), *told.find_path({"status", "capacity"}));
  }
  EXPECT_EQ(with_report(told, {.health = Verdict::Undecided}, kNow), told);
}

TEST(ClusterReport, KeepsCapacitiesThatOthersHavePutThere) {
  Value cluster = accepted();
  cluster["status"]["capacity"] = Value::object({{"example.com/licences", "7"}, {"cpu", "1"}});
  ClusterReport report = healthy();
  report.resources.capacity.set("cpu", api::Quantity(4));
  EXPECT_EQ(*with_report(cluster, report, kNow).find_path({"status", "capacity"}),
            Value::object({{"cpu", "4"}, {"example.com/licences", "7"}}));
}

TEST(ClusterReport, ReplacesClaimsAndLeavesThemOutWhereThereNeverWereAny) {
  ClusterReport report = healthy();
  report.claims = Value::array();
  Value told = with_report(accepted(), report, kNow);
  EXPECT_EQ(told.find_path({"status", "clusterClaims"}), nullptr);
  report.claims.push_back(Value::object({{"name", "zone"}, {"value", "north"}}));
  told = with_report(told, report, kNow);
  EXPECT_EQ(*told.find_path({"status", "clusterClaims"}), report.claims);
  report.claims = Value();
  EXPECT_EQ(with_report(told, report, kNow), told) << "nobody knows";
  report.claims = Value::array();
  EXPECT_EQ(with_report(told, report, kNow).find_path({"status", "clusterClaims"})->size(), 0U);
}

TEST(LeaseRenewal, ChangesTheTimeOnly) {
  const Value lease = json::parse(R"({"metadata":{"name":"l"},"spec":{"holderIdentity":"h",
      "renewTime":"2020-01-01T00:00:00.000000Z"}})")
                          .value();
  const Value renewed = renewed_lease(lease, kNow);
  EXPECT_EQ(api::text_field(*renewed.find("spec"), "renewTime"), format_micros(kNow));
  EXPECT_EQ(api::text_field(*renewed.find("spec"), "holderIdentity"), "h");
}

TEST(LeaseRenewal, ComesAfterItsDurationAndABit) {
  EXPECT_EQ(lease_pause(accepted(), 0), 60s);
  EXPECT_EQ(lease_pause(accepted(), 1), 75s);
}

}  // namespace
}  // namespace berth::fleet
