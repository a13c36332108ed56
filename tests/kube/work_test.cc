// The agent of ManifestWorks between two API servers: a hub and a managed cluster.

#include <memory>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "kube/blocking_api.h"
#include "kube/crds.h"
#include "kube/server.h"
#include "kube/waiting.h"
#include "kube/work_agent.h"
#include "kube/work_script.h"

namespace berth::kube {
namespace {

using namespace std::chrono_literals;
using api::field;
using api::text_field;
using json::Value;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string config_map_yaml(const std::string& name, const std::string& data) {
  return fmt::format(
      "{{apiVersion: v1, kind: ConfigMap, metadata: {{name: {}, namespace: app}}, data: {{{}}}}}",
      name, data);
}

std::string work_of(const std::string& manifests, const std::string& more = "") {
  return "{workload: {manifests: [" + manifests + "]}" + (more.empty() ? "" : ", " + more) + "}";
}

std::string deployment_yaml(int replicas) {
  return fmt::format(
      "{{apiVersion: apps/v1, kind: Deployment, metadata: {{name: web, namespace: app}}, spec: "
      "{{replicas: {}, selector: {{matchLabels: {{app: web}}}}, template: {{metadata: {{labels: "
      "{{app: web}}}}, spec: {{containers: [{{name: web, image: web}}]}}}}}}}}",
      replicas);
}

constexpr std::string_view kWidgets = R"({apiVersion: apiextensions.k8s.io/v1,
 kind: CustomResourceDefinition, metadata: {name: widgets.example.com},
 spec: {group: example.com, scope: Namespaced,
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList},
  versions: [{name: v1, served: true, storage: true,
   schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]}})";

std::string widget_yaml(int size) {
  return fmt::format(
      "{{apiVersion: example.com/v1, kind: Widget, metadata: {{name: w, namespace: app}}, spec: "
      "{{size: {}}}}}",
      size);
}

client::ResourcePath widget() {
  return {.resource = {"example.com", "v1", "widgets"}, .ns = "app", .name = "w"};
}

class DeliveringWork : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    for (std::unique_ptr<Server>* server : {&hub_, &managed_}) {
      auto started = start_with_berth_crds();
      ASSERT_TRUE(started.ok()) << started.error().message;
      *server = *std::move(started);
    }
  }
  static void TearDownTestSuite() {
    hub_.reset();
    managed_.reset();
  }

  void SetUp() override {
    script_.set_up();
    start();
  }
  void TearDown() override {
    for (const Value& work :
         hub_api_.list_all({.resource = script_.work_path("").resource})->items) {
      const std::string name(api::Metadata(work).name());
      if (!api::Metadata(work).is_being_deleted()) script_.delete_work(name);
      EXPECT_TRUE(script_.is_gone(name)) << name;
    }
    agent_.reset();
  }

  void start(std::chrono::seconds grace = 1h) {
    auto started = start_berth_work_agent(*hub_, *managed_, {.eviction_grace = grace});
    ASSERT_TRUE(started.ok()) << started.error().message;
    agent_ = *std::move(started);
  }

  std::string data_of(const std::string& name) {
    return text_field(field(script_.object(WorkScript::config_map(name)), "data"), "a");
  }

  bool exists(const client::ResourcePath& path) { return !script_.object(path).is_null(); }

  static std::unique_ptr<Server> hub_;
  static std::unique_ptr<Server> managed_;
  BlockingApi hub_api_{hub_->kubeconfig(), {.rate = {.per_second = 0}}};
  BlockingApi cluster_api_{managed_->kubeconfig(), {.rate = {.per_second = 0}}};
  WorkScript script_{hub_api_, cluster_api_, "cluster1"};
  std::unique_ptr<WorkAgentRun> agent_;
};
std::unique_ptr<Server> DeliveringWork::hub_;
std::unique_ptr<Server> DeliveringWork::managed_;

TEST_F(DeliveringWork, ObjectsOfAnyKindAreAppliedUpdatedPrunedAndTakenBack) {
  const std::string configs =
      "manifestConfigs: [{resourceIdentifier: {group: apps, resource: deployments, name: web, "
      "namespace: app}, feedbackRules: [{type: WellKnownStatus}]}, {resourceIdentifier: {group: "
      "example.com, resource: widgets, name: '*', namespace: '*'}, feedbackRules: [{type: "
      "JSONPaths, jsonPaths: [{name: size, path: .spec.size}, {name: none, path: .spec.none}]}]}]";
  const auto spec = [&](int n) {
    return work_of(widget_yaml(n) + ", " + deployment_yaml(n) + ", " + std::string(kWidgets),
                   configs);
  };
  script_.put_work("all", spec(1));
  ASSERT_TRUE(script_.becomes("all", "Available", "True")) << script_.transcript("all");
  EXPECT_EQ(script_.condition("all", "Applied"),
            "True AppliedManifestWorkComplete Apply manifest work complete");
  EXPECT_EQ(script_.condition("all", "Available"),
            "True ResourcesAvailable All resources are available");
  EXPECT_EQ(script_.recorded("all"),
            "customresourcedefinitions.apiextensions.k8s.io/widgets.example.com, "
            "deployments.apps/web, widgets.example.com/w");
  EXPECT_EQ(script_.feedback("all", 0), "size=1");
  EXPECT_EQ(script_.owners(widget()), "all");

  client::ResourcePath status = WorkScript::deployment("web");
  status.subresource = "status";
  script_.patch(status, "{status: {replicas: 1, readyReplicas: 1, availableReplicas: 1}}");
  EXPECT_TRUE(wait_until([&] {
    return script_.feedback("all", 1) == "ReadyReplicas=1 Replicas=1 AvailableReplicas=1";
  })) << script_.feedback("all", 1);

  script_.put_work("all", spec(3));
  ASSERT_TRUE(wait_until([&] { return script_.feedback("all", 0) == "size=3"; }));
  ASSERT_TRUE(script_.becomes("all", "Applied", "True"));
  const Value web = script_.object(WorkScript::deployment("web"));
  EXPECT_EQ(api::integer_field(field(web, "spec"), "replicas"), 3);

  script_.put_work("all", work_of(deployment_yaml(3) + ", " + std::string(kWidgets), configs));
  ASSERT_TRUE(wait_until([&] { return !exists(widget()); }));
  EXPECT_TRUE(wait_until([&] {
    return script_.recorded("all") ==
           "customresourcedefinitions.apiextensions.k8s.io/widgets.example.com, "
           "deployments.apps/web";
  })) << script_.recorded("all");

  script_.delete_work("all");
  ASSERT_TRUE(script_.is_gone("all")) << script_.transcript("all");
  EXPECT_FALSE(exists(WorkScript::deployment("web")));
}

TEST_F(DeliveringWork, WhatIsChangedOrDeletedByHandIsPutRight) {
  script_.put_work("w", work_of(config_map_yaml("c", "a: wanted") + ", " + deployment_yaml(2)));
  ASSERT_TRUE(script_.becomes("w", "Applied", "True"));
  script_.patch(WorkScript::config_map("c"), "{data: {a: other, b: more}}");
  EXPECT_TRUE(wait_until([&] {
    return field(script_.object(WorkScript::config_map("c")), "data") ==
           Value::object({{"a", "wanted"}});
  }));
  script_.patch(WorkScript::deployment("web"), "{spec: {replicas: 7}}");
  EXPECT_TRUE(wait_until([&] {
    const Value web = script_.object(WorkScript::deployment("web"));
    return api::integer_field(field(web, "spec"), "replicas") == 2;
  }));
  const std::string uid(api::Metadata(script_.object(WorkScript::config_map("c"))).uid());
  ASSERT_TRUE(cluster_api_.remove(WorkScript::config_map("c")).ok());
  EXPECT_TRUE(wait_until([&] {
    const Value again = script_.object(WorkScript::config_map("c"));
    return !again.is_null() && api::Metadata(again).uid() != uid;
  }));
  EXPECT_TRUE(wait_until([&] {
    return script_.recorded("w") == "configmaps/c, deployments.apps/web";
  })) << script_.recorded("w");
}

TEST_F(DeliveringWork, LabelsOfOthersStay) {
  const std::string with_labels =
      "{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: app, labels: {ours: "
      "\"1\"}}, data: {a: b}}";
  script_.create(
      "{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: app, labels: "
      "{theirs: \"1\"}}}");
  script_.put_work("w", work_of(with_labels));
  ASSERT_TRUE(script_.becomes("w", "Applied", "True"));
  EXPECT_EQ(field(field(script_.object(WorkScript::config_map("c")), "metadata"), "labels"),
            Value::object({{"theirs", "1"}, {"ours", "1"}}));
}

TEST_F(DeliveringWork, AnObjectOfTwoWorksGoesWithTheSecond) {
  const std::string shared = work_of(config_map_yaml("shared", "a: b"));
  script_.put_work("one", shared);
  script_.put_work("two", shared);
  ASSERT_TRUE(
      wait_until([&] { return script_.owners(WorkScript::config_map("shared")) == "one,two"; }));
  ASSERT_TRUE(script_.becomes("two", "Available", "True"));
  script_.delete_work("one");
  ASSERT_TRUE(script_.is_gone("one"));
  EXPECT_EQ(script_.owners(WorkScript::config_map("shared")), "two");
  script_.delete_work("two");
  ASSERT_TRUE(script_.is_gone("two"));
  EXPECT_FALSE(exists(WorkScript::config_map("shared")));
}

TEST_F(DeliveringWork, OrphansStayBehind) {
  script_.put_work("orphaning", work_of(config_map_yaml("o1", "a: b"),
                                        "deleteOption: {propagationPolicy: Orphan}"));
  script_.put_work(
      "selective",
      work_of(config_map_yaml("o2", "a: b") + ", " + config_map_yaml("o3", "a: b"),
              "deleteOption: {propagationPolicy: SelectivelyOrphan, selectivelyOrphans: "
              "{orphaningRules: [{resource: configmaps, name: o2, namespace: app}]}}"));
  ASSERT_TRUE(script_.becomes("orphaning", "Available", "True"));
  ASSERT_TRUE(script_.becomes("selective", "Available", "True"));
  EXPECT_EQ(script_.owners(WorkScript::config_map("o1")), "");
  EXPECT_EQ(script_.owners(WorkScript::config_map("o3")), "selective");
  script_.delete_work("orphaning");
  script_.delete_work("selective");
  ASSERT_TRUE(script_.is_gone("orphaning"));
  ASSERT_TRUE(script_.is_gone("selective"));
  EXPECT_TRUE(exists(WorkScript::config_map("o1")));
  EXPECT_TRUE(exists(WorkScript::config_map("o2")));
  EXPECT_FALSE(exists(WorkScript::config_map("o3")));
}

TEST_F(DeliveringWork, AWorkThatOrphansLaterLetsGo) {
  script_.put_work("w", work_of(config_map_yaml("later", "a: b")));
  ASSERT_TRUE(script_.becomes("w", "Available", "True"));
  ASSERT_EQ(script_.owners(WorkScript::config_map("later")), "w");
  script_.put_work(
      "w", work_of(config_map_yaml("later", "a: b"), "deleteOption: {propagationPolicy: Orphan}"));
  EXPECT_TRUE(wait_until([&] { return script_.owners(WorkScript::config_map("later")).empty(); }));
}

TEST_F(DeliveringWork, StrategiesSayWhatIsWritten) {
  const auto strategy = [](const std::string& type) {
    return "manifestConfigs: [{resourceIdentifier: {resource: configmaps, name: '*', namespace: "
           "app}, updateStrategy: {type: " +
           type + "}, feedbackRules: [{type: JSONPaths, jsonPaths: [{name: a, path: .data.a}]}]}]";
  };
  script_.put_work("once", work_of(config_map_yaml("once", "a: first"), strategy("CreateOnly")));
  ASSERT_TRUE(script_.becomes("once", "Available", "True"));
  script_.put_work("once", work_of(config_map_yaml("once", "a: second"), strategy("CreateOnly")));
  ASSERT_TRUE(script_.becomes("once", "Applied", "True"));
  EXPECT_EQ(data_of("once"), "first");
  EXPECT_EQ(script_.owners(WorkScript::config_map("once")), "once");

  script_.put_work("look", work_of(config_map_yaml("look", "a: wanted"), strategy("ReadOnly")));
  ASSERT_TRUE(script_.becomes("look", "Available", "False")) << script_.transcript("look");
  EXPECT_EQ(script_.condition("look", "Available"),
            "False ResourcesNotAvailable 1 of 1 resources are not available");
  script_.create(config_map_yaml("look", "a: theirs"));
  ASSERT_TRUE(wait_until([&] { return script_.feedback("look", 0) == "a=\"theirs\""; }));
  EXPECT_EQ(data_of("look"), "theirs");
  EXPECT_EQ(script_.owners(WorkScript::config_map("look")), "");
}

TEST_F(DeliveringWork, ServerSideApplyIsRefusedByOtherManagersUnlessForced) {
  ASSERT_TRUE(cluster_api_
                  .patch(WorkScript::config_map("ssa"),
                         Value::object({{"apiVersion", "v1"},
                                        {"kind", "ConfigMap"},
                                        {"metadata", Value::object({{"name", "ssa"}})},
                                        {"data", Value::object({{"a", "theirs"}})}}),
                         {.type = client::PatchType::Apply, .write = {.field_manager = "other"}})
                  .ok());
  const auto strategy = [](const std::string& force) {
    return "manifestConfigs: [{resourceIdentifier: {resource: configmaps, name: ssa, namespace: "
           "app}, updateStrategy: {type: ServerSideApply, serverSideApply: {force: " +
           force + "}}}]";
  };
  script_.put_work("w", work_of(config_map_yaml("ssa", "a: ours"), strategy("false")));
  ASSERT_TRUE(script_.becomes("w", "Applied", "False"));
  EXPECT_THAT(script_.manifest_condition("w", 0, "Applied"),
              HasSubstr("AppliedManifestFailed Failed to apply manifest: Apply failed with 1 "
                        "conflict: conflict with \"other\""));
  EXPECT_EQ(data_of("ssa"), "theirs");
  script_.put_work("w", work_of(config_map_yaml("ssa", "a: ours"), strategy("true")));
  ASSERT_TRUE(script_.becomes("w", "Applied", "True"));
  EXPECT_EQ(data_of("ssa"), "ours");
  EXPECT_EQ(script_.owners(WorkScript::config_map("ssa")), "w");
}

TEST_F(DeliveringWork, IgnoredFieldsAreLeftToOthers) {
  const auto spec = [](const std::string& data, const std::string& since) {
    return work_of(config_map_yaml("shared-fields", data),
                   "manifestConfigs: [{resourceIdentifier: {resource: configmaps, name: "
                   "shared-fields, namespace: app}, updateStrategy: {type: ServerSideApply, "
                   "serverSideApply: {force: true, ignoreFields: [{condition: " +
                       since + ", jsonPaths: [.data.a]}]}}}]");
  };
  script_.put_work("w", spec("a: first, b: first", "OnSpokePresent"));
  ASSERT_TRUE(script_.becomes("w", "Applied", "True"));
  EXPECT_EQ(data_of("shared-fields"), "first");
  script_.patch(WorkScript::config_map("shared-fields"), "{data: {a: theirs}}");
  script_.put_work("w", spec("a: second, b: second", "OnSpokePresent"));
  ASSERT_TRUE(wait_until([&] {
    const Value live = script_.object(WorkScript::config_map("shared-fields"));
    return text_field(field(live, "data"), "b") == "second";
  }));
  EXPECT_EQ(data_of("shared-fields"), "theirs");
  script_.put_work("w", spec("a: third, b: third", "OnSpokeChange"));
  EXPECT_TRUE(wait_until([&] { return data_of("shared-fields") == "third"; }));
}

TEST_F(DeliveringWork, AnUnknownKindKeepsNothingElseBack) {
  script_.put_work("w",
                   work_of("{apiVersion: example.com/v9, kind: Nonsense, metadata: {name: none, "
                           "namespace: app}}, " +
                           config_map_yaml("beside", "a: b")));
  ASSERT_TRUE(script_.becomes("w", "Applied", "False"));
  EXPECT_EQ(script_.manifest_condition("w", 0, "Applied"),
            "False AppliedManifestFailed Failed to apply manifest: the server doesn't have a "
            "resource type \"Nonsense\"");
  EXPECT_EQ(script_.manifest_condition("w", 0, "Available"),
            "Unknown IncompleteResourceMeta Resource meta is incomplete");
  EXPECT_EQ(script_.manifest_condition("w", 1, "Applied"),
            "True AppliedManifestComplete Apply manifest complete");
  EXPECT_EQ(data_of("beside"), "b");
}

TEST_F(DeliveringWork, AnExecutorWithoutTheRightIsRefused) {
  const std::string executor =
      "executor: {subject: {type: ServiceAccount, serviceAccount: {namespace: app, name: bot}}}";
  script_.put_work("w", work_of(config_map_yaml("secretly", "a: b"), executor));
  ASSERT_TRUE(script_.becomes("w", "Applied", "False"));
  EXPECT_EQ(script_.manifest_condition("w", 0, "Applied"),
            "False AppliedManifestFailed Failed to apply manifest: not allowed to apply the "
            "resource  configmaps, app secretly, will try again in 1m0s");
  EXPECT_FALSE(exists(WorkScript::config_map("secretly")));

  script_.create(
      "{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: bot, "
      "namespace: app}, rules: [{apiGroups: ['', rbac.authorization.k8s.io], resources: "
      "[configmaps, roles], verbs: [create, update, patch, get, delete]}]}");
  script_.create(
      "{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: "
      "bot, namespace: app}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, "
      "name: bot}, subjects: [{kind: ServiceAccount, name: bot, namespace: app}]}");
  const std::string role =
      "{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: more, namespace: "
      "app}, rules: [{apiGroups: [''], resources: [secrets], verbs: [get]}]}";
  script_.put_work("w", work_of(config_map_yaml("openly", "a: b") + ", " + role, executor));
  ASSERT_TRUE(wait_until([&] { return exists(WorkScript::config_map("openly")); }));
  ASSERT_TRUE(wait_until([&] {
    return script_.manifest_condition("w", 0, "Applied").starts_with("True") &&
           script_.manifest_condition("w", 1, "Applied") ==
               "False AppliedManifestFailed Failed to apply manifest: not allowed to apply the "
               "resource rbac.authorization.k8s.io roles, app more, error: permission escalation, "
               "will try again in 1m0s";
  })) << script_.transcript("w");
}

TEST_F(DeliveringWork, CompleteManifestsAreNotTouchedAgain) {
  script_.put_work(
      "w", work_of(config_map_yaml("done", "a: b"),
                   "manifestConfigs: [{resourceIdentifier: {resource: configmaps, name: done, "
                   "namespace: app}, conditionRules: [{type: CEL, condition: Complete, "
                   "celExpressions: ['object.data.a == \"finished\"']}]}]"));
  ASSERT_TRUE(script_.becomes("w", "Complete", "False")) << script_.transcript("w");
  EXPECT_EQ(script_.condition("w", "Complete"),
            "False ConditionRulesAggregated Manifest is not Complete");
  agent_.reset();
  script_.patch(WorkScript::config_map("done"), "{data: {a: finished}}");
  // The first thing that a new agent does about it is to put it right, so it is not complete yet.
  start();
  ASSERT_TRUE(wait_until([&] { return data_of("done") == "b"; }));
}

TEST_F(DeliveringWork, WorksThatAreNoLongerOnTheHubAreEvictedAfterTheGracePeriod) {
  script_.put_work("lost", work_of(config_map_yaml("lost", "a: b")));
  ASSERT_TRUE(script_.becomes("lost", "Available", "True"));
  agent_.reset();
  ASSERT_TRUE(hub_api_
                  .patch(script_.work_path("lost"),
                         Value::object({{"metadata", Value::object({{"finalizers", nullptr}})}}),
                         {})
                  .ok());
  script_.delete_work("lost");
  start();
  ASSERT_TRUE(wait_until([&] {
    return !text_field(field(script_.record("lost"), "status"), "evictionStartTime").empty();
  }));
  EXPECT_TRUE(exists(WorkScript::config_map("lost")));
  agent_.reset();
  start(1s);
  EXPECT_TRUE(wait_until([&] { return script_.record("lost").is_null(); }));
  EXPECT_FALSE(exists(WorkScript::config_map("lost")));
}

TEST_F(DeliveringWork, AWorkThatIsBackIsNotEvicted) {
  script_.put_work("back", work_of(config_map_yaml("back", "a: b")));
  ASSERT_TRUE(script_.becomes("back", "Available", "True"));
  agent_.reset();
  ASSERT_TRUE(hub_api_
                  .patch(script_.work_path("back"),
                         Value::object({{"metadata", Value::object({{"finalizers", nullptr}})}}),
                         {})
                  .ok());
  script_.delete_work("back");
  const auto eviction = [&] {
    return text_field(field(script_.record("back"), "status"), "evictionStartTime");
  };
  start();
  ASSERT_TRUE(wait_until([&] { return !eviction().empty(); }));
  script_.put_work("back", work_of(config_map_yaml("back", "a: b")));
  EXPECT_TRUE(wait_until([&] { return eviction().empty(); }));
  EXPECT_TRUE(script_.becomes("back", "Available", "True"));
}

TEST_F(DeliveringWork, AnAgentThatStartsAgainGoesOn) {
  script_.put_work("w", work_of(config_map_yaml("r1", "a: first")));
  ASSERT_TRUE(script_.becomes("w", "Available", "True"));
  agent_.reset();
  script_.put_work("w", work_of(config_map_yaml("r2", "a: second")));
  start();
  ASSERT_TRUE(wait_until([&] { return exists(WorkScript::config_map("r2")); }));
  EXPECT_TRUE(wait_until([&] { return !exists(WorkScript::config_map("r1")); }));
  EXPECT_TRUE(wait_until([&] { return script_.recorded("w") == "configmaps/r2"; }));
}

TEST_F(DeliveringWork, BothServersMayRestart) {
  script_.put_work("w", work_of(config_map_yaml("s", "a: first")));
  ASSERT_TRUE(script_.becomes("w", "Available", "True"));
  ASSERT_TRUE(hub_->restart().ok());
  ASSERT_TRUE(managed_->restart().ok());
  script_.put_work("w", work_of(config_map_yaml("s", "a: second")));
  EXPECT_TRUE(wait_until([&] { return data_of("s") == "second"; }));
  EXPECT_TRUE(script_.becomes("w", "Applied", "True"));
}

}  // namespace
}  // namespace berth::kube
