#include "hosting/ledger_plan.h"

#include <map>

#include <gtest/gtest.h>

#include "hosting/decide.h"
#include "hosting/testing/hosting_builder.h"

namespace berth::hosting {
namespace {

using namespace std::chrono_literals;
using testing::kNow;
using testing::request;

const std::string kHost = "h";

HostedClusterRequest assigned(const std::string& host, std::int64_t attempts = 1) {
  HostedClusterRequest made = request("a");
  made.host = host;
  made.attempts = attempts;
  return made;
}

// "state, state" of what is left of one claim of request "a" for its first assignment.
std::string left(const ClaimOwner& owner, Claim claim = make_claim(request("a"), kNow),
                 Time now = kNow) {
  const std::vector<Claim> claims = {std::move(claim)};
  const LedgerPlan plan = plan_ledger({.host = kHost,
                                       .claims = claims,
                                       .owner = [&](std::string_view) { return owner; },
                                       .now = now});
  return plan.claims.empty() ? "" : std::string(claim_state_name(plan.claims[0].state));
}

TEST(Claims, WaitForTheirRequestToBeAssigned) {
  const HostedClusterRequest waiting = request("a");
  EXPECT_EQ(left({.request = &waiting}), "Reserved");
}

TEST(Claims, GoWhereTheRequestWentElsewhere) {
  const HostedClusterRequest elsewhere = assigned("other");
  EXPECT_EQ(left({.request = &elsewhere}), "");
  const HostedClusterRequest nowhere = assigned("");
  EXPECT_EQ(left({.request = &nowhere}), "") << "it has left this host";
}

TEST(Claims, ForAnAssignmentThatIsNotSeenYetStay) {
  const HostedClusterRequest old = assigned("other", 0);
  EXPECT_EQ(left({.request = &old}), "Reserved");
}

TEST(Claims, FollowWhatTheWorkSays) {
  const HostedClusterRequest here = assigned("h");
  EXPECT_EQ(left({.request = &here, .work = WorkState{}}), "Reserved");
  EXPECT_EQ(left({.request = &here, .work = WorkState{.is_applied = true}}), "Reserved")
      << "a shell is nothing";
  EXPECT_EQ(left({.request = &here, .work = WorkState{.is_filled = true, .is_applied = true}}),
            "Delivered");
  EXPECT_EQ(left({.request = &here,
                  .work = WorkState{.is_filled = true, .is_applied = true, .is_available = true}}),
            "Observed");
}

TEST(Claims, NeverGoBack) {
  const HostedClusterRequest here = assigned("h");
  Claim seen = make_claim(request("a"), kNow);
  seen.state = ClaimState::Observed;
  seen.delivered_since = seen.available_since = kNow;
  EXPECT_EQ(left({.request = &here}, seen), "Observed");
}

TEST(Claims, TakeTheSizeOfTheirRequest) {
  HostedClusterRequest here = assigned("h");
  here.size = Amounts(1, 2, 3);
  const std::vector<Claim> claims = {make_claim(request("a"), kNow)};
  const auto plan = plan_ledger({.host = kHost,
                                 .claims = claims,
                                 .owner = [&](std::string_view) { return ClaimOwner{&here}; },
                                 .now = kNow});
  EXPECT_EQ(plan.claims[0].size, Amounts(1, 2, 3));
}

TEST(Claims, HoldUntilItIsProvenThatNothingIsLeft) {
  HostedClusterRequest deleting = assigned("h");
  deleting.facts.is_deleting = true;
  EXPECT_EQ(left({.request = &deleting}), "Releasing");
  EXPECT_EQ(left({.request = &deleting, .is_gone = true}), "");
  HostedClusterRequest never = request("a");
  never.facts.is_deleting = true;
  EXPECT_EQ(left({.request = &never}), "") << "without a host there never was a work";
}

TEST(Claims, OfNobodyGoAfterAWhileIfThereIsNoWork) {
  EXPECT_EQ(left({}), "Reserved");
  const Claim claim = make_claim(request("a"), kNow);
  EXPECT_EQ(left({}, claim, kNow + kOwnerlessClaimLife), "");
  EXPECT_EQ(left({.work = WorkState{.is_filled = true}}, claim, kNow + 1h), "Reserved");
  const std::vector<Claim> claims = {claim};
  const auto plan = plan_ledger({.host = kHost,
                                 .claims = claims,
                                 .owner = [](std::string_view) { return ClaimOwner(); },
                                 .now = kNow});
  EXPECT_EQ(plan.recheck, kNow + kOwnerlessClaimLife);
}

TEST(Claims, OfWhatIsBeingDeletedNeverLookAliveAgain) {
  const HostedClusterRequest as_it_was = assigned("h");
  Claim releasing = make_claim(request("a"), kNow);
  releasing.state = ClaimState::Releasing;
  releasing.delivered_since = kNow;
  EXPECT_EQ(left({.request = &as_it_was}, releasing), "Releasing");
}

// Of an empty ledger, when request "a" is known to be assigned for the second time.
LedgerPlan plan_lost(const HostedClusterRequest& known, std::optional<bool> is_confirmed) {
  const std::vector<Claim> none;
  return plan_ledger({.host = kHost,
                      .claims = none,
                      .owner =
                          [&](std::string_view) {
                            return ClaimOwner{
                                .request = &known,
                                .work = WorkState{.is_filled = true, .is_applied = true},
                                .is_confirmed = is_confirmed};
                          },
                      .assigned = {"uid-a"},
                      .now = kNow});
}

TEST(Claims, ThatWereLostComeBackWhenTheServerSaysSo) {
  const HostedClusterRequest here = assigned("h", 2);
  const LedgerPlan plan = plan_lost(here, true);
  ASSERT_EQ(plan.claims.size(), 1U);
  EXPECT_EQ(plan.claims[0].attempt, 2);
  EXPECT_EQ(plan.claims[0].state, ClaimState::Delivered);
  EXPECT_TRUE(plan.doubtful.empty());
}

TEST(Claims, ThatMayHaveBeenGivenBackRightlyAreAskedFor) {
  const HostedClusterRequest here = assigned("h", 2);
  const LedgerPlan unasked = plan_lost(here, std::nullopt);
  EXPECT_TRUE(unasked.claims.empty());
  EXPECT_EQ(unasked.doubtful, std::vector<std::string>{"uid-a"});
  const LedgerPlan denied = plan_lost(here, false);
  EXPECT_TRUE(denied.claims.empty());
  EXPECT_TRUE(denied.doubtful.empty());
}

TEST(Claims, AreConfirmedByTheSameAssignmentOnly) {
  json::Value live = testing::request_object("a");
  live["status"] = testing::parsed(R"({"hostingCluster":"h","attempts":2})");
  EXPECT_TRUE(has_assignment(live, assigned("h", 2)));
  EXPECT_FALSE(has_assignment(live, assigned("h", 1))) << "it was away meanwhile";
  EXPECT_FALSE(has_assignment(live, assigned("other", 2)));
  json::Value other = live;
  other["metadata"]["uid"] = "uid-of-another";
  EXPECT_FALSE(has_assignment(other, assigned("h", 2)));
  live["metadata"]["deletionTimestamp"] = "2027-01-15T08:00:00Z";
  EXPECT_FALSE(has_assignment(live, assigned("h", 2)));
}

}  // namespace
}  // namespace berth::hosting
