#include "api/group_version.h"

#include <gtest/gtest.h>

namespace berth::api {
namespace {

TEST(GroupVersion, ApiVersionIsVersionOrGroupAndVersion) {
  EXPECT_EQ(parse_group_version("v1").value(), (GroupVersion{.version = "v1"}));
  EXPECT_EQ(parse_group_version("apps/v1").value(), (GroupVersion{"apps", "v1"}));
  EXPECT_EQ(parse_group_version("apps/v1")->text(), "apps/v1");
  EXPECT_EQ(parse_group_version("v1")->text(), "v1");
  for (const char* bad : {"", "/", "a/", "/v1", "a/b/c"}) {
    EXPECT_FALSE(parse_group_version(bad).ok()) << bad;
  }
}

TEST(Gvr, IsNamedWithItsGroup) {
  EXPECT_EQ((Gvr{.version = "v1", .resource = "pods"}).text(), "pods");
  EXPECT_EQ((Gvr{"apps", "v1", "deployments"}).text(), "deployments.apps");
}

}  // namespace
}  // namespace berth::api
