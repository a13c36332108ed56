#include "client/discovery.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::client {
namespace {

json::Value value(std::string_view text) { return json::parse(text).value(); }

Discovery aggregated() {
  Discovery discovery;
  EXPECT_TRUE(discovery
                  .add_aggregated(value(R"({"kind":"APIGroupDiscoveryList","items":[
    {"metadata":{},"versions":[{"version":"v1","resources":[
      {"resource":"pods","responseKind":{"group":"","version":"","kind":"Pod"},
       "scope":"Namespaced","singularResource":"pod","verbs":["get","list","watch"],
       "shortNames":["po"],"categories":["all"],
       "subresources":[{"subresource":"status"},{"subresource":"log"}]},
      {"resource":"nodes","responseKind":{"kind":"Node"},"scope":"Cluster",
       "singularResource":"node","verbs":["get"],"shortNames":["no"]},
      {"resource":"events","responseKind":{"kind":"Event"},"scope":"Namespaced",
       "singularResource":"event","shortNames":["ev"]},
      {"resource":"broken","scope":"Cluster"}]}]}]})"))
                  .ok());
  EXPECT_TRUE(discovery
                  .add_aggregated(value(R"({"kind":"APIGroupDiscoveryList","items":[
    {"metadata":{"name":"apps"},"versions":[{"version":"v1","resources":[
      {"resource":"deployments","responseKind":{"kind":"Deployment"},"scope":"Namespaced",
       "singularResource":"deployment","shortNames":["deploy"],"categories":["all"]}]}]},
    {"metadata":{"name":"events.k8s.io"},"versions":[{"version":"v1","resources":[
      {"resource":"events","responseKind":{"kind":"Event"},"scope":"Namespaced",
       "singularResource":"event","shortNames":["ev"]}]}]},
    {"metadata":{"name":"cluster.open-cluster-management.io"},"versions":[
      {"version":"v1beta2","resources":[
        {"resource":"placements","responseKind":{"kind":"Placement"},"scope":"Namespaced"}]},
      {"version":"v1beta1","resources":[
        {"resource":"placements","responseKind":{"kind":"Placement"},"scope":"Namespaced",
         "categories":["all"]}]}]}]})"))
                  .ok());
  return discovery;
}

std::string resolved(std::string_view text) {
  const auto info = aggregated().resolve(text);
  return info.ok() ? info->gvr.resource + "|" + info->gvr.version + "|" + info->gvr.group
                   : info.error().message;
}

TEST(Discovery, ReadsTheAggregatedForm) {
  const Discovery discovery = aggregated();
  EXPECT_EQ(discovery.resources().size(), 7u) << "a resource without kind is left out";
  const ResourceInfo* pods = discovery.find(Gvr{"", "v1", "pods"});
  ASSERT_TRUE(pods);
  EXPECT_EQ(pods->gvk(), (Gvk{"", "v1", "Pod"}));
  EXPECT_TRUE(pods->namespaced);
  EXPECT_TRUE(pods->allows("watch"));
  EXPECT_FALSE(pods->allows("delete"));
  EXPECT_EQ(pods->subresources, (std::vector<std::string>{"status", "log"}));
  EXPECT_FALSE(discovery.find(Gvk{"", "v1", "Node"})->namespaced);
  EXPECT_EQ(discovery.find(Gvk{"", "v2", "Node"}), nullptr);
}

TEST(Discovery, PrefersTheServersFirstVersion) {
  EXPECT_EQ(aggregated().find_kind("cluster.open-cluster-management.io", "Placement")->gvr.version,
            "v1beta2");
  EXPECT_EQ(aggregated().find_kind("apps", "Placement"), nullptr);
}

TEST(Discovery, ResolvesWhatPeopleType) {
  for (const char* text : {"pods", "pod", "po", "Pod"}) EXPECT_EQ(resolved(text), "pods|v1|");
  EXPECT_EQ(resolved("deploy"), "deployments|v1|apps");
  EXPECT_EQ(resolved("deployments.apps"), "deployments|v1|apps");
  EXPECT_EQ(resolved("deployments.v1.apps"), "deployments|v1|apps");
  EXPECT_EQ(resolved("events"), "events|v1|");
  EXPECT_EQ(resolved("events.events.k8s.io"), "events|v1|events.k8s.io");
  EXPECT_EQ(resolved("events.v1.events.k8s.io"), "events|v1|events.k8s.io");
  EXPECT_EQ(resolved("placements.cluster"),
            "placements|v1beta2|cluster.open-cluster-management.io");
  EXPECT_EQ(resolved("placements.v1beta1.cluster.open-cluster-management.io"),
            "placements|v1beta1|cluster.open-cluster-management.io");
  EXPECT_EQ(resolved("placements.clus"), "the server has no resource type \"placements.clus\"");
  EXPECT_EQ(resolved("unicorns"), "the server has no resource type \"unicorns\"");
  EXPECT_EQ(resolved(""), "the server has no resource type \"\"");
}

TEST(Discovery, ReadsTheLegacyFormInAnyOrder) {
  Discovery discovery;
  ASSERT_TRUE(
      discovery.add_legacy_groups(value(R"({"kind":"APIVersions","versions":["v1"]})")).ok());
  ASSERT_TRUE(discovery
                  .add_legacy_groups(value(R"({"kind":"APIGroupList","groups":[
    {"name":"g","versions":[{"version":"v1beta1"},{"version":"v1"}],
     "preferredVersion":{"version":"v1"}}]})"))
                  .ok());
  EXPECT_EQ(discovery.legacy_paths(),
            (std::vector<std::string>{"/api/v1", "/apis/g/v1", "/apis/g/v1beta1"}));
  for (const char* version : {"g/v1beta1", "g/v1"}) {
    json::Value list = value(R"({"kind":"APIResourceList","resources":[
      {"name":"things","singularName":"thing","namespaced":true,"kind":"Thing","verbs":["get"],
       "shortNames":["th"]},{"name":"things/status","kind":"Thing"}]})");
    list["groupVersion"] = version;
    ASSERT_TRUE(discovery.add_legacy_resources(list).ok());
  }
  EXPECT_EQ(discovery.find_kind("g", "Thing")->gvr.version, "v1");
  EXPECT_EQ(discovery.resolve("th")->subresources, std::vector<std::string>{"status"});
}

TEST(Discovery, RefusesAnotherDocument) {
  Discovery discovery;
  EXPECT_EQ(discovery.add_aggregated(value(R"({"kind":"Pod"})")).error().message,
            "discovery: expected kind APIGroupDiscoveryList, found \"Pod\"");
  EXPECT_FALSE(discovery.add_legacy_groups(value("[]")).ok());
  EXPECT_FALSE(discovery.add_legacy_resources(value("{}")).ok());
  EXPECT_FALSE(
      discovery.add_legacy_resources(value(R"({"kind":"APIResourceList","groupVersion":"/"})"))
          .ok());
}

TEST(Discovery, TellsTheFormsApartByTheContentType) {
  EXPECT_TRUE(
      is_aggregated("application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"));
  EXPECT_TRUE(
      is_aggregated("application/json; as=APIGroupDiscoveryList; v=v2; g=apidiscovery.k8s.io"));
  EXPECT_FALSE(
      is_aggregated("application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList"));
  EXPECT_FALSE(is_aggregated("application/json"));
}

}  // namespace
}  // namespace berth::client
