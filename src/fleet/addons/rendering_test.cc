#include "fleet/addons/rendering.h"

#include <gtest/gtest.h>

#include "api/metadata.h"
#include "json/parse.h"

namespace berth::fleet {
namespace {

json::Value parsed(std::string_view text) { return json::parse(text).value(); }

json::Value sample() {
  return parsed(R"({"spec":{"addonName":"score","registration":[{"type":"KubeClient"}],
    "agentSpec":{"workload":{"manifests":[
      {"apiVersion":"v1","kind":"Namespace","metadata":{"name":"agents"}},
      {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding",
       "metadata":{"name":"b"},"subjects":[
         {"kind":"ServiceAccount","name":"sa","namespace":"agents"},{"kind":"User","name":"u"}]},
      {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d","namespace":"agents"},
       "spec":{"template":{"spec":{"containers":[{"name":"c",
         "args":["--hub={{HUB_KUBECONFIG}}","--cluster={{CLUSTER_NAME}}","--level={{LEVEL}}"]}]}}}}
    ]}}}})");
}

class Rendering : public ::testing::Test {
 protected:
  Result<Rendered> render(const json::Value* config = nullptr) {
    return render_add_on(
        {.key = key_, .add_on_template = template_, .cluster = cluster_, .config = config});
  }

  json::Value container(const Rendered& rendered) {
    return rendered.manifests[2]
        .find_path({"spec", "template", "spec", "containers"})
        ->elements()[0];
  }

  AddOnKey key_{.cluster = "c1", .name = "score"};
  json::Value template_ = sample();
  json::Value cluster_ = parsed(R"({"metadata":{"name":"c1"}})");
};

TEST_F(Rendering, FillsInTheClusterAndTheCredentials) {
  const auto rendered = render();
  ASSERT_TRUE(rendered.ok());
  ASSERT_EQ(rendered->manifests.size(), 3u);
  EXPECT_EQ(rendered->agent_namespace, "agents");
  EXPECT_EQ(container(*rendered), parsed(R"({"name":"c",
      "args":["--hub=/managed/hub-kubeconfig/kubeconfig","--cluster=c1","--level="],
      "env":[{"name":"HUB_KUBECONFIG","value":"/managed/hub-kubeconfig/kubeconfig"},
             {"name":"CLUSTER_NAME","value":"c1"}],
      "volumeMounts":[{"name":"hub-kubeconfig","mountPath":"/managed/hub-kubeconfig"}]})"));
}

TEST_F(Rendering, LetsTheConfigurationSetVariablesButNotTheBuiltInOnes) {
  const json::Value config = parsed(R"({"spec":{"customizedVariables":[
      {"name":"LEVEL","value":"4"},{"name":"CLUSTER_NAME","value":"x"},
      {"name":"HUB_KUBECONFIG","value":"/mine"}]}})");
  const auto rendered = render(&config);
  EXPECT_EQ(*container(*rendered).find("args"),
            parsed(R"(["--hub=/mine","--cluster=c1","--level=4"])"));
  EXPECT_EQ(*container(*rendered).find("env"), parsed(R"([{"name":"HUB_KUBECONFIG","value":"/mine"},
                       {"name":"CLUSTER_NAME","value":"c1"}])"));
}

TEST_F(Rendering, MovesEverythingIntoTheConfiguredNamespace) {
  const json::Value config = parsed(R"({"spec":{"agentInstallNamespace":"mine",
      "proxyConfig":{"caBundle":"Y2E="}}})");
  const auto rendered = render(&config);
  ASSERT_EQ(rendered->manifests.size(), 4u);
  EXPECT_EQ(api::Metadata(rendered->manifests[0]).name(), "mine");
  EXPECT_EQ(*rendered->manifests[1].find("subjects"),
            parsed(R"([{"kind":"ServiceAccount","name":"sa","namespace":"mine"},
                       {"kind":"User","name":"u"}])"));
  EXPECT_EQ(api::Metadata(rendered->manifests[2]).namespace_name(), "mine");
  EXPECT_EQ(api::Metadata(rendered->manifests[3]).namespace_name(), "mine");
  EXPECT_EQ(rendered->agent_namespace, "mine");
}

TEST_F(Rendering, PrefersTheMirrorsOfTheConfigurationToThoseOfTheCluster) {
  json::Value* containers = template_["spec"]["agentSpec"]["workload"]["manifests"]
                                .elements()[2]["spec"]["template"]["spec"]
                                .find("containers");
  containers->elements()[0]["image"] = "quay.io/x/agent:1";
  cluster_["metadata"]["annotations"]["open-cluster-management.io/image-registries"] =
      R"({"registries":[{"source":"quay.io/x","mirror":"cluster.io"}]})";
  EXPECT_EQ(container(*render()).find("image")->string_or_empty(), "cluster.io/agent:1");
  const json::Value config =
      parsed(R"({"spec":{"registries":[{"source":"quay.io/x","mirror":"config.io"}]}})");
  EXPECT_EQ(container(*render(&config)).find("image")->string_or_empty(), "config.io/agent:1");
}

TEST_F(Rendering, SaysNothingOfTheHubToAnAddOnThatDoesNotRegister) {
  template_["spec"].erase("registration");
  EXPECT_EQ(*container(*render()).find("env"), parsed(R"([{"name":"CLUSTER_NAME","value":"c1"}])"));
}

TEST(TemplateSigners, AreNamedOnce) {
  const json::Value made = parsed(R"({"spec":{"registration":[{"type":"KubeClient"},
      {"type":"KubeClient"},{"type":"CustomSigner","customSigner":{"signerName":"a.b/c"}},
      {"type":"Other"}]}})");
  EXPECT_EQ(template_signers(made),
            (std::vector<std::string>{"kubernetes.io/kube-apiserver-client", "a.b/c"}));
}

}  // namespace
}  // namespace berth::fleet
