// berth extender over TLS on a whole API server, asked as kube-scheduler asks it.

#include <memory>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "json/print.h"
#include "json/yaml_read.h"
#include "kube/agents.h"
#include "kube/blocking_api.h"
#include "kube/crds.h"
#include "kube/extender_process.h"
#include "kube/objects.h"
#include "kube/server.h"
#include "kube/waiting.h"

namespace berth::kube {
namespace {

using api::field;
using api::text_field;
using json::Value;
using ::testing::HasSubstr;

const client::Gvr kPods{"", "v1", "pods"};

class Extender : public ::testing::Test {
 protected:
  void SetUp() override {
    auto server = start_with_berth_crds();
    ASSERT_TRUE(server.ok()) << server.error().message;
    server_ = *std::move(server);
    api_ = std::make_unique<BlockingApi>(server_->kubeconfig());
    make_ready_node(*api_, {.name = "n1", .cpu = "4", .memory = "8Gi"});
    make_ready_node(*api_, {.name = "n2", .cpu = "4", .memory = "8Gi"});
    create(fmt::format(R"(
apiVersion: reserve.berth.dev/v1alpha1
kind: PodReservation
metadata: {{name: kept, namespace: default}}
spec: {{nodeName: n1, resources: {{cpu: "3"}}, owner: {{uid: {}}}}}
)",
                       make_owner("somebody")));
    extender_ = ExtenderProcess::start(*server_);
  }

  void create(const std::string& yaml) {
    for (const Value& object : json::read_yaml(yaml).value()) {
      const auto made = api_->create(collection_of(object), object);
      ASSERT_TRUE(made.ok()) << made.error().message << "\n" << yaml;
    }
  }

  // Its uid. Pods of owners that are not there would be collected as garbage.
  std::string make_owner(const std::string& name) {
    create(fmt::format(R"(
apiVersion: apps/v1
kind: ReplicaSet
metadata: {{name: {0}, namespace: default}}
spec:
  replicas: 0
  selector: {{matchLabels: {{app: {0}}}}}
  template:
    metadata: {{labels: {{app: {0}}}}}
    spec: {{containers: [{{name: c, image: nginx}}]}}
)",
                       name));
    const auto owner =
        api_->get({.resource = {"apps", "v1", "replicasets"}, .ns = "default", .name = name});
    EXPECT_TRUE(owner.ok()) << owner.error().message;
    return owner.ok() ? std::string(api::Metadata(*owner).uid()) : "";
  }

  // A pod of that owner, which kube-scheduler asks about.
  Value make_pod(const std::string& name, const std::string& owner) {
    const auto set =
        api_->get({.resource = {"apps", "v1", "replicasets"}, .ns = "default", .name = owner});
    EXPECT_TRUE(set.ok()) << set.error().message;
    create(fmt::format(R"(
apiVersion: v1
kind: Pod
metadata:
  name: {0}
  namespace: default
  ownerReferences: [{{apiVersion: apps/v1, kind: ReplicaSet, name: {2}, uid: {1}, controller: true}}]
spec:
  containers: [{{name: c, image: nginx, resources: {{requests: {{cpu: "2"}}}}}}]
)",
                       name, api::Metadata(*set).uid(), owner));
    return api_->get({.resource = kPods, .ns = "default", .name = name}).value();
  }

  Value filter(const Value& pod) { return extender_->filter(pod, {"n1", "n2"}); }

  std::string bind(const Value& pod, std::string_view node) {
    const api::Metadata metadata(pod);
    const auto answer =
        extender_->ask("bind", Value::object({{"PodName", metadata.name()},
                                              {"PodNamespace", metadata.namespace_name()},
                                              {"PodUID", metadata.uid()},
                                              {"Node", node}}));
    return answer.ok() ? text_field(*answer, "Error") : answer.error().message;
  }

  std::unique_ptr<Server> server_;
  std::unique_ptr<BlockingApi> api_;
  std::unique_ptr<ExtenderProcess> extender_;
};

TEST_F(Extender, KeepsHeldRoomFromOthersAndBindsWhomItIsFor) {
  make_owner("else");
  const Value other = make_pod("other", "else");
  const Value own = make_pod("own", "somebody");
  ASSERT_TRUE(
      wait_until([&] { return json::print(field(filter(other), "NodeNames")) == R"(["n2"])"; }));
  EXPECT_THAT(text_field(field(filter(other), "FailedAndUnresolvableNodes"), "n1"),
              HasSubstr("PodReservation default/kept for owner "));
  EXPECT_EQ(json::print(field(filter(own), "NodeNames")), R"(["n1","n2"])");
  EXPECT_THAT(bind(other, "n1"), HasSubstr("PodReservation default/kept"));
  EXPECT_EQ(bind(own, "n1"), "");
  const auto bound = api_->get({.resource = kPods, .ns = "default", .name = "own"});
  ASSERT_TRUE(bound.ok());
  EXPECT_EQ(text_field(field(*bound, "spec"), "nodeName"), "n1");
  EXPECT_FALSE(api::Metadata(*bound)
                   .annotations()
                   .find("reserve.berth.dev/reservation")
                   .value_or("")
                   .empty());
}

}  // namespace
}  // namespace berth::kube
