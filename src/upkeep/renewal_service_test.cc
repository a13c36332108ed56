#include "upkeep/renewal_service.h"

#include <memory>

#include <gtest/gtest.h>

#include "pki/authority.h"
#include "sim/world.h"

namespace berth::upkeep {
namespace {

using namespace std::chrono_literals;

constexpr Duration kYear = 24h * 365;

class RenewalTest : public ::testing::Test {
 protected:
  RenewalTest() : world_({.seed = 1}), node_(world_.add_node("hub", {})) {}

  // The renewal of the items lives in the node.
  void start(std::vector<Renewable> items) {
    node_.start([this, items = std::move(items)](std::span<env::Env> loops) {
      env_ = &loops[0];
      auto renewal = std::make_shared<Renewal>(
          Renewal::World{.clock = env_->clock, .loop = env_->loop, .log = env_->log}, items);
      renewal_ = renewal.get();
      return renewal;
    });
    world_.run_for(1ms);
  }

  sim::World world_;
  sim::Node& node_;
  env::Env* env_ = nullptr;
  Renewal* renewal_ = nullptr;
};

TEST_F(RenewalTest, ThereIsAValidCertificateAtEveryHourOfThreeYears) {
  const pki::Authority authority =
      pki::Authority::make("ca", sim::NodeClock::kBeginning, 20 * kYear);
  std::optional<pki::Certificate> shown;
  int issued = 0;
  start({{.name = "serving", .life = kYear, .renew = [&](Time now) -> Result<Renewed> {
            ASSIGN_OR_RETURN(const pki::Identity identity,
                             pki::issue_serving(authority, "hub", {.dns = {"hub"}},
                                                {.now = now, .life = kYear}));
            shown = identity.certificate;
            ++issued;
            return Renewed::Yes;
          }}});
  shown = pki::issue_serving(authority, "hub", {.dns = {"hub"}},
                             {.now = env_->clock.now(), .life = kYear})
              .value()
              .certificate;
  for (int hour = 0; hour < 3 * 365 * 24; ++hour) {
    world_.run_for(1h);
    ASSERT_TRUE(shown->is_valid_at(env_->clock.now())) << hour;
    // Whoever has taken a copy of it has half a year left.
    ASSERT_GT(shown->not_after, env_->clock.now() + kYear / 2 - 1h) << hour;
  }
  EXPECT_EQ(issued, 6) << "every half year, the last one at the very end";
}

TEST_F(RenewalTest, WhatFailsIsTriedAgainLongBeforeTheEnd) {
  int tries = 0;
  Time done;
  start({{.name = "admin", .life = kYear, .renew = [&](Time now) -> Result<Renewed> {
            if (++tries < 4) return failure(Code::ServiceUnavailable, "the disk is full");
            done = now;
            return Renewed::Yes;
          }}});
  const Time began = env_->clock.now();
  world_.run_for(kYear);
  EXPECT_EQ(tries, 4);
  EXPECT_LT(done, began + kYear);
  EXPECT_GE(done, began + kYear / 2);
}

TEST_F(RenewalTest, WhatBelongsToOthersIsLookedAtAllTheTimeAndWhenAsked) {
  int looks = 0;
  start({{.name = "files", .life = Duration::zero(), .renew = [&](Time) -> Result<Renewed> {
            ++looks;
            return Renewed::No;
          }}});
  world_.run_for(1h + 1s);
  EXPECT_EQ(looks, 6);
  renewal_->look();
  EXPECT_EQ(looks, 7);
}

TEST_F(RenewalTest, AClockThatWasAheadLeavesNothingThatIsNotValidYet) {
  int renewed = 0;
  start({{.name = "serving", .life = kYear, .renew = [&](Time) -> Result<Renewed> {
            ++renewed;
            return Renewed::Yes;
          }}});
  node_.clock().step_wall(-48h);
  world_.run_for(kRenewalLook + 1s);
  EXPECT_EQ(renewed, 1);
  world_.run_for(1h);
  EXPECT_EQ(renewed, 1);
}

}  // namespace
}  // namespace berth::upkeep
