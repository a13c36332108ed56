#include "apiserver/discovery/legacy.h"

#include <gtest/gtest.h>

#include "apiserver/discovery/testing/some_registry.h"

namespace berth::apiserver {
namespace {

class LegacyDiscovery : public ::testing::Test {
 protected:
  Registry registry_ = testing::some_registry();
};

TEST_F(LegacyDiscovery, NamesTheVersionsOfTheCoreGroup) {
  EXPECT_EQ(api_versions(registry_, "10.0.0.1:6443"),
            R"({"kind":"APIVersions","versions":["v1"],"serverAddressByClientCIDRs":)"
            R"([{"clientCIDR":"0.0.0.0/0","serverAddress":"10.0.0.1:6443"}]})");
}

TEST_F(LegacyDiscovery, ListsGroupsWithTheirPreferredVersion) {
  EXPECT_EQ(
      api_group_list(registry_),
      R"({"kind":"APIGroupList","apiVersion":"v1","groups":[{"name":"apps","versions":)"
      R"([{"groupVersion":"apps/v1","version":"v1"}],"preferredVersion":{"groupVersion":"apps/v1",)"
      R"("version":"v1"}},{"name":"zz.io","versions":[{"groupVersion":"zz.io/v1","version":"v1"},)"
      R"({"groupVersion":"zz.io/v1beta1","version":"v1beta1"}],"preferredVersion":)"
      R"({"groupVersion":"zz.io/v1","version":"v1"}}]})");
}

TEST_F(LegacyDiscovery, HasOneDocumentForEachGroup) {
  EXPECT_EQ(api_group(registry_, "apps"),
            R"({"kind":"APIGroup","apiVersion":"v1","name":"apps","versions":)"
            R"([{"groupVersion":"apps/v1","version":"v1"}],"preferredVersion":)"
            R"({"groupVersion":"apps/v1","version":"v1"}})");
  EXPECT_EQ(api_group(registry_, "yy.io"), std::nullopt);
  EXPECT_EQ(api_group(registry_, ""), std::nullopt);
}

// As a real server answers for the same definition.
TEST_F(LegacyDiscovery, ListsResourcesEachBeforeItsSubresources) {
  EXPECT_EQ(
      api_resource_list(registry_, "zz.io", "v1"),
      R"({"kind":"APIResourceList","apiVersion":"v1","groupVersion":"zz.io/v1","resources":[)"
      R"({"name":"foos","singularName":"foo","namespaced":true,"kind":"Foo","verbs":["delete",)"
      R"("deletecollection","get","list","patch","create","update","watch"],"shortNames":["fo"],)"
      R"("categories":["all"],"storageVersionHash":"4kz6x8j0ExA="},)"
      R"({"name":"foos/status","singularName":"","namespaced":true,"kind":"Foo","verbs":["get",)"
      R"("patch","update"]},{"name":"foos/scale","singularName":"","namespaced":true,)"
      R"("group":"autoscaling","version":"v1","kind":"Scale","verbs":["get","patch","update"]}]})");
  EXPECT_TRUE(api_resource_list(registry_, "", "v1")
                  ->starts_with(R"({"kind":"APIResourceList","groupVersion":"v1","resources":[)"));
  EXPECT_EQ(api_resource_list(registry_, "zz.io", "v2"), std::nullopt);
}

}  // namespace
}  // namespace berth::apiserver
