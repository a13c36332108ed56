#include "hosting/filter.h"

#include <functional>

#include <gtest/gtest.h>

#include "hosting/testing/hosting_builder.h"

namespace berth::hosting {
namespace {

using namespace std::chrono_literals;
using testing::host;
using testing::kNow;
using testing::request;

// "Filter: reason" of the first that refuses the only host; "" if it passes.
std::string refusal(const HostedClusterRequest& asked, const Host& only, Fleet fleet = {}) {
  fleet.put(only);
  const Question question(asked, fleet, nullptr, kNow);
  const auto index = static_cast<HostIndex>(fleet.find(only.name) - fleet.hosts().data());
  for (const Filter& filter : filters()) {
    if (filter.passes(question, index)) continue;
    return std::string(filter.name) + ": " + filter.reason(question, index);
  }
  return "";
}

TEST(Filters, LetAHostPassThatIsWellAndHasRoom) { EXPECT_EQ(refusal(request("r"), host("h")), ""); }

TEST(Filters, SayWhatStandsAgainstAHost) {
  struct Case {
    std::string_view expected;
    std::function<void(Host&)> change;
    std::string_view spec = "";
  };
  const Case cases[] = {
      {"Selected: the placement p has not chosen it", [](Host&) {},
       R"("placementRef":{"name":"p"})"},
      {"Selected: spec.clusterSelector does not match it", [](Host&) {},
       R"("clusterSelector":{"labelSelector":{"matchLabels":{"a":"b"}}})"},
      {"Hosting: it does not claim to be a hosting cluster", [](Host& h) { h.is_hosting = false; }},
      {"Accepted: the hub has not accepted it", [](Host& h) { h.is_accepted = false; }},
      {"Accepted: it is being removed from the hub", [](Host& h) { h.is_deleting = true; }},
      {"Available: it is not available", [](Host& h) { h.is_available = false; }},
      {"Taints: it has the taint gpu=yes:NoSelect",
       [](Host& h) {
         h.taints = {{.key = "gpu", .value = "yes", .effect = api::TaintEffect::NoSelect}};
       }},
      {"Cordoned: it is cordoned", [](Host& h) { h.ledger.is_cordoned = true; }},
      {"Observed: it has no ledger yet", [](Host& h) { h.has_ledger = false; }},
      {"Observed: the agent that reports is silent",
       [](Host& h) { h.observation.is_live = false; }},
      {"Full: it claims to be full", [](Host& h) { h.says_full = true; }},
      {"Slots: it has 80 of at most 80 hosted clusters, 0 of them claimed here",
       [](Host& h) { h.observation.count = 80; }},
      {"Room: it has memory 10G left of 10G, and 18G are needed besides the reserve of 1G",
       [](Host& h) {
         h.observation.capacity[Resource::Cpu] = 100'000;
         h.observation.capacity[Resource::Memory] = 10'000'000'000;
         h.ledger.reserve[Resource::Memory] = 1'000'000'000;
       }},
      {"Room: it has pods 74 left of 74, and 75 are needed",
       [](Host& h) { h.observation.capacity[Resource::Pods] = 74; }},
      {"InFlight: 1 hosted clusters are on their way to it, and 1 may be",
       [](Host& h) {
         h.ledger.in_flight_max = 1;
         h.ledger.claims = {{.request_uid = "u"}};
       }},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.expected);
    Host changed = host("h");
    c.change(changed);
    changed.weigh(kNow);
    EXPECT_EQ(refusal(request("r", c.spec), changed), c.expected);
  }
}

TEST(Filters, LetRoomAndSlotsBeUsedToTheLastOne) {
  Host last = host("h", 79);
  last.observation.capacity[Resource::Pods] = 80 * 75;
  last.weigh(kNow);
  EXPECT_EQ(refusal(request("r"), last), "");
}

TEST(Filters, TrustAPlacementWithTaints) {
  Host tainted = host("h");
  tainted.taints = {{.key = "k", .effect = api::TaintEffect::NoSelect}};
  Fleet fleet;
  fleet.put(tainted);
  const Selection chosen = {"h"};
  const auto asked = request("r", R"("placementRef":{"name":"p"})");
  const Question question(asked, fleet, &chosen, kNow);
  for (const Filter& filter : filters()) EXPECT_TRUE(filter.passes(question, 0)) << filter.name;
}

TEST(Filters, KeepApartWhatMustNotBeTogether) {
  Fleet fleet;
  fleet.place(request("1", R"("group":"g")"), "h");
  const auto asked = request("r", R"("group":"g","antiAffinity":[{"required":true}])");
  EXPECT_EQ(refusal(asked, host("h"), fleet),
            "AntiAffinity: 1 of those it must not be with are in h");
  EXPECT_EQ(refusal(asked, host("i"), fleet), "");
  const auto gentle = request("r", R"("group":"g","antiAffinity":[{"weight":100}])");
  EXPECT_EQ(refusal(gentle, host("h"), fleet), "");
}

TEST(Filters, KeepTheSkewWithinBounds) {
  Fleet fleet;
  fleet.put(host("empty"));
  fleet.place(request("1"), "h");
  const auto asked = request("r", R"("spread":[{"maxSkew":1}])");
  EXPECT_EQ(refusal(asked, host("h"), fleet),
            "Spread: h would have 2, another place has 0, and maxSkew is 1");
  EXPECT_EQ(refusal(request("r", R"("spread":[{"maxSkew":2}])"), host("h"), fleet), "");
  EXPECT_EQ(refusal(request("r", R"("spread":[{"whenUnsatisfiable":"ScheduleAnyway"}])"), host("h"),
                    fleet),
            "");
  const auto by_label =
      request("r", R"("spread":[{"topologyKey":"region","topologyKeyType":"Label"}])");
  EXPECT_EQ(refusal(by_label, host("h"), fleet), "Spread: it has no region");
}

}  // namespace
}  // namespace berth::hosting
