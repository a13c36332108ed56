// Who may let clusters in, move them between sets and bind sets: by ValidatingAdmissionPolicies on
// a real server, by itself on Berth's hub. Both allow and refuse the same.

#include <memory>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/errors.h"
#include "fleet/registration/resources.h"
#include "json/yaml_read.h"
#include "kube/blocking_api.h"
#include "kube/crds.h"
#include "kube/objects.h"
#include "kube/server.h"
#include "kube/waiting.h"

namespace berth::kube {
namespace {

using json::Value;
using ::testing::HasSubstr;

const client::Gvr kBindings = {"cluster.open-cluster-management.io", "v1beta2",
                               "managedclustersetbindings"};

Value yaml(const std::string& text) { return json::read_one_yaml(text).value(); }

class Guards : public ::testing::Test {
 protected:
  void SetUp() override {
    auto server = start_with_berth_crds();
    ASSERT_TRUE(server.ok()) << server.error().message;
    server_ = *std::move(server);
    ASSERT_TRUE(apply_berth_guards(*server_).ok());
    admin_ = std::make_unique<BlockingApi>(server_->kubeconfig());
    user_ = std::make_unique<BlockingApi>(
        server_->kubeconfig_for({.name = "eve", .group = "people"}).value());
    // She may write the objects, but has none of the rights that the guards ask for.
    grant("writer",
          "[{apiGroups: [cluster.open-cluster-management.io], resources: [managedclusters, "
          "managedclustersetbindings], verbs: ['*']}]");
    ASSERT_TRUE(create(*admin_, cluster("probe", "{}", "{}")).ok());
    // The policies take a moment to be in force.
    ASSERT_TRUE(wait_until([this] {
      const auto tried = user_->patch({.resource = fleet::managed_clusters(), .name = "probe"},
                                      yaml("{spec: {hubAcceptsClient: true}}"),
                                      {.write = {.dry_run = client::DryRun::Yes}});
      return !tried.ok() && tried.error().message.contains("HubAcceptsClient");
    }));
  }

  static Value cluster(const std::string& name, const std::string& labels,
                       const std::string& spec) {
    return yaml(fmt::format(
        "{{apiVersion: cluster.open-cluster-management.io/v1, kind: ManagedCluster, metadata: "
        "{{name: {}, labels: {}}}, spec: {}}}",
        name, labels, spec));
  }

  static Value binding(const std::string& name, const std::string& set) {
    return yaml(
        fmt::format("{{apiVersion: cluster.open-cluster-management.io/v1beta2, kind: "
                    "ManagedClusterSetBinding, metadata: {{name: {}, namespace: default}}, spec: "
                    "{{clusterSet: {}}}}}",
                    name, set));
  }

  Result<Value> create(BlockingApi& as, const Value& object) {
    return as.create(collection_of(object), object);
  }

  Result<Value> patch(BlockingApi& as, const std::string& name, const std::string& patch) {
    return as.patch({.resource = fleet::managed_clusters(), .name = name}, yaml(patch), {});
  }

  void grant(const std::string& name, const std::string& rules) {
    const auto role = create(
        *admin_, yaml(fmt::format("{{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, "
                                  "metadata: {{name: {}}}, rules: {}}}",
                                  name, rules)));
    ASSERT_TRUE(role.ok()) << role.error().message;
    const auto bound = create(
        *admin_,
        yaml(fmt::format(
            "{{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: "
            "{{name: {0}}}, roleRef: {{apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, "
            "name: {0}}}, subjects: [{{apiGroup: rbac.authorization.k8s.io, kind: User, name: "
            "eve}}]}}",
            name)));
    ASSERT_TRUE(bound.ok()) << bound.error().message;
  }

  // Rights are seen by the server a moment later.
  void expect_allowed_soon(const std::function<Result<Value>()>& attempt) {
    std::string last;
    EXPECT_TRUE(wait_until([&] {
      const auto answer = attempt();
      last = answer.ok() ? "" : answer.error().message;
      return answer.ok();
    })) << last;
  }

  static void expect_refused(const Result<Value>& answer, const std::string& why) {
    ASSERT_FALSE(answer.ok());
    EXPECT_THAT(answer.error().message, HasSubstr(why));
  }

  std::unique_ptr<Server> server_;
  std::unique_ptr<BlockingApi> admin_;
  std::unique_ptr<BlockingApi> user_;
};

TEST_F(Guards, LetOnlyThoseAcceptClustersWhoMay) {
  const std::string why = R"(user "eve" cannot update the HubAcceptsClient field)";
  grant("sets",
        "[{apiGroups: [cluster.open-cluster-management.io], resources: "
        "[managedclustersets/join], verbs: [create]}]");
  expect_allowed_soon([&] { return create(*user_, cluster("asks", "{}", "{}")); });
  expect_refused(create(*user_, cluster("forces", "{}", "{hubAcceptsClient: true}")), why);
  expect_refused(patch(*user_, "asks", "{spec: {hubAcceptsClient: true}}"), why);
  EXPECT_TRUE(patch(*admin_, "asks", "{spec: {hubAcceptsClient: true}}").ok());
  EXPECT_TRUE(patch(*user_, "asks", "{metadata: {annotations: {a: b}}}").ok())
      << "it is accepted already";
  EXPECT_TRUE(patch(*user_, "asks", "{spec: {hubAcceptsClient: false}}").ok());
  grant("accepter",
        "[{apiGroups: [register.open-cluster-management.io], resources: "
        "[managedclusters/accept], resourceNames: [asks], verbs: [update]}]");
  expect_allowed_soon([&] { return patch(*user_, "asks", "{spec: {hubAcceptsClient: true}}"); });
}

TEST_F(Guards, LetOnlyThoseMoveClustersBetweenSetsWhoMayJoinBoth) {
  const std::string label = "cluster.open-cluster-management.io/clusterset";
  const auto move = [&](const std::string& set) {
    return patch(*user_, "moved", "{metadata: {labels: {" + label + ": " + set + "}}}");
  };
  ASSERT_TRUE(create(*admin_, cluster("moved", "{" + label + ": red}", "{}")).ok());
  expect_refused(move("blue"), "cannot add/remove a ManagedCluster to/from ManagedClusterSet");
  grant("red",
        "[{apiGroups: [cluster.open-cluster-management.io], resources: "
        "[managedclustersets/join], resourceNames: [red], verbs: [create]}]");
  expect_refused(move("blue"), "cannot add/remove a ManagedCluster to/from ManagedClusterSet");
  grant("blue",
        "[{apiGroups: [cluster.open-cluster-management.io], resources: "
        "[managedclustersets/join], resourceNames: [blue], verbs: [create]}]");
  expect_allowed_soon([&] { return move("blue"); });
}

TEST_F(Guards, LetOnlyThoseBindSetsWhoMayAndOnlyUnderTheirNames) {
  expect_refused(create(*user_, binding("red", "red")),
                 R"(user "eve" is not allowed to bind cluster set "red")");
  expect_refused(
      create(*admin_, binding("red", "blue")),
      "The ManagedClusterSetBinding must have the same name as the target ManagedClusterSet");
  grant("binder",
        "[{apiGroups: [cluster.open-cluster-management.io], resources: "
        "[managedclustersets/bind], resourceNames: [red], verbs: [create]}]");
  expect_allowed_soon([&] { return create(*user_, binding("red", "red")); });
}

}  // namespace
}  // namespace berth::kube
