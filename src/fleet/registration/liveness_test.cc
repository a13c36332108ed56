#include "fleet/registration/liveness.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "fleet/registration/names.h"
#include "json/parse.h"
#include "json/print.h"

namespace berth::fleet {
namespace {

using namespace std::chrono_literals;
using json::Value;

const Time kNow = Time::from_unix(1'800'000'000);

Value cluster(std::string_view text = "{}") {
  Value object = json::parse(text).value();
  object["metadata"]["name"] = "paris";
  return object;
}

Value available(std::string_view status, Value object = cluster()) {
  object["status"]["conditions"].push_back(
      Value::object({{"type", kAvailable}, {"status", status}, {"reason", "R"}, {"message", "m"}}));
  return object;
}

std::string condition(const Value& object, std::string_view type) {
  const Value* found = api::find_condition(*object.find_path({"status", "conditions"}), type);
  if (!found) return "none";
  return fmt::format("{} {} {}", api::text_field(*found, "status"),
                     api::text_field(*found, "reason"), api::text_field(*found, "message"));
}

TEST(ClusterLease, IsGoodForFiveTimesItsDuration) {
  EXPECT_EQ(lease_grace(cluster()), 300s);
  EXPECT_EQ(lease_grace(cluster(R"({"spec":{"leaseDurationSeconds":0}})")), 300s);
  EXPECT_EQ(lease_grace(cluster(R"({"spec":{"leaseDurationSeconds":10}})")), 50s);
  EXPECT_EQ(lease_end(cluster(), new_lease("paris", kNow)), kNow + 300s);
  EXPECT_LT(lease_end(cluster(), Value()), kNow);
}

TEST(ClusterLease, IsMadeAsTheAgentExpectsIt) {
  EXPECT_EQ(json::print(new_lease("paris", kNow)),
            R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":)"
            R"({"name":"managed-cluster-lease","namespace":"paris",)"
            R"("labels":{"open-cluster-management.io/cluster-name":"paris"}},)"
            R"("spec":{"holderIdentity":"managed-cluster-lease",)"
            R"("renewTime":"2027-01-15T08:00:00.000000Z"}})");
}

TEST(Liveness, IsUnknownInOcmsWordsWhenTheLeaseEnded) {
  EXPECT_EQ(condition(with_unknown_availability(available("True"), kNow), kAvailable),
            "Unknown ManagedClusterLeaseUpdateStopped Registration agent stopped updating its "
            "lease.");
  EXPECT_EQ(with_unknown_availability(available("Unknown"), kNow), available("Unknown"));
}

TEST(ClockCheck, ToleratesLessThanTheGrace) {
  struct Case {
    std::string_view what;
    Duration behind;
    std::string_view status;
  };
  const Case cases[] = {{"exact", 0s, "True"},
                        {"behind", 299s, "True"},
                        {"too far behind", 300s, "False"},
                        {"ahead", -299s, "True"},
                        {"too far ahead", -600s, "False"}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const Value checked = with_clock_check(cluster(), new_lease("paris", kNow - c.behind), kNow);
    EXPECT_TRUE(condition(checked, kClockSynced).starts_with(c.status));
  }
}

TEST(ClockCheck, SpeaksOcmsWords) {
  EXPECT_EQ(condition(with_clock_check(cluster(), new_lease("paris", kNow), kNow), kClockSynced),
            "True ManagedClusterClockSynced The clock of the managed cluster is synced with the "
            "hub.");
  EXPECT_EQ(
      condition(with_clock_check(cluster(), new_lease("paris", kNow - 1h), kNow), kClockSynced),
      "False ManagedClusterClockOutOfSync The clock of hub and agent is out of sync. This may "
      "cause the Unknown status and affect agent functionalities.");
}

TEST(ClockCheck, IsSkippedWhereAnAnnotationSaysSo) {
  const Value skipping = cluster(
      R"({"metadata":{"annotations":{
        "registration.open-cluster-management.io/skip-clock-sync-check":"true"}}})");
  const Value checked = with_clock_check(skipping, new_lease("paris", kNow - 1h), kNow);
  EXPECT_TRUE(condition(checked, kClockSynced).starts_with("True"));
}

std::string taints(const Value& object) {
  const Value* list = object.find_path({"spec", "taints"});
  return list ? json::print(*list) : "none";
}

TEST(AvailabilityTaints, FollowTheCondition) {
  constexpr std::string_view kUnreachableOnly =
      R"([{"key":"cluster.open-cluster-management.io/unreachable","effect":"NoSelect"}])";
  constexpr std::string_view kUnavailableOnly =
      R"([{"key":"cluster.open-cluster-management.io/unavailable","effect":"NoSelect"}])";
  const Value unreachable = with_availability_taints(cluster());
  EXPECT_EQ(taints(unreachable), kUnreachableOnly);
  EXPECT_EQ(taints(with_availability_taints(available("Unknown"))), kUnreachableOnly);
  const Value unavailable = with_availability_taints(available("False", unreachable));
  EXPECT_EQ(taints(unavailable), kUnavailableOnly);
  Value back = unavailable;
  back["status"] = *available("True").find("status");
  EXPECT_EQ(taints(with_availability_taints(back)), "[]");
  EXPECT_EQ(taints(with_availability_taints(available("True"))), "none");
}

TEST(AvailabilityTaints, LeaveOtherTaintsAndTheirTimesAlone) {
  const Value tainted = available("Unknown", cluster(R"({"spec":{"taints":[
      {"key":"mine","effect":"NoSelect"},
      {"key":"cluster.open-cluster-management.io/unreachable","effect":"NoSelect",
       "timeAdded":"2026-01-01T00:00:00Z"}]}})"));
  EXPECT_EQ(with_availability_taints(tainted), tainted);
}

TEST(AddonLabels, FollowTheAddonsOfTheCluster) {
  const Value good =
      json::parse(
          R"({"metadata":{"name":"a"},"status":{"conditions":[{"type":"Available","status":"True"}]}})")
          .value();
  const Value bad =
      json::parse(
          R"({"metadata":{"name":"b"},"status":{"conditions":[{"type":"Available","status":"False"}]}})")
          .value();
  const Value silent = json::parse(R"({"metadata":{"name":"c"}})").value();
  const Value leaving =
      json::parse(R"({"metadata":{"name":"d","deletionTimestamp":"2026-01-01T00:00:00Z"}})")
          .value();
  const Value labelled = available("True", cluster(R"({"metadata":{"labels":{
      "feature.open-cluster-management.io/addon-d":"available",
      "feature.open-cluster-management.io/addon-gone":"available","mine":"1"}}})"));
  const std::vector<const Value*> addons = {&good, &bad, &silent, &leaving};
  EXPECT_EQ(*with_addon_labels(labelled, addons).find_path({"metadata", "labels"}),
            json::parse(R"({"mine":"1",
      "feature.open-cluster-management.io/addon-a":"available",
      "feature.open-cluster-management.io/addon-b":"unhealthy",
      "feature.open-cluster-management.io/addon-c":"unreachable"})")
                .value());
  EXPECT_EQ(with_addon_labels(cluster(), addons), cluster()) << "its agent has not reported yet";
}

TEST(AddonAvailability, IsUnknownWhenTheClustersIs) {
  const Value addon = json::parse(R"({"metadata":{"name":"a"}})").value();
  EXPECT_EQ(with_availability_of(available("True"), addon, kNow), addon);
  const Value unknown = with_availability_of(available("Unknown"), addon, kNow);
  EXPECT_EQ(condition(unknown, "Available"), "Unknown R m");
}

}  // namespace
}  // namespace berth::fleet
