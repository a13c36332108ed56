#include "client/resource.h"

#include <gtest/gtest.h>

namespace berth::client {
namespace {

const Gvr kPods{.version = "v1", .resource = "pods"};
const Gvr kDeployments{.group = "apps", .version = "v1", .resource = "deployments"};

TEST(Resource, PathsFollowTheServersLayout) {
  EXPECT_EQ(path_of({.resource = kPods}), "/api/v1/pods");
  EXPECT_EQ(path_of({.resource = kPods, .ns = "a"}), "/api/v1/namespaces/a/pods");
  EXPECT_EQ(path_of({.resource = kPods, .ns = "a", .name = "b"}), "/api/v1/namespaces/a/pods/b");
  EXPECT_EQ(path_of({.resource = kDeployments, .ns = "a", .name = "b", .subresource = "status"}),
            "/apis/apps/v1/namespaces/a/deployments/b/status");
  EXPECT_EQ(path_of({.resource = {.version = "v1", .resource = "nodes"}, .name = "n1"}),
            "/api/v1/nodes/n1");
}

TEST(Resource, NamesCannotLeaveTheirPlaceInThePath) {
  EXPECT_EQ(path_of({.resource = kPods, .ns = "a", .name = "b/../c?x#y"}),
            "/api/v1/namespaces/a/pods/b%2F..%2Fc%3Fx%23y");
  EXPECT_EQ(path_of({.resource = kPods, .name = "system:x"}), "/api/v1/pods/system%3Ax");
  for (const char* name : {".", ".."}) {
    EXPECT_FALSE(path_of({.resource = kPods, .ns = "a", .name = name}).ok());
    EXPECT_FALSE(path_of({.resource = kPods, .ns = name}).ok());
  }
}

TEST(Resource, WhatIsMissingIsNamed) {
  EXPECT_EQ(path_of({.resource = kPods, .subresource = "status"}).error().message,
            "the name of an object may not be \"\"");
  EXPECT_EQ(path_of({.resource = {.resource = "pods"}}).error().message,
            "a version may not be \"\"");
}

}  // namespace
}  // namespace berth::client
