#include "nodes/amounts.h"

#include <gtest/gtest.h>

namespace berth::nodes {
namespace {

api::ResourceList list(std::initializer_list<std::pair<const char*, const char*>> amounts) {
  api::ResourceList made;
  for (const auto& [name, text] : amounts) made.set(name, api::Quantity::parse(text).value());
  return made;
}

TEST(Amounts, AreMillicoresAndWholeUnitsRoundedUp) {
  const ResourceColumns columns;
  const auto resolved = columns.resolve(list({{"cpu", "1500u"}, {"memory", "1500m"}}));
  EXPECT_EQ(resolved.needs, (Needs{{kCpu, 2}, {kMemory, 2}}));
}

TEST(Amounts, OfNothingAndLessAreNoNeeds) {
  const ResourceColumns columns;
  const auto resolved = columns.resolve(list({{"cpu", "0"}, {"memory", "-1"}, {"x", "0"}}));
  EXPECT_TRUE(resolved.needs.empty());
  EXPECT_TRUE(resolved.unknown.empty());
}

TEST(Amounts, OfResourcesThatNoNodeHasAreKeptByName) {
  ResourceColumns columns;
  EXPECT_EQ(columns.resolve(list({{"example.com/gpu", "2"}})).unknown.at(0).name,
            "example.com/gpu");
  const Column gpu = columns.make("example.com/gpu");
  EXPECT_EQ(columns.make("example.com/gpu"), gpu);
  EXPECT_EQ(columns.resolve(list({{"example.com/gpu", "2"}})).needs, (Needs{{gpu, 2}}));
}

TEST(Amounts, AreTakenApartByResource) {
  const Needs needs = {{kCpu, 5}, {kMemory, 3}};
  EXPECT_EQ(minus(needs, {{kCpu, 2}, {kMemory, 3}, {kPods, 1}}), (Needs{{kCpu, 3}}));
  EXPECT_TRUE(covers(needs, {{kCpu, 5}}));
  EXPECT_FALSE(covers(needs, {{kCpu, 5}, {kPods, 1}}));
  EXPECT_EQ(amount_in(needs, kPods), 0);
}

TEST(Amounts, ArePrintedAsUsersWriteThem) {
  const ResourceColumns columns;
  EXPECT_EQ(columns.text(kCpu, 5000), "5");
  EXPECT_EQ(columns.text(kCpu, 250), "250m");
  EXPECT_EQ(columns.text(kMemory, 128 << 20), "128Mi");
  EXPECT_EQ(columns.text(kPods, 3), "3");
}

}  // namespace
}  // namespace berth::nodes
