// The same script with Berth's agent of ManifestWorks and with Open Cluster Management's own: what
// the works say afterwards, what is recorded and what is on the cluster must be the same.

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "base/strings.h"
#include "json/print.h"
#include "kube/blocking_api.h"
#include "kube/crds.h"
#include "kube/server.h"
#include "kube/waiting.h"
#include "kube/work_agent.h"
#include "kube/work_script.h"

namespace berth::kube {
namespace {

using api::field;
using json::Value;

// What a server shows after each step.
using Pages = std::vector<std::pair<std::string, std::string>>;

constexpr std::string_view kMap =
    "{{apiVersion: v1, kind: ConfigMap, metadata: {{name: {}, namespace: app}}, data: {{a: {}}}}}";
constexpr std::string_view kConfig =
    "manifestConfigs: [{{resourceIdentifier: {{resource: configmaps, name: '*', namespace: app}}, "
    "{}}}]";

std::string map(std::string_view name, std::string_view value) {
  return fmt::format(kMap, name, value);
}

std::string spec(const std::string& manifests, const std::string& more = "") {
  return "{workload: {manifests: [" + manifests + "]}" + (more.empty() ? "" : ", " + more) + "}";
}

const std::string kDeployment =
    "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: app, labels: {x: "
    "z}}, spec: {selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, "
    "spec: {containers: [{name: web, image: web}]}}}}";
const std::string kGadgets =
    "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: "
    "gadgets.example.com}, spec: {group: example.com, scope: Namespaced, names: {plural: gadgets, "
    "singular: gadget, kind: Gadget, listKind: GadgetList}, versions: [{name: v1, served: true, "
    "storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: "
    "true}}}]}}";
const std::string kGadget =
    "{apiVersion: example.com/v1, kind: Gadget, metadata: {name: g, namespace: app}, spec: {size: "
    "1, ratio: 1.5}}";

class WorkComparison : public ::testing::Test {
 protected:
  void SetUp() override {
    for (std::unique_ptr<Server>* server : {&hub_, &managed_}) {
      auto started = start_with_berth_crds();
      ASSERT_TRUE(started.ok()) << started.error().message;
      *server = *std::move(started);
    }
    hub_api_ = std::make_unique<BlockingApi>(hub_->kubeconfig());
    cluster_api_ = std::make_unique<BlockingApi>(managed_->kubeconfig());
    script_ = std::make_unique<WorkScript>(*hub_api_, *cluster_api_, "cluster1");
    script_->set_up();
  }

  // What stays equal between two runs of the content of an object, and who owns it.
  std::string shown(const client::ResourcePath& path) {
    const Value object = script_->object(path);
    if (object.is_null()) return path.name + " gone\n";
    std::string text = path.name + " labels " +
                       json::print(field(field(object, "metadata"), "labels")) + " owners " +
                       script_->owners(path);
    for (const std::string_view part : {"data", "spec"}) {
      text += " " + json::print(field(object, part));
    }
    return text + "\n";
  }

  void note(Pages& pages, const std::string& step, const std::string& work,
            const std::vector<client::ResourcePath>& objects) {
    std::string text = script_->transcript(work);
    for (const client::ResourcePath& path : objects) text += shown(path);
    pages.emplace_back(step, std::move(text));
  }

  // The first status comes in several writes: waits until nothing of it is missing any more.
  void await(const std::string& work, std::string_view applied, std::string_view available) {
    EXPECT_TRUE(wait_until([&] {
      return script_->condition(work, "Applied").starts_with(applied) &&
             script_->condition(work, "Available").starts_with(available);
    })) << script_->transcript(work);
  }

  void deliver(Pages& pages) {
    const client::ResourcePath gadget{
        .resource = {"example.com", "v1", "gadgets"}, .ns = "app", .name = "g"};
    const std::string configs =
        "manifestConfigs: [{resourceIdentifier: {group: apps, resource: deployments, name: web, "
        "namespace: app}, feedbackRules: [{type: WellKnownStatus}]}, {resourceIdentifier: {group: "
        "example.com, resource: gadgets, name: g, namespace: app}, feedbackRules: [{type: "
        "JSONPaths, jsonPaths: [{name: size, path: .spec.size}, {name: ratio, path: .spec.ratio}, "
        "{name: all, path: .spec}, {name: none, path: .spec.none.at.all}]}]}]";
    script_->put_work("all", spec(kGadgets + ", " + kDeployment + ", " + kGadget, configs));
    await("all", "True", "True");
    client::ResourcePath status = WorkScript::deployment("web");
    status.subresource = "status";
    script_->patch(status, "{status: {replicas: 1, readyReplicas: 1}}");
    EXPECT_TRUE(wait_until([&] {
      return script_->feedback("all", 1) == "ReadyReplicas=1 Replicas=1";
    })) << script_->feedback("all", 1);
    EXPECT_TRUE(wait_until([&] { return script_->feedback("all", 2) == "size=1"; }));
    note(pages, "delivered", "all", {WorkScript::deployment("web"), gadget});

    script_->put_work("all", spec(kDeployment, configs));
    await("all", "True", "True");
    EXPECT_TRUE(wait_until([&] { return script_->recorded("all") == "deployments.apps/web"; }));
    note(pages, "pruned", "all", {WorkScript::deployment("web"), gadget});
    script_->delete_work("all");
    EXPECT_TRUE(script_->is_gone("all"));
    note(pages, "taken back", "all", {WorkScript::deployment("web")});
  }

  void share(Pages& pages) {
    const client::ResourcePath shared = WorkScript::config_map("shared");
    for (const std::string name : {"one", "two"}) {
      script_->put_work(name, spec(map("shared", "b")));
      await(name, "True", "True");
    }
    note(pages, "shared", "two", {shared});
    script_->delete_work("one");
    EXPECT_TRUE(script_->is_gone("one"));
    note(pages, "no longer shared", "two", {shared});
    script_->put_work("two", spec(map("shared", "b"), "deleteOption: {propagationPolicy: Orphan}"));
    await("two", "True", "True");
    note(pages, "let go", "two", {shared});
    script_->delete_work("two");
    EXPECT_TRUE(script_->is_gone("two"));
    note(pages, "orphaned", "two", {shared});
    EXPECT_TRUE(cluster_api_->remove(shared).ok());
  }

  void try_strategies(Pages& pages) {
    for (const std::string type : {"CreateOnly", "ReadOnly", "ServerSideApply"}) {
      const std::string configs = fmt::format(
          kConfig,
          "updateStrategy: {type: " + type +
              "}, feedbackRules: [{type: JSONPaths, jsonPaths: [{name: a, path: .data.a}]}]");
      const client::ResourcePath path = WorkScript::config_map("s");
      script_->put_work("s", spec(map("s", "first"), configs));
      await("s", "True", type == "ReadOnly" ? "False" : "True");
      note(pages, type, "s", {path});
      script_->put_work("s", spec(map("s", "second"), configs));
      await("s", "True", type == "ReadOnly" ? "False" : "True");
      note(pages, type + " changed", "s", {path});
      script_->delete_work("s");
      EXPECT_TRUE(script_->is_gone("s"));
    }
  }

  void fail(Pages& pages) {
    script_->put_work("bad",
                      spec("{apiVersion: example.com/v7, kind: Nonsense, metadata: {name: x, "
                           "namespace: app}}, " +
                           map("beside", "b") +
                           ", {apiVersion: v1, kind: ConfigMap, metadata: {name: lost, "
                           "namespace: nowhere}}"));
    await("bad", "False", "False");
    // The reference records nothing at all while a kind is not known.
    std::string text = script_->transcript("bad");
    pages.emplace_back("failing", text.substr(0, text.find("record:")));
    script_->delete_work("bad");
    EXPECT_TRUE(script_->is_gone("bad"));
    static_cast<void>(cluster_api_->remove(WorkScript::config_map("beside")));

    script_->put_work("refused",
                      spec(map("refused", "b"),
                           "executor: {subject: {type: ServiceAccount, serviceAccount: {namespace: "
                           "app, name: nobody}}}"));
    await("refused", "False", "False");
    note(pages, "refused", "refused", {WorkScript::config_map("refused")});
    script_->delete_work("refused");
    EXPECT_TRUE(script_->is_gone("refused"));
  }

  void conflict(Pages& pages) {
    const client::ResourcePath path = WorkScript::config_map("ssa");
    ASSERT_TRUE(cluster_api_
                    ->patch(path,
                            Value::object({{"apiVersion", "v1"},
                                           {"kind", "ConfigMap"},
                                           {"metadata", Value::object({{"name", "ssa"}})},
                                           {"data", Value::object({{"a", "theirs"}})}}),
                            {.type = client::PatchType::Apply, .write = {.field_manager = "other"}})
                    .ok());
    script_->put_work("ssa", spec(map("ssa", "ours"),
                                  fmt::format(kConfig, "updateStrategy: {type: ServerSideApply}")));
    await("ssa", "False", "True");
    note(pages, "conflict", "ssa", {path});
    script_->put_work(
        "ssa", spec(map("ssa", "ours"), fmt::format(kConfig,
                                                    "updateStrategy: {type: ServerSideApply, "
                                                    "serverSideApply: {force: true}}")));
    await("ssa", "True", "True");
    note(pages, "forced", "ssa", {path});
    script_->delete_work("ssa");
    EXPECT_TRUE(script_->is_gone("ssa"));
  }

  void judge(Pages& pages) {
    script_->put_work(
        "ruled",
        spec(map("r", "b"),
             fmt::format(kConfig,
                         "conditionRules: [{type: CEL, condition: Fine, celExpressions: "
                         "['object.data.a == \"b\"'], messageExpression: '\"a is \" + "
                         "object.data.a'}, {type: CEL, condition: Complete, celExpressions: "
                         "['object.data.a == \"c\"']}]")));
    await("ruled", "True", "True");
    EXPECT_TRUE(script_->becomes("ruled", "Complete", "False"));
    note(pages, "ruled", "ruled", {WorkScript::config_map("r")});
    script_->put_work("ruled", spec(map("r", "b")));
    await("ruled", "True", "True");
    EXPECT_TRUE(wait_until([&] { return script_->condition("ruled", "Fine") == "none"; }));
    note(pages, "no longer ruled", "ruled", {});
    script_->delete_work("ruled");
    EXPECT_TRUE(script_->is_gone("ruled"));
  }

  Pages run() {
    Pages pages;
    deliver(pages);
    share(pages);
    try_strategies(pages);
    fail(pages);
    conflict(pages);
    judge(pages);
    return pages;
  }

  std::unique_ptr<Server> hub_;
  std::unique_ptr<Server> managed_;
  std::unique_ptr<BlockingApi> hub_api_;
  std::unique_ptr<BlockingApi> cluster_api_;
  std::unique_ptr<WorkScript> script_;
};

TEST_F(WorkComparison, BothAgentsLeaveTheSameBehind) {
  Pages ours;
  {
    const auto agent = start_berth_work_agent(*hub_, *managed_);
    ASSERT_TRUE(agent.ok()) << agent.error().message;
    ours = run();
  }
  const auto agent = start_ocm_work_agent(*hub_, *managed_);
  ASSERT_TRUE(agent.ok()) << agent.error().message;
  const Pages theirs = run();
  ASSERT_EQ(ours.size(), theirs.size());
  for (std::size_t i = 0; i < ours.size(); ++i) {
    EXPECT_EQ(ours[i].second, theirs[i].second) << ours[i].first;
  }
}

}  // namespace
}  // namespace berth::kube
