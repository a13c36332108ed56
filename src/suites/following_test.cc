#include "suites/following.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "sim/explore.h"

namespace berth::suites {
namespace {

using client::testing::ServerBug;

TEST(Following, FollowsTheServerThroughEveryFault) {
  const sim::SeedRange seeds = sim::parse_seeds(std::getenv("BERTH_SEEDS"));
  const sim::Exploration exploration = sim::explore(following_suite({}), seeds);
  EXPECT_TRUE(exploration.failures.empty()) << exploration.what();
  EXPECT_EQ(exploration.runs, seeds.count);
}

TEST(Following, NoticesAServerThatIsWrong) {
  for (const ServerBug bug :
       {ServerBug::EarlyBookmark, ServerBug::SkippedEvent, ServerBug::ListFromFuture}) {
    const sim::Exploration exploration =
        sim::explore(following_suite({.server = bug}), {.first = 1, .count = 20});
    EXPECT_FALSE(exploration.failures.empty()) << static_cast<int>(bug);
  }
}

TEST(Following, NoticesAClientThatDoesNotReadItsCertificatesAgain) {
  const sim::Exploration exploration =
      sim::explore(following_suite({.client_reads_certificates_once = true}),
                   {.first = 1, .count = 20, .failures_max = 1});
  EXPECT_FALSE(exploration.failures.empty());
}

}  // namespace
}  // namespace berth::suites
