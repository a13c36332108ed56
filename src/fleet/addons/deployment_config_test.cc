#include "fleet/addons/deployment_config.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::fleet {
namespace {

json::Value parsed(std::string_view text) { return json::parse(text).value(); }

TEST(AgentSettingsOfAConfig, AreReadWhole) {
  const auto settings = read_agent_settings(parsed(R"({"spec":{
      "agentInstallNamespace":"ns",
      "customizedVariables":[{"name":"A","value":"1"},{"name":"A","value":"2"}],
      "nodePlacement":{"tolerations":[{"key":"k"}]},
      "registries":[],
      "proxyConfig":{"httpProxy":"http://p","caBundle":"Y2E="},
      "resourceRequirements":[{"containerID":"*:*:*","resources":{"limits":{"cpu":"1"}}}]}})"));
  ASSERT_TRUE(settings.ok());
  EXPECT_EQ(settings->variables.at("A"), "2");
  EXPECT_EQ(settings->install_namespace, "ns");
  EXPECT_TRUE(settings->node_selector.is_null());
  EXPECT_EQ(settings->tolerations, parsed(R"([{"key":"k"}])"));
  EXPECT_TRUE(settings->mirrors.has_value());
  EXPECT_EQ(settings->proxy.http, "http://p");
  EXPECT_EQ(settings->proxy.ca_bundle, "ca");
}

TEST(AgentSettingsOfAConfig, NameWhatCannotBeRead) {
  const auto bad =
      read_agent_settings(parsed(R"({"spec":{"resourceRequirements":[{"containerID":"a:b"}]}})"));
  EXPECT_EQ(bad.error().message, R"(containerID "a:b" is not KIND:NAME:CONTAINER)");
  EXPECT_FALSE(read_agent_settings(parsed(R"({"spec":{"proxyConfig":{"caBundle":"?"}}})")).ok());
}

TEST(MirroredImages, TakeTheLastRuleThatApplies) {
  const std::string image = "quay.io/ocm/agent:1";
  EXPECT_EQ(mirrored_image({{"quay.io/ocm/", "my.io/x/"}}, image), "my.io/x/agent:1");
  EXPECT_EQ(mirrored_image({{"", "my.io"}}, image), "my.io/agent:1");
  EXPECT_EQ(mirrored_image({{"", ""}}, image), "agent:1");
  EXPECT_EQ(mirrored_image({{"docker.io", "my.io"}}, image), image);
  EXPECT_EQ(mirrored_image({{"quay.io", "one.io"}, {"quay.io/ocm", "two.io"}}, image),
            "two.io/agent:1");
}

TEST(MirroredImages, MayBeAskedForByTheCluster) {
  json::Value cluster = parsed(R"({"metadata":{"name":"c1","annotations":{
      "open-cluster-management.io/image-registries":
      "{\"registries\":[{\"source\":\"a\",\"mirror\":\"b\"}]}"}}})");
  ASSERT_EQ(read_cluster_mirrors(cluster)->size(), 1u);
  EXPECT_EQ(read_cluster_mirrors(cluster)->front().mirror, "b");
  cluster["metadata"]["annotations"]["open-cluster-management.io/image-registries"] = "{";
  EXPECT_FALSE(read_cluster_mirrors(cluster).ok());
}

TEST(ResourcesOfContainers, ComeFromTheLastRuleThatMatches) {
  AgentSettings settings;
  settings.resources = {{"*", "*", "*", "any"}, {"deployments", "web", "*", "web"}};
  const auto name = [&](const ContainerName& container) -> std::string {
    const json::Value* found = resources_for(settings, container);
    return found ? std::string(found->string_or_empty()) : "none";
  };
  EXPECT_EQ(name({"deployments", "web", "c"}), "web");
  EXPECT_EQ(name({"daemonsets", "web", "c"}), "any");
  settings.resources.erase(settings.resources.begin());
  EXPECT_EQ(name({"daemonsets", "web", "c"}), "none");
}

}  // namespace
}  // namespace berth::fleet
