#include "hosting/fleet.h"

#include <gtest/gtest.h>

#include "hosting/testing/hosting_builder.h"

namespace berth::hosting {
namespace {

using testing::host;
using testing::kNow;
using testing::request;

TEST(Fleet, KeepsItsHostsByName) {
  Fleet fleet;
  fleet.put(host("b"));
  fleet.put(host("a", 1));
  fleet.put(host("a", 2));
  ASSERT_EQ(fleet.hosts().size(), 2U);
  EXPECT_EQ(fleet.hosts()[0].name, "a");
  EXPECT_EQ(fleet.find("a")->load.total(), 2);
  fleet.remove("a");
  fleet.remove("never there");
  EXPECT_EQ(fleet.find("a"), nullptr);
  EXPECT_NE(fleet.find("b"), nullptr);
}

TEST(Fleet, CountsAClaimUntilItIsReleased) {
  Fleet fleet;
  fleet.put(host("a", 5));
  fleet.claim(0, {.request_uid = "u"}, kNow);
  EXPECT_EQ(fleet.find("a")->load.total(), 6);
  fleet.release("a", "u", kNow);
  fleet.release("unknown", "u", kNow);
  EXPECT_EQ(fleet.find("a")->load.total(), 5);
}

TEST(Fleet, KnowsWhereTheRequestsOfAGroupAre) {
  Fleet fleet;
  const auto first = request("first", R"("group":"g")");
  fleet.place(first, "a");
  fleet.place(request("second", R"("group":"g")"), "a");
  fleet.place(request("other"), "a");
  EXPECT_EQ(fleet.group_counts("tenant", "g").at("a"), 2);
  fleet.place(first, "b");
  EXPECT_EQ(fleet.group_counts("tenant", "g").at("a"), 1);
  EXPECT_EQ(fleet.group_counts("tenant", "g").at("b"), 1);
  fleet.forget("uid-first");
  fleet.forget("uid-second");
  fleet.forget("uid-second");
  EXPECT_TRUE(fleet.group_counts("tenant", "g").empty());
  EXPECT_EQ(fleet.placed().size(), 1U);
}

}  // namespace
}  // namespace berth::hosting
