#include "hosting/decide.h"

#include <map>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "hosting/testing/hosting_builder.h"

namespace berth::hosting {
namespace {

using namespace std::chrono_literals;
using testing::host;
using testing::kNow;
using testing::request;

// Decides and takes the claim, as a controller does; the name of the host, or "".
std::string assign(Fleet& fleet, const HostedClusterRequest& asked) {
  const Decision decision = decide(Question(asked, fleet, nullptr, kNow));
  if (!decision.host) return "";
  const std::string chosen = fleet.hosts()[*decision.host].name;
  fleet.claim(*decision.host, make_claim(asked, kNow), kNow);
  fleet.place(asked, chosen);
  return chosen;
}

std::map<std::string, int> assign_many(Fleet& fleet, int count, std::string_view spec = "") {
  std::map<std::string, int> by_host;
  for (int i = 0; i < count; ++i) ++by_host[assign(fleet, request(std::to_string(i), spec))];
  return by_host;
}

using Counts = std::map<std::string, int>;

TEST(Deciding, SpreadsABurstEvenlyThoughNoReportChanges) {
  Fleet fleet;
  for (const char* name : {"a", "b", "c", "d"}) fleet.put(host(name));
  EXPECT_EQ(assign_many(fleet, 100), (Counts{{"a", 25}, {"b", 25}, {"c", 25}, {"d", 25}}));
}

TEST(Deciding, FillsUpWhereOthersHaveLess) {
  Fleet fleet;
  fleet.put(host("a", 10));
  fleet.put(host("b"));
  EXPECT_EQ(assign_many(fleet, 30), (Counts{{"a", 10}, {"b", 20}}));
}

TEST(Deciding, PacksOneHostToItsThresholdBeforeTheNext) {
  Fleet fleet;
  fleet.put(host("a", 1));
  fleet.put(host("b"));
  EXPECT_EQ(assign_many(fleet, 70, R"("strategy":"Pack")"), (Counts{{"a", 59}, {"b", 11}}));
}

TEST(Deciding, NeverGoesBeyondAHost) {
  Fleet fleet;
  fleet.put(host("a", 78));
  fleet.put(host("b", 80));
  EXPECT_EQ(assign_many(fleet, 4), (Counts{{"", 2}, {"a", 2}}));
}

TEST(Deciding, StopsWhereThePodsEnd) {
  Fleet fleet;
  for (const auto& [name, pods] : {std::pair("a", 250), std::pair("b", 500)}) {
    Host made = host(name);
    made.observation.capacity[Resource::Cpu] = 1'000'000;
    made.observation.capacity[Resource::Memory] = 4'000'000'000'000;
    made.observation.capacity[Resource::Pods] = pods;
    made.weigh(kNow);
    fleet.put(made);
  }
  EXPECT_EQ(assign_many(fleet, 12), (Counts{{"", 3}, {"a", 3}, {"b", 6}}));
}

TEST(Deciding, KeepsThreeRegionsWithinASkewOfOne) {
  Fleet fleet;
  for (const char* region : {"eu", "us", "ap"}) {
    for (const char* number : {"1", "2"}) {
      Host made = host(std::string(region) + number);
      made.labels = {{.key = "region", .value = region}};
      if (std::string_view(region) == "ap") made.observation.count = 70;
      made.weigh(kNow);
      fleet.put(made);
    }
  }
  std::map<std::string, int> by_region;
  for (int i = 0; i < 32; ++i) {
    const auto asked = request(std::to_string(i),
                               R"("spread":[{"topologyKey":"region","topologyKeyType":"Label"}])");
    ++by_region[assign(fleet, asked).substr(0, 2)];
  }
  EXPECT_EQ(by_region, (Counts{{"ap", 10}, {"eu", 11}, {"us", 11}}));
}

TEST(Deciding, FavoursNoNameAmongEquals) {
  Counts first;
  for (int i = 0; i < 300; ++i) {
    Fleet fleet;
    for (const char* name : {"a", "b", "c"}) fleet.put(host(name));
    ++first[assign(fleet, request(std::to_string(i)))];
  }
  for (const auto& [name, count] : first) EXPECT_GT(count, 50) << name;
}

TEST(Refusals, SayHowManyEachFilterTookOutAndWhatWouldHelp) {
  Fleet fleet;
  fleet.put(host("a", 80));
  fleet.put(host("b", 80));
  Host cordoned = host("c");
  cordoned.ledger.is_cordoned = true;
  fleet.put(cordoned);
  const auto asked = request("r");
  const Question question(asked, fleet, nullptr, kNow);
  EXPECT_EQ(refusal_text(question, decide(question)),
            "0 of 3 clusters can host it: 1 are cordoned (Cordoned: run berth cordon hosting NAME "
            "--undo); 2 are at their maximum (Slots: raise maxHostedClusters in their "
            "HostingLedger, or add a hosting cluster)");
  const Fleet nobody;
  const Question lonely(asked, nobody, nullptr, kNow);
  EXPECT_EQ(refusal_text(lonely, decide(lonely)),
            "there are no hosting clusters: install HyperShift's add-on on a managed cluster");
}

TEST(Explaining, TellsOfEveryHostBestFirst) {
  Fleet fleet;
  fleet.put(host("busy", 40));
  fleet.put(host("full", 80));
  fleet.put(host("idle"));
  const auto asked = request("r");
  const auto verdicts = explain(Question(asked, fleet, nullptr, kNow));
  ASSERT_EQ(verdicts.size(), 3U);
  EXPECT_EQ(verdicts[0].host, "idle");
  EXPECT_TRUE(verdicts[0].is_chosen);
  EXPECT_EQ(verdicts[0].total, 100);
  EXPECT_EQ(verdicts[1].host, "busy");
  EXPECT_EQ(verdicts[1].total, 50);
  EXPECT_FALSE(verdicts[1].is_chosen);
  EXPECT_EQ(verdicts[2].filter, "Slots");
  EXPECT_FALSE(verdicts[2].remedy.empty());
}

Fleet random_fleet() {
  Fleet fleet;
  const int hosts = *rc::gen::inRange(1, 6);
  for (int i = 0; i < hosts; ++i) {
    Host made = host("h" + std::to_string(i), *rc::gen::inRange(0, 6));
    made.thresholds.hosted_max = *rc::gen::inRange(0, 9);
    made.thresholds.threshold = *rc::gen::inRange(0, 9);
    made.ledger.in_flight_max = *rc::gen::inRange(0, 6);
    made.ledger.is_cordoned = *rc::gen::inRange(0, 5) == 0;
    made.labels = {{.key = "region", .value = std::to_string(*rc::gen::inRange(0, 3))}};
    if (*rc::gen::arbitrary<bool>()) {
      made.observation.capacity[Resource::Pods] = *rc::gen::inRange(0, 900);
    }
    made.weigh(kNow);
    fleet.put(std::move(made));
  }
  return fleet;
}

TEST(DecidingProperty, NeverTakesMoreThanAHostHas) {
  EXPECT_TRUE(rc::check([] {
    Fleet fleet = random_fleet();
    const std::string spec = *rc::gen::element<std::string>("", R"("strategy":"Pack")");
    for (int i = 0; i < 30; ++i) assign(fleet, request(std::to_string(i), spec));
    for (const Host& each : fleet.hosts()) {
      if (each.ledger.claims.empty()) continue;
      RC_ASSERT(each.load.total() <= each.thresholds.hosted_max);
      RC_ASSERT(each.load.in_flight <= each.ledger.in_flight_max);
      RC_ASSERT(!each.ledger.is_cordoned);
      RC_ASSERT(each.load.free[Resource::Pods].value_or(0) >= 0);
    }
  }));
}

TEST(DecidingProperty, LeavesNoHostEmptyThatWouldDo) {
  EXPECT_TRUE(rc::check([] {
    Fleet fleet = random_fleet();
    for (int i = 0; i < 60; ++i) assign(fleet, request(std::to_string(i)));
    const auto asked = request("last");
    const Question question(asked, fleet, nullptr, kNow);
    const Decision decision = decide(question);
    const auto verdicts = explain(question);
    RC_ASSERT(!decision.host.has_value());
    for (const HostVerdict& verdict : verdicts) RC_ASSERT(!verdict.filter.empty());
  }));
}

TEST(DecidingProperty, ExplainsWhatItDecides) {
  EXPECT_TRUE(rc::check([] {
    Fleet fleet = random_fleet();
    const int before = *rc::gen::inRange(0, 20);
    for (int i = 0; i < before; ++i) assign(fleet, request(std::to_string(i)));
    const auto asked = request("last", R"("spread":[{"topologyKey":"region",
        "topologyKeyType":"Label","whenUnsatisfiable":"ScheduleAnyway"}])");
    const Question question(asked, fleet, nullptr, kNow);
    const Decision decision = decide(question);
    const auto verdicts = explain(question);
    RC_ASSERT(verdicts.size() == fleet.hosts().size());
    RC_ASSERT(verdicts.front().is_chosen == decision.host.has_value());
    if (decision.host) RC_ASSERT(verdicts.front().host == fleet.hosts()[*decision.host].name);
  }));
}

TEST(DecidingProperty, KeepsTheSkewWithinBounds) {
  EXPECT_TRUE(rc::check([] {
    Fleet fleet = random_fleet();
    for (int i = 0; i < 30; ++i) {
      const auto asked =
          request(std::to_string(i),
                  R"("spread":[{"topologyKey":"region","topologyKeyType":"Label","maxSkew":2}])");
      assign(fleet, asked);
      const Question question(asked, fleet, nullptr, kNow);
      const Question::Places& places = question.spreads()[0];
      RC_ASSERT(places.highest - places.lowest <= 2);
    }
  }));
}

}  // namespace
}  // namespace berth::hosting
