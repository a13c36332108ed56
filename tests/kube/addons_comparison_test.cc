// The same add-on under Berth's manager and under Open Cluster Management's own: what both have
// written must be the same after each step.

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "json/print.h"
#include "kube/addon_hub.h"
#include "kube/addon_sample.h"
#include "kube/waiting.h"

namespace berth::kube {
namespace {

using json::Value;

bool becomes(AddOnHub& hub, const std::string& progress) {
  return wait_until([&] { return hub.progress("score") == progress; });
}

// Empty texts, lists and objects mean the same as absent ones; so does a null.
Value without_empty(const Value& value) {
  if (value.is_array()) {
    Value kept = Value::array();
    for (const Value& element : value.elements()) kept.push_back(without_empty(element));
    return kept;
  }
  if (!value.is_object()) return value;
  std::map<std::string, Value> kept;
  for (const json::Member& member : value.members()) {
    Value inner = without_empty(member.value);
    const bool is_empty = inner.is_null() || inner == Value("") ||
                          ((inner.is_object() || inner.is_array()) && inner.size() == 0);
    if (!is_empty) kept.emplace(member.name(), std::move(inner));
  }
  Value sorted = Value::object();
  for (auto& [name, inner] : kept) sorted.append_member(name, std::move(inner));
  return sorted;
}

void sort_list(Value& list, const std::function<std::string(const Value&)>& key) {
  std::ranges::sort(list.elements(), {}, key);
}

void drop_server_fields(Value& object) {
  Value& metadata = object["metadata"];
  for (const char* name :
       {"uid", "resourceVersion", "creationTimestamp", "managedFields", "generation"}) {
    metadata.erase(name);
  }
  if (Value* owners = metadata.find("ownerReferences")) {
    for (Value& owner : owners->elements()) owner.erase("uid");
  }
}

void drop_times(Value& status) {
  if (Value* conditions = status.find("conditions")) {
    for (Value& condition : conditions->elements()) condition.erase("lastTransitionTime");
    sort_list(*conditions, [](const Value& each) { return api::text_field(each, "type"); });
  }
}

std::string manifest_key(const Value& manifest) {
  return api::text_field(manifest, "kind") + "/" + api::read_facts(manifest).name;
}

Value normal_work(Value work) {
  drop_server_fields(work);
  work.erase("status");
  // Go writes numbers of a status even if there is none: a DaemonSet that nobody has run yet.
  for (Value& manifest : work["spec"]["workload"]["manifests"].elements()) manifest.erase("status");
  sort_list(work["spec"]["workload"]["manifests"], manifest_key);
  return without_empty(work);
}

// OCM may note a configuration before it knows its hash, and leaves that until it is the copy's
// turn: whether it does depends on which of its controllers was faster.
void drop_references_without_hash(Value& status) {
  Value kept = Value::array();
  for (const Value& reference : api::elements_field(status, "configReferences")) {
    const Value& desired = api::field(reference, "desiredConfig");
    if (!api::text_field(desired, "specHash").empty()) kept.push_back(reference);
  }
  status["configReferences"] = std::move(kept);
}

Value normal_managed(Value managed) {
  drop_server_fields(managed);
  drop_references_without_hash(managed["status"]);
  drop_times(managed["status"]);
  sort_list(managed["status"]["supportedConfigs"],
            [](const Value& each) { return api::text_field(each, "resource"); });
  return without_empty(managed);
}

Value normal_add_on(Value add_on) {
  drop_server_fields(add_on);
  for (Value& progression : add_on["status"]["installProgressions"].elements()) {
    drop_times(progression);
  }
  return without_empty(add_on);
}

// What is different on purpose: OCM binds the group that the agents of all clusters share.
Value normal_binding(Value binding) {
  drop_server_fields(binding);
  Value subjects = Value::array();
  for (const Value& subject : api::elements_field(binding, "subjects")) {
    if (api::text_field(subject, "name") != "system:open-cluster-management:addon:score") {
      subjects.push_back(subject);
    }
  }
  binding["subjects"] = std::move(subjects);
  return without_empty(binding);
}

std::string snapshot(AddOnHub& hub) {
  Value all = Value::object();
  const auto add = [&](const api::Gvr& resource, Value (*normal)(Value)) {
    for (const Value& object : hub.list(resource)) {
      const api::ObjectFacts facts = api::read_facts(object);
      if (facts.name.find("score") == std::string::npos) continue;
      all[fmt::format("{}/{}/{}", resource.resource, facts.object_namespace, facts.name)] =
          normal(object);
    }
  };
  add(work_resource(), normal_work);
  add(add_on_resource("managedclusteraddons"), normal_managed);
  add(add_on_resource("clustermanagementaddons"), normal_add_on);
  add({"rbac.authorization.k8s.io", "v1", "rolebindings"}, normal_binding);
  return json::print(all, {.indent = 1});
}

bool are_all(AddOnHub& hub, std::string_view type, std::string_view expected) {
  return std::ranges::all_of(kSampleClusters, [&](const std::string& cluster) {
    return hub.condition(cluster, "score", type) == expected;
  });
}

// Two of three clusters are under way; the third one waits for its turn.
void begin(AddOnHub& hub) {
  EXPECT_TRUE(becomes(hub, "2/3 progressing..., 0 failed 0 timeout."));
  EXPECT_TRUE(wait_until([&] {
    return hub.condition("cluster2", "score", "Configured") ==
               "False ConfigurationsNotConfigured" &&
           hub.list(work_resource()).size() == 2;
  }));
}

// The agents report, so it is the turn of the third one.
void complete(AddOnHub& hub) {
  for (const char* cluster : {"cluster1", "cluster10"}) hub.report_works(cluster, "score");
  EXPECT_TRUE(wait_until([&] { return hub.list(work_resource()).size() == 3; }));
  hub.report_works("cluster2", "score");
  EXPECT_TRUE(becomes(hub, "3/3 completed with no errors, 0 failed 0 timeout."));
  EXPECT_TRUE(wait_until([&] { return are_all(hub, "Available", "True ProbeAvailable"); }));
}

// Another configuration reaches all of them.
void configure(AddOnHub& hub) {
  hub.put(kSampleWithConfig);
  EXPECT_TRUE(wait_until([&] {
    return std::ranges::all_of(hub.list(work_resource()), [](const Value& work) {
      return api::read_facts(work)
                 .annotation("open-cluster-management.io/config-spec-hash")
                 .find("everything") != std::string_view::npos;
    });
  }));
  for (const std::string& cluster : kSampleClusters) hub.report_works(cluster, "score");
  EXPECT_TRUE(becomes(hub, "3/3 completed with no errors, 0 failed 0 timeout."));
  EXPECT_TRUE(wait_until([&] { return are_all(hub, "Progressing", "False Completed"); }));
}

TEST(AddOnsComparison, BerthsManagerWritesWhatOcmsWrites) {
  const auto ours = start_with(AddOnManager::Berth);
  const auto theirs = start_with(AddOnManager::Ocm);
  const auto after = [&](std::string_view step, void (*take)(AddOnHub&)) {
    for (AddOnHub* hub : {ours.get(), theirs.get()}) take(*hub);
    // Both go on writing for a while.
    std::string left;
    std::string right;
    wait_until([&] {
      left = snapshot(*ours);
      right = snapshot(*theirs);
      return left == right;
    });
    EXPECT_EQ(left, right) << step;
  };
  after("begin", begin);
  after("complete", complete);
  after("configure", configure);
}

}  // namespace
}  // namespace berth::kube
