#include "api/kinds/managed_cluster_set.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::api {
namespace {

using SelectorType = ManagedClusterSet::SelectorType;

ManagedClusterSet set(std::string_view selector) {
  return read_managed_cluster_set(
      json::parse(R"({"metadata":{"name":"s"},"spec":{"clusterSelector":)" + std::string(selector) +
                  "}}")
          .value());
}

TEST(ManagedClusterSetKind, IsExclusiveUnlessItSaysOtherwise) {
  EXPECT_EQ(set("{}").type, SelectorType::ExclusiveClusterSetLabel);
  EXPECT_EQ(set("null").type, SelectorType::ExclusiveClusterSetLabel);
  EXPECT_EQ(set(R"({"selectorType":"ExclusiveClusterSetLabel"})").type,
            SelectorType::ExclusiveClusterSetLabel);
}

TEST(ManagedClusterSetKind, NoSelectorIsNothingAndAnEmptyOneIsEverything) {
  EXPECT_FALSE(set(R"({"selectorType":"LabelSelector"})").selector.matches(Labels()));
  EXPECT_TRUE(
      set(R"({"selectorType":"LabelSelector","labelSelector":{}})").selector.is_everything());
}

TEST(ManagedClusterSetKind, SaysWhyItsMembersCannotBeTold) {
  EXPECT_EQ(set(R"({"selectorType":"LabelSelector","labelSelector":
                   {"matchExpressions":[{"key":"a","operator":"Nope"}]}})")
                .problem.value()
                .message,
            "\"Nope\" is not a valid label selector operator");
  EXPECT_EQ(set(R"({"selectorType":"Legacy"})").problem.value().message,
            "selectorType is not right: Legacy");
}

TEST(ManagedClusterSetKind, ABindingHasANameAndASet) {
  const auto binding = read_managed_cluster_set_binding(
      json::parse(R"({"metadata":{"name":"s","namespace":"n"},"spec":{"clusterSet":"t"}})")
          .value());
  EXPECT_EQ(binding.facts.name, "s");
  EXPECT_EQ(binding.facts.object_namespace, "n");
  EXPECT_EQ(binding.cluster_set, "t");
}

}  // namespace
}  // namespace berth::api
