#include "apiserver/resource.h"

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

TEST(Resource, KnowsItsVerbsAndSubresources) {
  Resource resource;
  resource.verbs = {"create", "get"};
  resource.subresources = {{.name = "scale", .kind = {}}, {.name = "status", .kind = {}}};
  EXPECT_TRUE(resource.has_verb("get"));
  EXPECT_FALSE(resource.has_verb("delete"));
  EXPECT_EQ(resource.find_subresource("status")->name, "status");
  EXPECT_EQ(resource.find_subresource("token"), nullptr);
  EXPECT_EQ(resource.find_subresource("zzz"), nullptr);
}

TEST(Resource, TheCoreGroupHasNoName) {
  Resource resource;
  resource.gvr = {.version = "v1", .resource = "pods"};
  EXPECT_EQ(resource.api_version(), "v1");
  resource.gvr.group = "apps";
  EXPECT_EQ(resource.api_version(), "apps/v1");
}

}  // namespace
}  // namespace berth::apiserver
