#include "fleet/addons/workload_decoration.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::fleet {
namespace {

json::Value parsed(std::string_view text) { return json::parse(text).value(); }

json::Value deployment() {
  return parsed(R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"agent"},
      "spec":{"template":{"spec":{"tolerations":[{"key":"old"}],
        "initContainers":[{"name":"i","image":"quay.io/i"}],
        "containers":[{"name":"c","image":"quay.io/c","env":[{"name":"X","value":"1"}]}]}}}})");
}

json::Value pod_of(const json::Value& manifest) {
  return *manifest.find_path({"spec", "template", "spec"});
}

json::Value container_of(const json::Value& manifest) {
  return pod_of(manifest).find("containers")->elements()[0];
}

TEST(Decorating, AddsVariablesAndCredentialsToTheContainers) {
  const WorkloadDecoration decoration{
      .add_on = "score",
      .variables = {{"HUB_KUBECONFIG", "/k"}, {"CLUSTER_NAME", "c1"}},
      .signers = {"kubernetes.io/kube-apiserver-client", "example.com/sign"}};
  const json::Value decorated = decorate_workload(deployment(), decoration);
  EXPECT_EQ(container_of(decorated), parsed(R"({"name":"c","image":"quay.io/c",
      "env":[{"name":"X","value":"1"},{"name":"HUB_KUBECONFIG","value":"/k"},
             {"name":"CLUSTER_NAME","value":"c1"}],
      "volumeMounts":[{"name":"hub-kubeconfig","mountPath":"/managed/hub-kubeconfig"},
                      {"name":"cert-example-com-sign","mountPath":"/managed/example.com-sign"}]})"));
  EXPECT_EQ(*pod_of(decorated).find("volumes"), parsed(R"([
      {"name":"hub-kubeconfig","secret":{"secretName":"score-hub-kubeconfig"}},
      {"name":"cert-example-com-sign",
       "secret":{"secretName":"score-example.com-sign-client-cert"}}])"));
  EXPECT_EQ(*pod_of(decorated).find("initContainers"),
            parsed(R"([{"name":"i","image":"quay.io/i"}])"));
}

TEST(Decorating, TakesTolerationsAlsoWithoutANodeSelector) {
  WorkloadDecoration decoration{.add_on = "score"};
  decoration.settings.tolerations = parsed(R"([{"key":"new"}])");
  const json::Value pod = pod_of(decorate_workload(deployment(), decoration));
  EXPECT_EQ(*pod.find("tolerations"), parsed(R"([{"key":"new"}])"));
  EXPECT_FALSE(pod.find("nodeSelector"));

  WorkloadDecoration other{.add_on = "score"};
  other.settings.node_selector = parsed(R"({"disk":"ssd"})");
  const json::Value selected = pod_of(decorate_workload(deployment(), other));
  EXPECT_EQ(*selected.find("nodeSelector"), parsed(R"({"disk":"ssd"})"));
  EXPECT_EQ(*selected.find("tolerations"), parsed(R"([{"key":"old"}])")) << "nobody asked for that";
}

TEST(Decorating, SetsImagesResourcesAndTheProxy) {
  WorkloadDecoration decoration{.add_on = "score", .mirrors = {{"quay.io", "my.io"}}};
  decoration.settings.resources = {
      {"deployments", "agent", "c", parsed(R"({"limits":{"cpu":"1"}})")}};
  decoration.settings.proxy = {.https = "http://p", .ca_bundle = "PEM"};
  const json::Value decorated = decorate_workload(deployment(), decoration);
  EXPECT_EQ(container_of(decorated), parsed(R"({"name":"c","image":"my.io/c",
      "env":[{"name":"X","value":"1"},{"name":"HTTPS_PROXY","value":"http://p"},
             {"name":"https_proxy","value":"http://p"},
             {"name":"CA_BUNDLE_FILE_PATH","value":"/managed/proxy-ca/ca-bundle.crt"}],
      "volumeMounts":[{"name":"proxy-ca-bundle","mountPath":"/managed/proxy-ca"}],
      "resources":{"limits":{"cpu":"1"}}})"));
  EXPECT_EQ(*pod_of(decorated).find("volumes"),
            parsed(R"([{"name":"proxy-ca-bundle","configMap":{"name":"score-proxy-ca"}}])"));
  EXPECT_EQ(proxy_ca_config_map(decoration, "ns"), parsed(R"({"apiVersion":"v1","kind":"ConfigMap",
                "metadata":{"name":"score-proxy-ca","namespace":"ns"},
                "data":{"ca-bundle.crt":"PEM"}})"));
}

TEST(Decorating, LeavesEverythingElseAlone) {
  const json::Value pod = parsed(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"}})");
  EXPECT_EQ(decorate_workload(pod, {.add_on = "score", .variables = {{"A", "b"}}}), pod);
}

}  // namespace
}  // namespace berth::fleet
