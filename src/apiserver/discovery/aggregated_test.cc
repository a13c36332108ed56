#include "apiserver/discovery/aggregated.h"

#include <gtest/gtest.h>

#include "apiserver/discovery/digest.h"
#include "apiserver/discovery/testing/some_registry.h"
#include "json/parse.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

json::Value items_of(const DiscoveryDocument& document) {
  return *json::parse(document.text)->find("items");
}

// As a real server answers for the same definition.
TEST(AggregatedDiscovery, TellsAllOfACustomResource) {
  const json::Value items = items_of(aggregated_groups(testing::some_registry()));
  ASSERT_EQ(items.size(), 2u);
  EXPECT_EQ(
      json::print(items.elements()[1]),
      R"({"metadata":{"name":"zz.io"},"versions":[{"version":"v1","resources":[{"resource":"foos",)"
      R"("responseKind":{"group":"zz.io","version":"v1","kind":"Foo"},"scope":"Namespaced",)"
      R"("singularResource":"foo","verbs":["delete","deletecollection","get","list","patch",)"
      R"("create","update","watch"],"shortNames":["fo"],"categories":["all"],"subresources":[)"
      R"({"subresource":"status","responseKind":{"group":"zz.io","version":"v1","kind":"Foo"},)"
      R"("verbs":["get","patch","update"]},{"subresource":"scale","responseKind":)"
      R"({"group":"autoscaling","version":"v1","kind":"Scale"},"verbs":["get","patch","update"]}]}],)"
      R"("freshness":"Current"},{"version":"v1beta1","resources":[{"resource":"foos",)"
      R"("responseKind":{"group":"zz.io","version":"v1beta1","kind":"Foo"},"scope":"Namespaced",)"
      R"("singularResource":"foo","verbs":["delete","deletecollection","get","list","patch",)"
      R"("create","update","watch"],"shortNames":["fo"],"categories":["all"]}],)"
      R"("freshness":"Current"}]})");
}

TEST(AggregatedDiscovery, TheCoreGroupHasNoName) {
  const DiscoveryDocument document = aggregated_core(testing::some_registry());
  EXPECT_TRUE(document.text.starts_with(
      R"({"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","metadata":{},)"
      R"("items":[{"metadata":{},"versions":[{"version":"v1","resources":[{"resource":"pods",)"
      R"("responseKind":{"group":"","version":"","kind":"Pod"},"scope":"Namespaced")"))
      << document.text;
  EXPECT_EQ(items_of(document).size(), 1u);
}

TEST(AggregatedDiscovery, ForeignKindsAreNamedInFull) {
  const std::string text = aggregated_core(testing::some_registry()).text;
  EXPECT_NE(
      text.find(R"({"subresource":"eviction","responseKind":{"group":"policy","version":"v1",)"
                R"("kind":"Eviction"},"verbs":["create"]})"),
      std::string::npos)
      << text;
}

TEST(AggregatedDiscovery, TheEtagChangesWithTheText) {
  const DiscoveryDocument groups = aggregated_groups(testing::some_registry());
  EXPECT_EQ(groups.etag, "\"" + document_hash(groups.text) + "\"");
  EXPECT_NE(groups.etag, aggregated_groups(Registry(testing::custom_foos())).etag);
}

}  // namespace
}  // namespace berth::apiserver
