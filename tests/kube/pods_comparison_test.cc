// What may be done to a pod, as kube-apiserver sees it and as we do.

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "apiserver/defaults/defaults.h"
#include "apiserver/strategies/pod_binding.h"
#include "apiserver/strategies/pod_deletion.h"
#include "apiserver/strategies/pod_eviction.h"
#include "apiserver/strategies/pod_status_update.h"
#include "apiserver/strategies/pod_update.h"
#include "apiserver/tables/cells.h"
#include "json/merge_patch.h"
#include "json/print.h"
#include "json/yaml_read.h"
#include "kube/blocking_api.h"
#include "kube/objects.h"
#include "kube/server.h"

namespace berth::kube {
namespace {

using client::ResourcePath;
using json::Value;

const client::Gvr kPods = {.version = "v1", .resource = "pods"};

// The first line, up to an object: the reference prints differences and objects in Go's own form.
std::string outcome(const Result<Value>& result) {
  if (result.ok()) return "taken";
  const std::string& message = result.error().message;
  const std::size_t end = std::min(message.find('\n'), message.find("Invalid value: {"));
  return std::string(reason(result.error().code)) + " " + message.substr(0, end);
}

// Times, versions and what other parts write are not compared.
Value comparable(Value pod) {
  Value& metadata = pod["metadata"];
  for (const char* name : {"managedFields", "resourceVersion", "generation", "annotations"}) {
    metadata.erase(name);
  }
  if (Value* conditions = pod["status"].find("conditions")) {
    for (Value& condition : conditions->elements()) {
      for (const char* name : {"lastTransitionTime", "lastProbeTime"}) condition.erase(name);
    }
  }
  return pod;
}

class Pods : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto started = Server::start();
    ASSERT_TRUE(started.ok()) << started.error().message;
    server_ = std::move(*started);
  }
  static void TearDownTestSuite() { server_.reset(); }

  ResourcePath path_of(std::string name, std::string subresource = "") {
    return {.resource = kPods,
            .ns = "default",
            .name = std::move(name),
            .subresource = std::move(subresource)};
  }

  // A pod of a name not used before, as the server has it now.
  Value create(std::string_view spec, std::string_view status = "") {
    const std::string name = "pod-" + std::to_string(++count_);
    Value pod =
        json::read_one_yaml("{apiVersion: v1, kind: Pod, spec: " + std::string(spec) + "}").value();
    pod["metadata"] = json::read_one_yaml("{namespace: default, labels: {app: a}}").value();
    pod["metadata"]["name"] = name;
    if (!status.empty()) pod["status"] = json::read_one_yaml(status).value();
    create_whole(api_, pod);
    return api_.get(path_of(name)).value();
  }

  static std::string name_of(const Value& pod) { return apiserver::text_at(pod, "metadata.name"); }

  static std::unique_ptr<Server> server_;
  static int count_;  // Of all tests: the server keeps what they leave.
  BlockingApi api_{server_->kubeconfig(), {.rate = {.per_second = 0}}};
};
std::unique_ptr<Server> Pods::server_;
int Pods::count_ = 0;

constexpr std::string_view kPlain =
    "{activeDeadlineSeconds: 100, hostname: h, nodeSelector: {a: b}, tolerations: [{key: k, "
    "operator: Exists, effect: NoExecute, tolerationSeconds: 5}], containers: [{name: c, image: "
    "i}]}";
constexpr std::string_view kGated =
    "{schedulingGates: [{name: g.x/y}, {name: h.x/y}], nodeSelector: {a: b}, affinity: "
    "{nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: "
    "[{matchExpressions: [{key: a, operator: Exists}]}]}}}, containers: [{name: c, image: i}]}";

TEST_F(Pods, TakeAndRefuseTheSameUpdates) {
  struct Case {
    std::string_view spec;
    std::string_view patch;
  };
  const std::string terms =
      "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
      "{nodeSelectorTerms: ";
  const std::string narrower =
      "spec: {" + terms +
      "[{matchExpressions: [{key: a, operator: Exists}, {key: b, operator: "
      "Exists}]}]}}}}";
  const std::string wider =
      "spec: {" + terms + "[{matchExpressions: [{key: b, operator: Exists}]}]}}}}";
  const Case cases[] = {
      {kPlain, "metadata: {labels: {new: label}}"},
      {kPlain, "spec: {hostname: other}"},
      {kPlain, "spec: {activeDeadlineSeconds: 50}"},
      {kPlain, "spec: {activeDeadlineSeconds: 200}"},
      {kPlain, "spec: {activeDeadlineSeconds: null}"},
      {kPlain, "spec: {nodeSelector: {c: d}}"},
      {kPlain, "spec: {priority: null}"},
      {kPlain, "spec: {schedulingGates: [{name: n.x/y}]}"},
      {kPlain, "spec: {terminationGracePeriodSeconds: 1}"},
      {kPlain, "spec: {tolerations: []}"},
      {kPlain, "status: {phase: Failed}"},
      {kGated, "spec: {schedulingGates: [{name: h.x/y}]}"},
      {kGated, "spec: {schedulingGates: null}"},
      {kGated, "spec: {nodeSelector: {c: d}}"},
      {kGated, "spec: {nodeSelector: {a: null}}"},
      {kGated, narrower},
      {kGated, wider},
      {kGated, "spec: {affinity: null}"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.patch);
    const Value before = create(c.spec);
    const Value patch = json::read_one_yaml(c.patch).value();
    const auto theirs = api_.patch(path_of(name_of(before)), patch, {});
    const auto ours = apiserver::prepare_pod_update(
        before, apiserver::with_defaults("", "Pod", json::apply_merge_patch(before, patch)));
    EXPECT_EQ(outcome(ours), outcome(theirs));
    if (theirs.ok() && ours.ok()) {
      EXPECT_EQ(comparable(*ours), comparable(*theirs)) << json::print(*ours) << "\n"
                                                        << json::print(*theirs);
    }
  }
}

TEST_F(Pods, TakeAndRefuseTheSameStatuses) {
  constexpr std::string_view kNever =
      "{nodeName: one, restartPolicy: Never, containers: [{name: c, image: i}]}";
  constexpr std::string_view kEnded =
      "{phase: Running, containerStatuses: [{name: c, image: i, imageID: i, ready: false, "
      "restartCount: 0, state: {terminated: {exitCode: 1}}}]}";
  constexpr std::string_view kRunning =
      "status: {containerStatuses: [{name: c, image: i, imageID: i, ready: true, restartCount: 1, "
      "state: {running: {startedAt: '2026-01-01T00:00:00Z'}}}]}";
  struct Case {
    std::string_view spec;
    std::string_view status;
    std::string_view patch;
  };
  const Case cases[] = {
      {kPlain, "", "status: {phase: Running, message: hi}"},
      {kPlain, "", "status: {nominatedNodeName: two}"},
      {kNever, "", "status: {nominatedNodeName: two}"},
      {kPlain, "", "status: {qosClass: Guaranteed}"},
      {kPlain, "", "{spec: {hostname: x}, status: {qosClass: null, reason: r}}"},
      {kNever, kEnded, kRunning},
      {"{nodeName: one, containers: [{name: c, image: i}]}", kEnded, kRunning},
      {"{nodeName: one, restartPolicy: OnFailure, containers: [{name: c, image: i}]}", kEnded,
       kRunning},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.patch);
    const Value before = create(c.spec, c.status);
    const Value patch = json::read_one_yaml(c.patch).value();
    const auto theirs = api_.patch(path_of(name_of(before), "status"), patch, {});
    const auto ours = apiserver::prepare_pod_status_update(
        before, apiserver::with_defaults("", "Pod", json::apply_merge_patch(before, patch)));
    EXPECT_EQ(outcome(ours), outcome(theirs));
    if (theirs.ok() && ours.ok()) {
      EXPECT_EQ(comparable(*ours), comparable(*theirs)) << json::print(*ours) << "\n"
                                                        << json::print(*theirs);
    }
  }
}

TEST_F(Pods, AreBoundTheSameWay) {
  for (const std::string_view spec :
       {kPlain, kGated, std::string_view("{nodeName: two, containers: [{name: c, image: i}]}")}) {
    for (const char* uid : {"", "11111111-1111-1111-1111-111111111111"}) {
      const Value before = create(spec);
      Value binding = json::read_one_yaml(
                          "{apiVersion: v1, kind: Binding, metadata: {namespace: default}, target: "
                          "{apiVersion: v1, kind: Node, name: one}}")
                          .value();
      binding["metadata"]["name"] = name_of(before);
      if (*uid) binding["metadata"]["uid"] = uid;
      const auto theirs = api_.create(path_of(name_of(before), "binding"), binding);
      const auto ours = apiserver::bind_pod(before, binding, api_.env().clock.now());
      EXPECT_EQ(ours.ok(), theirs.ok());
      if (!ours.ok() && !theirs.ok()) {
        EXPECT_EQ(ours.error().code, theirs.error().code);
        if (!*uid) EXPECT_EQ(ours.error().message, theirs.error().message);
      }
      const Value stored = api_.get(path_of(name_of(before))).value();
      EXPECT_EQ(comparable(ours.ok() ? *ours : before), comparable(stored)) << json::print(stored);
    }
  }
}

TEST_F(Pods, AreDeletedWithTheSameGrace) {
  constexpr std::string_view kBound =
      "{nodeName: one, terminationGracePeriodSeconds: 40, containers: [{name: c, image: i}]}";
  const std::vector<std::vector<std::optional<std::int64_t>>> sequences = {
      {std::nullopt}, {10}, {0}, {std::nullopt, 10}, {10, 20}, {10, std::nullopt, 5}, {10, 0}};
  for (const std::string_view spec : {kBound, kPlain}) {
    for (const auto& graces : sequences) {
      Value ours = create(spec);
      const ResourcePath path = path_of(name_of(ours));
      for (const auto grace : graces) {
        const Time before = api_.env().clock.now();
        const bool is_there = api_.get(path).ok();
        if (!is_there) break;
        ASSERT_TRUE(api_.remove(path, {.grace_period_seconds = grace}).ok());
        apiserver::PodDeletion deletion = apiserver::delete_pod(std::move(ours), grace, before);
        const auto stored = api_.get(path);
        const bool is_removed = deletion.action == apiserver::PodDeletion::Action::Remove;
        ASSERT_EQ(stored.ok(), !is_removed);
        if (is_removed) break;
        ours = std::move(deletion.pod);
        EXPECT_EQ(apiserver::at(ours, "metadata.deletionGracePeriodSeconds"),
                  apiserver::at(*stored, "metadata.deletionGracePeriodSeconds"));
        EXPECT_EQ(apiserver::at(ours, "metadata.generation"),
                  apiserver::at(*stored, "metadata.generation"));
        const Duration apart = *apiserver::time_at(*stored, "metadata.deletionTimestamp") -
                               *apiserver::time_at(ours, "metadata.deletionTimestamp");
        EXPECT_LE(apart, Duration(std::chrono::seconds(2)));
        EXPECT_GE(apart, Duration(std::chrono::seconds(0)));
      }
    }
  }
}

TEST_F(Pods, AreEvictedUnderTheSameBudgets) {
  const client::Gvr budgets = {
      .group = "policy", .version = "v1", .resource = "poddisruptionbudgets"};
  const ResourcePath budget_path = {.resource = budgets, .ns = "default", .name = "budget"};
  create_whole(api_, json::read_one_yaml(
                         "{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: "
                         "budget, namespace: default}, spec: {minAvailable: 1, selector: "
                         "{matchLabels: {app: a}}}}")
                         .value());
  constexpr std::string_view kReady =
      "{phase: Running, conditions: [{type: Ready, status: 'True'}]}";
  struct Case {
    std::string_view pod_status;
    std::string_view budget_status;
  };
  const Case cases[] = {
      {kReady,
       "{observedGeneration: 1, disruptionsAllowed: 2, currentHealthy: 3, desiredHealthy: "
       "1, expectedPods: 3}"},
      {kReady,
       "{observedGeneration: 1, disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: "
       "1, expectedPods: 3, disruptedPods: null}"},
      {kReady,
       "{observedGeneration: 1, disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: "
       "1, expectedPods: 3, disruptedPods: null}"},
      {kReady, "{observedGeneration: 0, disruptionsAllowed: 5}"},
      {"{phase: Running}",
       "{observedGeneration: 1, disruptionsAllowed: 0, currentHealthy: 1, "
       "desiredHealthy: 1}"},
      {"{phase: Running}",
       "{observedGeneration: 1, disruptionsAllowed: 0, currentHealthy: 0, "
       "desiredHealthy: 1}"},
      {"{phase: Succeeded}", "{disruptionsAllowed: 0}"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.budget_status);
    const Value pod = create(
        "{nodeName: one, terminationGracePeriodSeconds: 30, containers: [{name: c, image: i}]}",
        c.pod_status);
    ResourcePath status_path = budget_path;
    status_path.subresource = "status";
    const Value status = json::read_one_yaml("status: " + std::string(c.budget_status)).value();
    ASSERT_TRUE(api_.patch(status_path, status, {}).ok());
    const Value budget = api_.get(budget_path).value();
    Value eviction = json::read_one_yaml("{apiVersion: policy/v1, kind: Eviction}").value();
    eviction["metadata"] = Value::object({{"name", name_of(pod)}, {"namespace", "default"}});
    const client::WriteOptions once = {};
    const auto theirs = api_.wait<Result<Value>>([&](client::Api& api, auto done) {
      client::CallOptions options = {};
      options.retry.attempts_max = 1;
      api.call(client::create_request(path_of(name_of(pod), "eviction"), eviction, once), options,
               std::move(done));
    });
    const auto ours = apiserver::evict_pod(pod, std::vector{budget}, api_.env().clock.now());
    ASSERT_EQ(ours.ok(), theirs.ok());
    if (!ours.ok()) {
      EXPECT_EQ(ours.error().code, theirs.error().code);
      EXPECT_EQ(ours.error().message, theirs.error().message);
      EXPECT_EQ(ours.error().causes, theirs.error().causes);
      continue;
    }
    Value stored = api_.get(budget_path).value();
    Value expected = ours->budget.value_or(budget);
    for (Value* object : {&stored, &expected}) {
      (*object)["metadata"] = nullptr;
      if (Value* pods = (*object)["status"].find("disruptedPods")) {
        for (const json::Member& member : Value(*pods).members()) (*pods)[member.name()] = "then";
      }
      if (Value* conditions = (*object)["status"].find("conditions")) {
        for (Value& condition : conditions->elements()) {
          condition.erase("lastTransitionTime");
          if (apiserver::text_at(condition, "message").empty()) condition.erase("message");
        }
      }
    }
    EXPECT_EQ(expected, stored) << json::print(expected) << "\n" << json::print(stored);
  }
}

}  // namespace
}  // namespace berth::kube
