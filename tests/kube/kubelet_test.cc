// berth kubelet: a Deployment really runs on a server that has no nodes but on paper.

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "json/yaml_read.h"
#include "kube/agents.h"
#include "kube/blocking_api.h"
#include "kube/caretaker.h"
#include "kube/crds.h"
#include "kube/objects.h"
#include "kube/server.h"
#include "kube/waiting.h"

namespace berth::kube {
namespace {

using api::field;
using api::text_field;
using json::Value;

const client::Gvr kPods{"", "v1", "pods"};
const client::ResourcePath kDeployment{
    .resource = {"apps", "v1", "deployments"}, .ns = "default", .name = "web"};

class Kubelet : public ::testing::Test {
 protected:
  void SetUp() override {
    auto server = start_with_berth_crds();
    ASSERT_TRUE(server.ok()) << server.error().message;
    server_ = *std::move(server);
    caretaker_ = std::make_unique<Caretaker>(*server_);
    api_ = std::make_unique<BlockingApi>(server_->kubeconfig());
    make_ready_node(*api_, {.name = "node1", .cpu = "4", .memory = "8Gi"});
    auto kubelet = start_kubelet(*server_);
    ASSERT_TRUE(kubelet.ok()) << kubelet.error().message;
    kubelet_ = *std::move(kubelet);
  }

  void create(const std::string& yaml) {
    for (const Value& object : json::read_yaml(yaml).value()) {
      const auto made = api_->create(collection_of(object), object);
      ASSERT_TRUE(made.ok()) << made.error().message << "\n" << yaml;
    }
  }

  void create_deployment(const std::string& pod_spec) {
    create(fmt::format(R"(
apiVersion: apps/v1
kind: Deployment
metadata: {{name: web, namespace: default}}
spec:
  replicas: 1
  selector: {{matchLabels: {{app: web}}}}
  template:
    metadata: {{labels: {{app: web}}}}
    spec: {}
)",
                       pod_spec));
  }

  std::int64_t ready_replicas() {
    const auto found = api_->get(kDeployment);
    if (!found.ok()) return -1;
    return api::integer_field(field(*found, "status"), "readyReplicas").value_or(0);
  }

  std::vector<Value> pods() {
    auto all = api_->list_all({.resource = kPods});
    EXPECT_TRUE(all.ok()) << all.error().message;
    return all.ok() ? std::move(all->items) : std::vector<Value>();
  }

  std::unique_ptr<Server> server_;
  std::unique_ptr<Caretaker> caretaker_;
  std::unique_ptr<BlockingApi> api_;
  Child kubelet_;
};

TEST_F(Kubelet, RunsADeploymentUntilItIsDeleted) {
  create_deployment("{containers: [{name: c, image: nginx}]}");
  EXPECT_TRUE(wait_until([&] { return ready_replicas() == 1; }));
  const auto scaled =
      api_->patch(kDeployment, Value::object({{"spec", Value::object({{"replicas", 3}})}}), {});
  ASSERT_TRUE(scaled.ok()) << scaled.error().message;
  EXPECT_TRUE(wait_until([&] { return ready_replicas() == 3; }));
  for (const Value& pod : pods()) {
    EXPECT_EQ(text_field(field(pod, "spec"), "nodeName"), "node1");
    EXPECT_EQ(text_field(field(pod, "status"), "phase"), "Running");
  }
  ASSERT_TRUE(api_->remove(kDeployment, {.propagation = client::Propagation::Background}).ok());
  EXPECT_TRUE(wait_until([&] { return pods().empty(); }));
}

// The process finds its server, may do what its account may, and is reached at its pod's address.
TEST_F(Kubelet, RunsBerthsOwnImageAsAProcess) {
  create(R"(
apiVersion: v1
kind: ServiceAccount
metadata: {name: sets, namespace: default}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: sets}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects: [{kind: ServiceAccount, name: sets, namespace: default}]
)");
  create_deployment(R"({serviceAccountName: sets, containers: [{name: c,
      image: "quay.io/haoqing/resource-usage-collect-addon:latest",
      args: [controllers, --controllers=clustersets, "--health-probe-bind-address=0.0.0.0:8081",
             --metrics-bind-address=0]}]})");
  EXPECT_TRUE(wait_until([&] { return ready_replicas() == 1; }));
  EXPECT_TRUE(wait_until([&] {
    return api_
        ->get({.resource = {"cluster.open-cluster-management.io", "v1beta2", "managedclustersets"},
               .name = "default"})
        .ok();
  })) << "the controller makes this set";
  ASSERT_EQ(pods().size(), 1U);
  const std::string url =
      fmt::format("http://{}:8081/livez", text_field(field(pods()[0], "status"), "podIP"));
  EXPECT_TRUE(wait_until([&] { return run({"curl", "--silent", "--fail", url}).ok(); })) << url;
  ASSERT_TRUE(api_->remove(kDeployment, {.propagation = client::Propagation::Background}).ok());
  EXPECT_TRUE(wait_until([&] { return pods().empty(); }));
  EXPECT_FALSE(run({"curl", "--silent", "--fail", url}).ok()) << "the process still runs";
}

TEST_F(Kubelet, TellsThatAProcessFailed) {
  create_deployment(R"({containers: [{name: c,
      image: "quay.io/haoqing/resource-usage-collect-addon:latest", args: [no-such-command]}]})");
  const auto first = [&] {
    const auto all = pods();
    if (all.empty()) return Value();
    const auto containers = api::elements_field(field(all[0], "status"), "containerStatuses");
    return containers.empty() ? Value() : containers[0];
  };
  EXPECT_TRUE(wait_until([&] {
    return text_field(field(field(first(), "state"), "waiting"), "reason") == "CrashLoopBackOff";
  }));
  const Value ended = field(field(first(), "lastState"), "terminated");
  EXPECT_NE(api::integer_field(ended, "exitCode").value_or(0), 0);
  EXPECT_TRUE(wait_until([&] { return ready_replicas() == 0; }));
}

}  // namespace
}  // namespace berth::kube
