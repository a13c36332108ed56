#include "fleet/work/apply_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::fleet {
namespace {

using ::testing::ElementsAre;

ResourceMeta manifest(std::string group, std::string kind) {
  return {.group = std::move(group), .kind = std::move(kind)};
}

TEST(ApplyOrder, WhatOthersNeedComesFirstAndEqualsKeepTheirOrder) {
  const std::vector<ResourceMeta> manifests = {
      manifest("", ""),
      manifest("example.com", "Database"),
      manifest("apps", "Deployment"),
      manifest("", "Service"),
      manifest("", "ConfigMap"),
      manifest("", "Secret"),
      manifest("rbac.authorization.k8s.io", "Role"),
      manifest("", "Namespace"),
      manifest("apiextensions.k8s.io", "CustomResourceDefinition"),
  };
  EXPECT_THAT(apply_order(manifests), ElementsAre(7, 8, 6, 4, 5, 3, 2, 1, 0));
}

TEST(ApplyOrder, AKindOfAnotherGroupIsAnotherKind) {
  EXPECT_EQ(kind_rank("", "Service"), 4);
  EXPECT_EQ(kind_rank("serving.knative.dev", "Service"), kRankOther);
  EXPECT_EQ(kind_rank("apps", ""), kRankUnreadable);
}

}  // namespace
}  // namespace berth::fleet
