// Hosted clusters on their way to a second server and back: the controller on a hub, an agent of
// ManifestWorks, Berth's or Open Cluster Management's own, and a hosting cluster.

#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "client/errors.h"
#include "hosting/hosting_ledger.h"
#include "json/yaml_read.h"
#include "kube/crds.h"
#include "kube/hosting_hub.h"
#include "kube/objects.h"
#include "kube/waiting.h"
#include "kube/work_agent.h"

namespace berth::kube {
namespace {

using hosting::ClaimState;
using json::Value;
using ::testing::HasSubstr;

const client::ResourcePath kHosted = {
    .resource = {"hypershift.openshift.io", "v1beta1", "hostedclusters"},
    .ns = "clusters",
    .name = "web"};
const client::ResourcePath kPool = {.resource = {"hypershift.openshift.io", "v1beta1", "nodepools"},
                                    .ns = "clusters",
                                    .name = "web-a"};
const client::ResourcePath kSecret = {
    .resource = {"", "v1", "secrets"}, .ns = "clusters", .name = "web-pull"};

using StartAgent = Result<std::unique_ptr<WorkAgentRun>> (*)(Server&, Server&,
                                                             const WorkAgentOptions&);

class HostedDelivery : public ::testing::Test {
 protected:
  void begin(StartAgent start_agent) {
    hub_ = HostingHub::start();
    auto host = start_with_berth_crds();
    ASSERT_TRUE(host.ok()) << host.error().message;
    host_server_ = *std::move(host);
    host_ = std::make_unique<BlockingApi>(host_server_->kubeconfig());
    for (const Value& definition : json::read_yaml(kHyperShiftDefinitions).value()) {
      create_whole(*host_, definition);
    }
    ASSERT_TRUE(wait_until_served(*host_, kHosted.resource));
    ASSERT_TRUE(wait_until_served(*host_, kPool.resource));
    hub_->add_host({.name = "h"});
    hub_->run();
    auto agent = start_agent(hub_->server(), *host_server_, {.cluster = "h"});
    ASSERT_TRUE(agent.ok()) << agent.error().message;
    agent_ = *std::move(agent);
  }

  bool is_there(const client::ResourcePath& path) { return host_->get(path).ok(); }
  bool is_gone(const client::ResourcePath& path) {
    const auto answer = host_->get(path);
    return !answer.ok() && client::is_not_found(answer.error());
  }

  void change(client::ResourcePath path, std::string_view subresource, std::string_view yaml) {
    path.subresource = subresource;
    const auto patched = host_->patch(path, json::read_one_yaml(yaml).value(), {});
    EXPECT_TRUE(patched.ok()) << patched.error().message;
  }

  std::vector<hosting::Claim> claims() {
    return hosting::read_ledger(hub_->find(hosting_resource("hostingledgers"), "h", "hosting"))
        .claims;
  }
  bool has_claim(ClaimState state) {
    return wait_until([&] { return claims().size() == 1 && claims()[0].state == state; });
  }

  void from_request_to_ready_and_away();

  std::unique_ptr<HostingHub> hub_;
  std::unique_ptr<Server> host_server_;
  std::unique_ptr<BlockingApi> host_;
  std::unique_ptr<WorkAgentRun> agent_;
};

void HostedDelivery::from_request_to_ready_and_away() {
  hub_->create(R"(
apiVersion: v1
kind: Secret
metadata: {name: web-pull, namespace: tenant}
data: {.dockerconfigjson: e30=}
---
apiVersion: hosting.berth.dev/v1alpha1
kind: HostedClusterRequest
metadata: {name: web, namespace: tenant}
spec:
  payload:
    hostedCluster:
      metadata: {name: web}
      spec: {infraID: web-1, pullSecret: {name: web-pull}, release: {image: "example.com/release:4.18"}}
    nodePools: [{metadata: {name: web-a}, spec: {replicas: 2}}]
    secretRefs: [{name: web-pull}]
)");
  ASSERT_TRUE(hub_->becomes("web", "phase", "Provisioning")) << hub_->status("web", "message");
  const auto hosted = host_->get(kHosted);
  ASSERT_TRUE(hosted.ok()) << hosted.error().message;
  EXPECT_EQ(api::text_field(api::field(*hosted, "spec"), "infraID"), "web-1");
  EXPECT_TRUE(is_there(kPool));
  EXPECT_TRUE(is_there(kSecret));
  EXPECT_TRUE(has_claim(ClaimState::Delivered));

  change(kHosted, "status",
         R"({status: {conditions: [{type: Available, status: "False", reason: Starting,
             message: etcd is not up, lastTransitionTime: "2026-01-01T00:00:00Z"}]}})");
  EXPECT_TRUE(hub_->becomes("web", "message", "etcd is not up"));
  change(kHosted, "status",
         R"({status: {conditions: [{type: Available, status: "True", reason: AsExpected,
             message: "", lastTransitionTime: "2026-01-01T00:01:00Z"}]}})");
  ASSERT_TRUE(hub_->becomes("web", "phase", "Ready")) << hub_->status("web", "message");
  EXPECT_TRUE(has_claim(ClaimState::Observed));

  // HyperShift holds a hosted cluster while it takes its cloud resources away.
  change(kHosted, "", "{metadata: {finalizers: [hypershift.openshift.io/finalizer]}}");
  hub_->delete_request("web");
  ASSERT_TRUE(hub_->becomes("web", "phase", "Deleting"));
  ASSERT_TRUE(wait_until([&] {
    const auto object = host_->get(kHosted);
    return object.ok() && api::Metadata(*object).is_being_deleted();
  }));
  EXPECT_TRUE(has_claim(ClaimState::Releasing));
  EXPECT_TRUE(hub_->becomes("web", "message", "h is deleting the hosted cluster"));

  change(kHosted, "", "{metadata: {finalizers: []}}");
  EXPECT_TRUE(wait_until([&] { return hub_->request_object("web").is_null(); }));
  EXPECT_TRUE(claims().empty());
  for (const auto& path : {kHosted, kPool, kSecret}) EXPECT_TRUE(is_gone(path)) << path.name;
  EXPECT_TRUE(is_there({.resource = {"", "v1", "namespaces"}, .name = "clusters"}));
}

TEST_F(HostedDelivery, FromARequestToReadyAndAway) {
  begin(start_berth_work_agent);
  from_request_to_ready_and_away();
}

using HostedDeliveryByOcm = HostedDelivery;

TEST_F(HostedDeliveryByOcm, FromARequestToReadyAndAway) {
  begin(start_ocm_work_agent);
  from_request_to_ready_and_away();
}

TEST_F(HostedDelivery, WhatTheHostRefusesIsTold) {
  begin(start_berth_work_agent);
  ASSERT_TRUE(host_
                  ->remove({.resource = {"apiextensions.k8s.io", "v1", "customresourcedefinitions"},
                            .name = "nodepools.hypershift.openshift.io"})
                  .ok());
  ASSERT_TRUE(wait_until([&] { return is_gone(kPool); }));
  hub_->create(R"(
apiVersion: hosting.berth.dev/v1alpha1
kind: HostedClusterRequest
metadata: {name: web, namespace: tenant}
spec:
  payload:
    hostedCluster: {metadata: {name: web}, spec: {infraID: web-1}}
    nodePools: [{metadata: {name: web-a}, spec: {replicas: 2}}]
)");
  EXPECT_TRUE(wait_until([&] {
    return hub_->condition("web", "Delivered").starts_with("False NotApplied");
  })) << hub_->condition("web", "Delivered");
  EXPECT_EQ(hub_->status("web", "phase"), "Delivering");
  // What did come is taken back.
  hub_->delete_request("web");
  EXPECT_TRUE(wait_until([&] { return hub_->request_object("web").is_null(); }));
  EXPECT_TRUE(claims().empty());
  EXPECT_TRUE(is_gone(kHosted));
}

TEST_F(HostedDelivery, AHostedClusterIsLeftBehindWhereTheRequestSaysSo) {
  begin(start_berth_work_agent);
  hub_->request("web", "policy: {onDelete: Orphan}");
  ASSERT_TRUE(hub_->becomes("web", "phase", "Provisioning")) << hub_->status("web", "message");
  hub_->delete_request("web");
  EXPECT_TRUE(wait_until([&] { return hub_->request_object("web").is_null(); }));
  EXPECT_TRUE(claims().empty());
  const auto left = host_->get(kHosted);
  ASSERT_TRUE(left.ok()) << left.error().message;
  EXPECT_FALSE(api::Metadata(*left).is_being_deleted());
}

}  // namespace
}  // namespace berth::kube
