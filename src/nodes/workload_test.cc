#include "nodes/workload.h"

#include <gtest/gtest.h>

#include "nodes/testing/cluster_builder.h"

namespace berth::nodes {
namespace {

using testing::parsed;

std::int64_t expected(std::string_view kind, std::string_view object) {
  return Workload::from_json(kind, parsed(object)).expected;
}

TEST(Workload, ExpectsItsReplicas) {
  EXPECT_EQ(expected("Deployment", R"({"spec":{"replicas":3}})"), 3);
  EXPECT_EQ(expected("StatefulSet", R"({"spec":{"replicas":0}})"), 0);
  EXPECT_EQ(expected("ReplicaSet", R"({"spec":{}})"), 1);
}

TEST(Workload, AJobExpectsWhatIsLeftButNoMoreThanRunSideBySide) {
  EXPECT_EQ(expected("Job", R"({"spec":{}})"), 1);
  EXPECT_EQ(expected("Job", R"({"spec":{"parallelism":4,"completions":10}})"), 4);
  EXPECT_EQ(expected("Job", R"({"spec":{"parallelism":4,"completions":10},
      "status":{"succeeded":8}})"),
            2);
  EXPECT_EQ(expected("Job", R"({"spec":{"parallelism":4},"status":{"succeeded":1}})"), 0);
  EXPECT_EQ(expected("Job", R"({"spec":{"suspend":true}})"), 0);
  EXPECT_EQ(expected("Job", R"({"spec":{},
      "status":{"conditions":[{"type":"Failed","status":"True"}]}})"),
            0);
}

TEST(Workload, OnlyStatefulSetsNameTheirPods) {
  EXPECT_TRUE(Workload::from_json("StatefulSet", parsed("{}")).names_its_pods);
  EXPECT_FALSE(Workload::from_json("Job", parsed("{}")).names_its_pods);
}

TEST(Workload, IsReadFromAScaleToo) {
  const RootOwner owner{.api_version = "example.com/v1", .kind = "Thing", .name = "t", .uid = "u"};
  const Workload read = Workload::from_scale(
      owner, parsed(R"({"metadata":{"name":"t","namespace":"ns"},"spec":{"replicas":7}})"));
  EXPECT_EQ(read.expected, 7);
  EXPECT_EQ(read.root, owner);
  EXPECT_EQ(read.key.text(), "ns/t");
}

}  // namespace
}  // namespace berth::nodes
