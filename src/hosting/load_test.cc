#include "hosting/load.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "hosting/testing/hosting_builder.h"

namespace berth::hosting {
namespace {

using namespace std::chrono_literals;
using testing::kNow;
using Source = Observation::Source;

Claim claim(const std::string& name, ClaimState state, std::optional<Time> delivered = {}) {
  return {.request_uid = name,
          .hosted_cluster = "clusters/" + name,
          .state = state,
          .since = kNow - 1h,
          .delivered_since = delivered};
}

Observation counted(std::int64_t count, Time at) {
  return {.source = Source::Score, .count = count, .at = at, .is_live = true};
}

TEST(Load, CountsAClaimFromTheMomentItIsWritten) {
  HostingLedger ledger;
  ledger.claims = {claim("a", ClaimState::Reserved)};
  const Load load = load_of(ledger, counted(7, kNow), kNow);
  EXPECT_EQ(load.foreign, 7);
  EXPECT_EQ(load.total(), 8);
  EXPECT_EQ(load.in_flight, 1);
}

TEST(Load, CountsADeliveredOneOnceWhenTheNumberIsNewer) {
  HostingLedger ledger;
  ledger.claims = {claim("a", ClaimState::Delivered, kNow - 30s)};
  EXPECT_EQ(load_of(ledger, counted(8, kNow - 20s), kNow).total(), 8);
  EXPECT_EQ(load_of(ledger, counted(8, kNow - 40s), kNow).total(), 9) << "briefly twice";
  EXPECT_EQ(load_of(ledger, counted(8, kNow - 40s), kNow + 2min).total(), 8);
  Observation silent = counted(8, kNow - 40s);
  silent.is_live = std::nullopt;
  EXPECT_EQ(load_of(ledger, silent, kNow + 2min).total(), 9);
}

TEST(Load, CountsOneThatIsBeingDeletedWhoeverSeesItStill) {
  HostingLedger ledger;
  ledger.claims = {claim("a", ClaimState::Releasing, kNow - 1h)};
  EXPECT_EQ(load_of(ledger, counted(7, kNow), kNow).total(), 8);
}

TEST(Load, IsExactWhereTheHostHasNamedWhatItHas) {
  HostingLedger ledger;
  ledger.claims = {claim("a", ClaimState::Delivered, kNow), claim("b", ClaimState::Reserved)};
  const Observation exact{
      .source = Source::Agent,
      .count = 3,
      .items = {{"clusters/a", false}, {"clusters/x", true}, {"clusters/y", true}},
      .at = kNow - 1h};
  const Load load = load_of(ledger, exact, kNow);
  EXPECT_EQ(load.foreign, 2);
  EXPECT_EQ(load.total(), 4);
}

TEST(Load, TakesWhatClaimsNeedFromWhatIsFree) {
  HostingLedger ledger;
  ledger.overcommit_cpu = 150;
  ledger.claims = {claim("a", ClaimState::Observed, kNow), claim("b", ClaimState::Delivered, kNow)};
  Observation exact{.source = Source::Agent,
                    .count = 2,
                    .items = {{"clusters/a", true}, {"clusters/b", false}},
                    .at = kNow};
  exact.capacity[Resource::Cpu] = 100'000;
  exact.free[Resource::Cpu] = 40'000;
  const Load load = load_of(ledger, exact, kNow);
  EXPECT_EQ(load.capacity[Resource::Cpu], 150'000);
  EXPECT_EQ(load.free[Resource::Cpu], 40'000 + 50'000 - 5'000)
      << "a's pods are there, not all of b";
  EXPECT_EQ(load.free[Resource::Memory], std::nullopt);
}

TEST(Load, ReckonsWithTheBaselineForOthersWhereOnlyANumberIsKnown) {
  HostingLedger ledger;
  ledger.claims = {claim("a", ClaimState::Reserved)};
  Observation score = counted(2, kNow);
  score.capacity[Resource::Pods] = 500;
  EXPECT_EQ(load_of(ledger, score, kNow).free[Resource::Pods], 500 - 3 * 75);
}

TEST(Freshness, EndsWithTheReportOrItsWriter) {
  EXPECT_EQ(staleness({}, kNow), "nobody reports its load");
  Observation score = counted(1, kNow - 1h);
  EXPECT_EQ(staleness(score, kNow), "") << "its writer lives and had nothing new to say";
  score.is_live = false;
  EXPECT_EQ(staleness(score, kNow), "the agent that reports is silent");
  score.is_live = std::nullopt;
  EXPECT_NE(staleness(score, kNow), "");
  score.at = kNow - 4min;
  EXPECT_EQ(staleness(score, kNow), "");
  EXPECT_EQ(fresh_until(score), kNow + 1min);
  score.at = std::nullopt;
  EXPECT_EQ(staleness(score, kNow), "nobody knows how old its report is");
  score.valid_until = kNow;
  EXPECT_EQ(staleness(score, kNow), "its report expired at 2027-01-15T08:00:00Z");
  score.valid_until = kNow + 1s;
  EXPECT_EQ(staleness(score, kNow), "");
  score.count = 100;
  EXPECT_EQ(staleness(score, kNow), "its report ends at 100 and says no more");
}

// A host with F clusters of others and some of ours, reported at any time, by any means.
TEST(LoadProperty, IsNeverBelowWhatIsThere) {
  EXPECT_TRUE(rc::check([] {
    const int foreign = *rc::gen::inRange(0, 5);
    const Time at = kNow - std::chrono::seconds(*rc::gen::inRange(0, 300));
    const bool is_exact = *rc::gen::arbitrary<bool>();
    HostingLedger ledger;
    Observation observation{.source = is_exact ? Source::Agent : Source::Score,
                            .count = foreign,
                            .at = at,
                            .is_live = true};
    const int claims = *rc::gen::inRange(0, 6);
    for (int i = 0; i < claims; ++i) {
      const Time delivered = kNow - std::chrono::seconds(*rc::gen::inRange(0, 300));
      const bool is_there = *rc::gen::arbitrary<bool>();
      Claim each =
          claim(std::to_string(i), is_there ? ClaimState::Delivered : ClaimState::Reserved);
      if (is_there) each.delivered_since = delivered;
      // The host saw it if we heard of it before that; a live one has seen it soon after. It may
      // also have seen what we have not heard of.
      const bool is_heard = is_there && (delivered <= at || kNow - delivered >= kSettling);
      const bool is_seen = is_heard || *rc::gen::arbitrary<bool>();
      if (is_seen) {
        ++observation.count;
        observation.items.push_back({each.hosted_cluster, false});
      }
      ledger.claims.push_back(std::move(each));
    }
    const Load load = load_of(ledger, observation, kNow);
    RC_ASSERT(load.total() >= foreign + claims);
    if (is_exact) RC_ASSERT(load.total() == foreign + claims);
  }));
}

}  // namespace
}  // namespace berth::hosting
