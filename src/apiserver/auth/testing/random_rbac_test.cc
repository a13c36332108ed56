#include "apiserver/auth/testing/random_rbac.h"

#include <gtest/gtest.h>

#include "apiserver/auth/rbac.h"

namespace berth::apiserver::testing {
namespace {

TEST(RandomRbac, OneSeedGivesOneSet) {
  EXPECT_EQ(RandomRbac(7).objects(), RandomRbac(7).objects());
  EXPECT_NE(RandomRbac(7).objects(), RandomRbac(8).objects());
}

TEST(RandomRbac, QuestionsAreAnsweredBothWays) {
  RandomRbac random(1);
  const Rbac rbac(random.objects());
  int allowed = 0;
  for (int i = 0; i < 1000; ++i) {
    const auto [user, attributes] = random.question();
    allowed += rbac.allows(user, attributes) ? 1 : 0;
  }
  EXPECT_GT(allowed, 100);
  EXPECT_LT(allowed, 900);
}

}  // namespace
}  // namespace berth::apiserver::testing
