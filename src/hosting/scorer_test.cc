#include "hosting/scorer.h"

#include <map>

#include <gtest/gtest.h>

#include "hosting/testing/hosting_builder.h"

namespace berth::hosting {
namespace {

using testing::host;
using testing::kNow;
using testing::request;

std::map<std::string, int> points(const HostedClusterRequest& asked, const Host& only,
                                  Fleet fleet = {}) {
  fleet.put(only);
  const Question question(asked, fleet, nullptr, kNow);
  const auto index = static_cast<HostIndex>(fleet.find(only.name) - fleet.hosts().data());
  std::map<std::string, int> all;
  for (const Scorer& scorer : scorers()) {
    all[std::string(scorer.name)] = scorer.points(question, index);
  }
  return all;
}

Host with_cpu(std::int64_t milli) {
  Host made = host("h");
  made.observation.capacity[Resource::Cpu] = milli;
  made.weigh(kNow);
  return made;
}

TEST(Scorers, LikeFreeSlots) {
  EXPECT_EQ(points(request("r"), host("h", 0))["Slots"], 100);
  EXPECT_EQ(points(request("r"), host("h", 20))["Slots"], 75);
  EXPECT_EQ(points(request("r", R"("strategy":"Pack")"), host("h", 20))["Slots"], 25);
}

TEST(Scorers, LikeWhatIsLeftOfTheScarcestResource) {
  EXPECT_EQ(points(request("r"), with_cpu(10'000))["Headroom"], 50);
  Host both = with_cpu(10'000);
  both.observation.capacity[Resource::Pods] = 100;
  both.weigh(kNow);
  EXPECT_EQ(points(request("r"), both)["Headroom"], 25);
  EXPECT_EQ(points(request("r", R"("strategy":"Pack")"), both)["Headroom"], 75);
}

TEST(Scorers, DoNotLikeSilenceWhicheverWayTheyLook) {
  EXPECT_EQ(points(request("r"), host("h"))["Headroom"], 0);
  EXPECT_EQ(points(request("r", R"("strategy":"Pack")"), host("h"))["Headroom"], 0);
}

TEST(Scorers, AvoidHostsAboveTheirThreshold) {
  EXPECT_EQ(points(request("r"), host("h", 59))["Threshold"], 0);
  EXPECT_EQ(points(request("r"), host("h", 60))["Threshold"], -50);
  EXPECT_EQ(points(request("r", R"("strategy":"Pack")"), host("h", 60))["Threshold"], -1000);
}

TEST(Scorers, LikeTheEmptiestPlace) {
  Fleet fleet;
  fleet.put(host("full"));
  fleet.put(host("half"));
  for (const char* name : {"1", "2"}) fleet.place(request(name), "full");
  fleet.place(request("3"), "half");
  const auto asked = request("r", R"("spread":[{"maxSkew":5}])");
  EXPECT_EQ(points(asked, host("full"), fleet)["Spread"], 0);
  EXPECT_EQ(points(asked, host("empty"), fleet)["Spread"], 100);
  EXPECT_EQ(points(request("r"), host("empty"), fleet)["Spread"], 0);
}

TEST(Scorers, AvoidWhomTheRequestDoesNotLike) {
  Fleet fleet;
  for (const char* name : {"1", "2"}) fleet.place(request(name), "h");
  EXPECT_EQ(
      points(request("r", R"("antiAffinity":[{"weight":30}])"), host("h"), fleet)["AntiAffinity"],
      -60);
  EXPECT_EQ(
      points(request("r", R"("antiAffinity":[{"weight":80}])"), host("h"), fleet)["AntiAffinity"],
      -100);
}

}  // namespace
}  // namespace berth::hosting
