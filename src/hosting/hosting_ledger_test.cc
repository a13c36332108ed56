#include "hosting/hosting_ledger.h"

#include <gtest/gtest.h>

#include "hosting/testing/hosting_builder.h"

namespace berth::hosting {
namespace {

using namespace std::chrono_literals;
using testing::kNow;
using testing::parsed;

TEST(HostingLedger, ReadsLimitsWithTheirDefaults) {
  const HostingLedger empty = read_ledger(new_ledger("h"));
  EXPECT_EQ(empty, HostingLedger());
  EXPECT_EQ(empty.in_flight_max, 3);
  const HostingLedger set = read_ledger(parsed(R"({"spec":{"maxHostedClusters":10,
      "thresholdHostedClusters":5,"maxInFlight":0,"cordoned":true,
      "overcommitPercent":{"cpu":200},"reserve":{"cpu":"500m","memory":-5}}})"));
  EXPECT_EQ(set.hosted_max, 10);
  EXPECT_EQ(set.threshold, 5);
  EXPECT_EQ(set.in_flight_max, 0);
  EXPECT_TRUE(set.is_cordoned);
  EXPECT_EQ(set.overcommit_cpu, 200);
  EXPECT_EQ(set.overcommit_memory, 100);
  EXPECT_EQ(set.reserve, Amounts(500, 0, 0));
}

TEST(HostingLedger, ReadsBackTheClaimsThatWereWritten) {
  const std::vector<Claim> claims = {
      {.request_uid = "u1",
       .request_namespace = "ns",
       .request_name = "a",
       .hosted_cluster = "clusters/a",
       .size = Amounts(1, 2, 3),
       .state = ClaimState::Observed,
       .attempt = 4,
       .since = kNow,
       .delivered_since = kNow + 1s,
       .available_since = kNow + 2s},
      {.request_uid = "u2", .state = ClaimState::Releasing, .since = kNow}};
  json::Value object = new_ledger("h");
  object["status"] = parsed(R"({"observed":{"time":"2027-01-01T00:00:00Z"},"other":1})");
  const json::Value written = with_claims(object, claims);
  const HostingLedger read = read_ledger(written);
  EXPECT_EQ(read.claims, claims);
  EXPECT_TRUE(read.observed.has_value());
  EXPECT_NE(written.find_path({"status", "other"}), nullptr);
  ASSERT_NE(read.find("u2"), nullptr);
  EXPECT_EQ(read.find("u2")->state, ClaimState::Releasing);
  EXPECT_EQ(read.find("u3"), nullptr);
}

TEST(HostingLedger, ReadsBackTheObservationThatWasWritten) {
  ExactObservation observation{.items = {{"clusters/a", true}, {"clusters/b", false}},
                               .at = kNow,
                               .valid_until = kNow + 90s};
  observation.capacity[Resource::Pods] = 500;
  observation.free[Resource::Cpu] = 1500;
  json::Value object = new_ledger("h");
  object["status"]["observed"] = to_json(observation);
  EXPECT_EQ(read_ledger(object).observed, observation);
  EXPECT_EQ(object.find_path({"status", "observed", "count"})->as_int(), 2);
}

TEST(HostingLedger, CountsAClaimInAStateThatItDoesNotKnow) {
  const HostingLedger ledger =
      read_ledger(parsed(R"({"status":{"claims":[{"requestUID":"u","state":"Floating"}]}})"));
  ASSERT_EQ(ledger.claims.size(), 1U);
  EXPECT_TRUE(ledger.claims[0].is_in_flight());
  EXPECT_EQ(ledger.claims[0].size, kBaseline);
}

}  // namespace
}  // namespace berth::hosting
