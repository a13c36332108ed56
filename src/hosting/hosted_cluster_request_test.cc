#include "hosting/hosted_cluster_request.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "hosting/names.h"
#include "hosting/testing/hosting_builder.h"

namespace berth::hosting {
namespace {

using namespace std::chrono_literals;
using testing::kNow;
using testing::parsed;
using testing::request;
using testing::request_object;

TEST(HostedClusterRequest, ReadsWhatIsAskedFor) {
  const HostedClusterRequest read = request("a", R"("placementRef":{"name":"p"},"priority":7,
      "group":"shop","strategy":"Pack","size":{"cpu":2},
      "antiAffinity":[{"topologyKey":"zone","topologyKeyType":"Label","required":true},
        {"groupSelector":{"matchLabels":{"x":"y"}},"weight":30}],
      "spread":[{"topologyKey":"region","topologyKeyType":"Claim","maxSkew":2,
        "whenUnsatisfiable":"ScheduleAnyway"}],
      "policy":{"reassign":"BeforeDelivery","onDelete":"Orphan","scheduleDeadline":"30m"})");
  EXPECT_EQ(read.problem, "");
  EXPECT_EQ(read.placement, "p");
  EXPECT_EQ(read.priority, 7);
  EXPECT_EQ(read.strategy, Strategy::Pack);
  EXPECT_EQ(read.size[Resource::Cpu], 2000);
  ASSERT_EQ(read.anti_affinities.size(), 2U);
  EXPECT_TRUE(read.anti_affinities[0].is_required);
  EXPECT_FALSE(read.anti_affinities[0].requests.has_value());
  EXPECT_EQ(read.anti_affinities[0].topology,
            (Topology{.type = Topology::Type::Label, .key = "zone"}));
  EXPECT_EQ(read.anti_affinities[1].weight, 30);
  ASSERT_EQ(read.spreads.size(), 1U);
  EXPECT_EQ(read.spreads[0].max_skew, 2);
  EXPECT_FALSE(read.spreads[0].is_required);
  EXPECT_EQ(read.reassign, Reassign::BeforeDelivery);
  EXPECT_EQ(read.on_delete, OnDelete::Orphan);
  EXPECT_EQ(read.deadline(), kNow + 30min);
  EXPECT_TRUE(read.has_finalizer);
}

TEST(HostedClusterRequest, ReadsWhatHasComeOfIt) {
  json::Value object = request_object("a");
  object["status"] = parsed(R"({"phase":"Ready","hostingCluster":"h","workUID":"w","attempts":2,
      "conditions":[{"type":"Reassigning","status":"True"}]})");
  const HostedClusterRequest read = read_request(object);
  EXPECT_EQ(read.phase, Phase::Ready);
  EXPECT_EQ(read.host, "h");
  EXPECT_EQ(read.work_uid, "w");
  EXPECT_EQ(read.attempts, 2);
  EXPECT_TRUE(read.is_reassigning);
  EXPECT_EQ(phase_of_name("strange"), Phase::Pending);
  EXPECT_EQ(phase_name(Phase::Deleting), "Deleting");
}

TEST(HostedClusterRequest, SaysWhatIsWrongWithIt) {
  EXPECT_EQ(request("a", R"("size":{"cpu":-1})").problem,
            "spec.size.cpu is -1; it must be above 0, or be left out for the usual 5");
  EXPECT_EQ(request("a", R"("policy":{"scheduleDeadline":"soon"})").problem,
            "spec.policy.scheduleDeadline is no duration: write it like 30m or 2h");
  const auto selector = request(
      "a",
      R"("clusterSelector":{"labelSelector":{"matchExpressions":[{"key":"a","operator":"?"}]}})");
  EXPECT_TRUE(selector.problem.starts_with("labelSelector: ")) << selector.problem;
}

TEST(HostedClusterRequest, ShowsItsGroupAmongItsLabels) {
  HostedClusterRequest read = request("a", R"("group":"shop")");
  read.facts.labels = {{.key = "a", .value = "b"},
                       {.key = std::string(kGroupLabel), .value = "a lie"},
                       {.key = "z", .value = "y"}};
  const auto labels = read.labels_with_group();
  EXPECT_EQ(api::Labels(labels).find(kGroupLabel), "shop");
  EXPECT_EQ(api::Labels(labels).find("z"), "y");
}

std::string order(const std::vector<HostedClusterRequest>& requests) {
  std::vector<const HostedClusterRequest*> pointers;
  for (const HostedClusterRequest& each : requests) pointers.push_back(&each);
  std::vector<std::string> names;
  for (const std::size_t i : decision_order(pointers)) names.push_back(requests[i].facts.name);
  return join(names, " ");
}

TEST(DecisionOrder, IsByPriorityThenAgeThenUid) {
  HostedClusterRequest old = request("old");
  old.created = kNow - 1h;
  EXPECT_EQ(order({request("b"), request("a"), old, request("first", R"("priority":5)")}),
            "first old a b");
}

TEST(DecisionOrder, KeepsGroupsTogetherWhereTheirFirstStands) {
  HostedClusterRequest old = request("old", R"("group":"g")");
  old.created = kNow - 1h;
  EXPECT_EQ(order({request("a"), request("b", R"("group":"g")"), old, request("c"),
                   request("low", R"("group":"g","priority":-1)")}),
            "old b low a c");
}

}  // namespace
}  // namespace berth::hosting
