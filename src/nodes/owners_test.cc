#include "nodes/owners.h"

#include <gtest/gtest.h>

#include "nodes/testing/cluster_builder.h"

namespace berth::nodes {
namespace {

json::Value replica_set(std::string_view uid, std::string_view parent) {
  return testing::parsed(fmt::format(
      R"({{"metadata":{{"uid":"{}","ownerReferences":[{{"kind":"Deployment","name":"d","uid":"{}",
         "controller":true}}]}}}})",
      uid, parent));
}

TEST(Owners, LeadFromAReplicaSetToItsDeployment) {
  Owners owners;
  EXPECT_EQ(owners.root_of("rs"), "rs");
  EXPECT_TRUE(owners.put(replica_set("rs", "d1")));
  EXPECT_FALSE(owners.put(replica_set("rs", "d1")));
  EXPECT_EQ(owners.root_of("rs"), "d1");
  EXPECT_EQ(owners.root_of(PodOwner{.kind = "ReplicaSet", .name = "x", .uid = "rs"}).kind,
            "Deployment");
  EXPECT_TRUE(owners.remove("rs"));
  EXPECT_FALSE(owners.remove("rs"));
  EXPECT_EQ(owners.root_of("rs"), "rs");
}

TEST(Owners, AReplicaSetOfItsOwnIsARoot) {
  Owners owners;
  owners.put(replica_set("rs", "d1"));
  EXPECT_TRUE(owners.put(testing::parsed(R"({"metadata":{"uid":"rs"}})")));
  EXPECT_EQ(owners.root_of("rs"), "rs");
}

}  // namespace
}  // namespace berth::nodes
