#include "placement/fleet/cluster_table.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace berth::placement {
namespace {

using namespace std::chrono_literals;

TEST(ClusterTable, ANameHasAnIndexWhileItIsUsed) {
  ClusterTable table;
  const ClusterIndex a = table.acquire("a");
  EXPECT_EQ(table.acquire("a"), a);
  table.release(a);
  EXPECT_EQ(table.find("a"), a);
  table.release(a);
  EXPECT_EQ(table.find("a"), std::nullopt);
  EXPECT_EQ(table.acquire("b"), a);
}

TEST(ClusterTable, PositionsCompareAsNamesDoInWhateverOrderTheyCome) {
  EXPECT_TRUE(rc::check([](const std::vector<std::string>& names) {
    ClusterTable table;
    for (const std::string& name : names) table.acquire(name);
    for (const std::string& a : names) {
      for (const std::string& b : names) {
        const auto position = [&table](const std::string& name) {
          return table.position(table.find(name).value());
        };
        RC_ASSERT((a < b) == (position(a) < position(b)));
      }
    }
  }));
}

TEST(ClusterTable, PositionsSurviveNamesThatAlwaysComeBetweenTheSameTwo) {
  ClusterTable table;
  table.acquire("a");
  table.acquire("b");
  std::vector<std::string> names;
  for (int i = 0; i < 200; ++i)
    names.push_back("a" + std::string(static_cast<std::size_t>(i + 1), 'x'));
  for (const std::string& name : names) table.acquire(name);
  const auto position = [&table](const std::string& name) {
    return table.position(table.find(name).value());
  };
  EXPECT_TRUE(std::ranges::is_sorted(names, {}, position));
  EXPECT_LT(position("a"), position(names.front()));
  EXPECT_LT(position(names.back()), position("b"));
}

TEST(ClusterTable, KeepsFactsAndForgetsThemAgain) {
  ClusterTable table;
  Symbols symbols;
  const ClusterIndex a = table.acquire("a");
  api::ManagedCluster cluster{.taints = {{.key = "k"}}, .allocatable_cpu = 4.0};
  cluster.facts = {.name = "a", .labels = {{"env", "prod"}}, .is_deleting = true};
  table.set_cluster(a, cluster, nullptr, symbols);
  EXPECT_EQ(table[a].labels.find(symbols.find("env")), symbols.find("prod"));
  EXPECT_EQ(table.allocatable(Resource::Cpu, a), 4.0);
  EXPECT_TRUE(std::isnan(table.allocatable(Resource::Memory, a)));
  EXPECT_TRUE(table.existing().test(a) && table.deleting().test(a) && table.tainted().test(a));
  table.clear_cluster(a, symbols);
  EXPECT_TRUE(std::isnan(table.allocatable(Resource::Cpu, a)));
  EXPECT_FALSE(table.existing().test(a) || table.deleting().test(a) || table.tainted().test(a));
  EXPECT_EQ(symbols.size(), 0U);
}

TEST(ClusterTable, AReportReplacesTheOneOfTheSameName) {
  ClusterTable table;
  Symbols symbols;
  const ClusterIndex a = table.acquire("a");
  api::AddOnPlacementScore score{.scores = {{"free", 1}}, .valid_until = Time(5s)};
  score.facts.name = "gpu";
  table.set_report(a, score, symbols);
  score.scores[0].value = 2;
  table.set_report(a, score, symbols);
  const ScoreReport* report = table[a].find_report(symbols.find("gpu"));
  ASSERT_TRUE(report);
  EXPECT_EQ(*report->find(symbols.find("free")), 2);
  EXPECT_EQ(report->find(kNoSymbol), nullptr);
  EXPECT_EQ(report->valid_until, Time(5s));
  table.clear_report(a, "gpu", symbols);
  EXPECT_EQ(table[a].reports.size(), 0U);
  EXPECT_EQ(symbols.size(), 0U);
}

}  // namespace
}  // namespace berth::placement
