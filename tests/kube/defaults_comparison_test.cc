// What kube-apiserver stores when objects leave things out, and what we would.

#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "apiserver/defaults/defaults.h"
#include "apiserver/strategies/pod_create.h"
#include "base/random.h"
#include "json/print.h"
#include "kube/blocking_api.h"
#include "kube/objects.h"
#include "kube/oracle.h"
#include "kube/server.h"

namespace berth::kube {
namespace {

using json::Value;

// Without these most variants would be refused, and teach nothing.
bool is_needed(std::string_view name) {
  static const std::set<std::string_view> kNeeded = {"a",
                                                     "accessModes",
                                                     "clientConfig",
                                                     "conditionType",
                                                     "containerPort",
                                                     "containers",
                                                     "diskName",
                                                     "diskURI",
                                                     "exec",
                                                     "fieldPath",
                                                     "fieldRef",
                                                     "gateway",
                                                     "grpc",
                                                     "hostnames",
                                                     "httpGet",
                                                     "image",
                                                     "ip",
                                                     "iqn",
                                                     "jobTemplate",
                                                     "key",
                                                     "labels",
                                                     "lun",
                                                     "matchLabels",
                                                     "maxSkew",
                                                     "monitors",
                                                     "name",
                                                     "operator",
                                                     "path",
                                                     "port",
                                                     "postStart",
                                                     "preStop",
                                                     "reference",
                                                     "requests",
                                                     "resource",
                                                     "resourceFieldRef",
                                                     "schedule",
                                                     "secretKeyRef",
                                                     "secretRef",
                                                     "selector",
                                                     "server",
                                                     "spec",
                                                     "storage",
                                                     "system",
                                                     "targetPortal",
                                                     "tcpSocket",
                                                     "template",
                                                     "topologyKey",
                                                     "value",
                                                     "valueFrom",
                                                     "volumeClaimTemplate",
                                                     "volumeName",
                                                     "whenUnsatisfiable"};
  return kNeeded.contains(name);
}

// The same object with some of its members left out, at random. What becomes empty goes too: Go
// drops some empty values and keeps others.
Value pruned(const Value& value, Random& random, double share) {
  if (value.is_array()) {
    Value kept = Value::array();
    for (const Value& element : value.elements()) {
      const bool is_only = value.size() == 1;
      if (is_only || !random.chance(share / 2)) kept.push_back(pruned(element, random, share));
    }
    return kept;
  }
  if (!value.is_object()) return value;
  Value kept = Value::object();
  for (const json::Member& member : value.members()) {
    const bool is_dropped = random.chance(share) && !is_needed(member.name());
    if (is_dropped) continue;
    Value child = pruned(member.value, random, share);
    const bool became_empty = child.size() == 0 && member.value.size() > 0;
    if (!became_empty) kept[member.name()] = std::move(child);
  }
  return kept;
}

// Replaces "POD" by a spec wherever it stands; jobs need a policy of their own.
Value with_pod_spec(const Value& value, const Value& spec) {
  if (value.as_string() == "POD") return spec;
  if (value.is_array()) {
    Value result = Value::array();
    for (const Value& element : value.elements()) result.push_back(with_pod_spec(element, spec));
    return result;
  }
  if (!value.is_object()) return value;
  Value result = Value::object();
  for (const json::Member& member : value.members()) {
    result[member.name()] = with_pod_spec(member.value, spec);
  }
  return result;
}

// What is not a default: made by admission, allotted, or written by other strategies.
Value comparable(Value object) {
  object = without_nulls(object);
  const std::string kind = api::text_field(object, "kind");
  Value& metadata = object["metadata"];
  for (const char* name : {"uid", "creationTimestamp", "managedFields", "resourceVersion",
                           "generation", "finalizers"}) {
    metadata.erase(name);
  }
  const auto forget = [&](std::string_view part, std::initializer_list<std::string_view> names) {
    if (Value* found = object.find(part)) {
      for (const std::string_view name : names) found->erase(name);
    }
  };
  if (kind == "Namespace") forget("spec", {"finalizers"});
  if (kind == "PersistentVolume") forget("status", {"lastPhaseTransitionTime"});
  if (kind == "Node") forget("spec", {"taints"});
  if (kind == "DaemonSet") metadata.erase("annotations");
  if (kind == "Service") {
    forget("spec", {"clusterIP", "clusterIPs", "healthCheckNodePort"});
    for (Value& port : object["spec"]["ports"].elements()) port.erase("nodePort");
  }
  if (kind == "Pod") forget("spec", {"serviceAccount", "serviceAccountName"});
  return object;
}

const apiserver::PodLookups kLookups = {
    .priority_class = [](std::string_view name) -> std::optional<apiserver::PriorityClassFacts> {
      if (name != "system-node-critical") return std::nullopt;
      return apiserver::PriorityClassFacts{.name = std::string(name), .value = 2000001000};
    },
    .default_priority_class = []() -> std::optional<apiserver::PriorityClassFacts> {
      return std::nullopt;
    }};

Value stored_by_us(Value object) {
  const std::string kind = api::text_field(object, "kind");
  object = apiserver::with_defaults(collection_of(object).resource.group, kind, std::move(object));
  if (kind == "Secret") object = apiserver::with_string_data(std::move(object));
  if (kind == "Pod")
    object = apiserver::prepare_new_pod(std::move(object), kLookups, Time{}).value();
  return object;
}

// A variant with its name, its kind and, mostly, what its kind cannot do without.
Value draw_variant(const Value& object, const Value& pod_spec, Random& random) {
  const double share = random.unit() * 0.5;
  const std::string kind = api::text_field(object, "kind");
  Value spec = pruned(pod_spec, random, share);
  if (kind == "Job" || kind == "CronJob") spec["restartPolicy"] = "Never";
  if (kind != "Pod") spec.erase("activeDeadlineSeconds");
  Value variant = with_pod_spec(pruned(object, random, share), spec);
  if (kind == "Pod") variant["spec"] = std::move(spec);
  variant["apiVersion"] = *object.find("apiVersion");
  variant["kind"] = kind;
  for (const char* name : {"name", "namespace"}) {
    if (const Value* value = api::field(object, "metadata").find(name)) {
      variant["metadata"][name] = *value;
    }
  }
  return variant;
}

TEST(Defaults, AreThoseOfKubeApiserver) {
  auto server = Server::start();
  ASSERT_TRUE(server.ok()) << server.error().message;
  BlockingApi api((*server)->kubeconfig(), {.rate = {.per_second = 0}});
  const std::vector<Value> objects = read_served_objects("full", (*server)->kind());
  const Value pod_spec = *objects.front().find("spec");
  Random random(7);
  std::map<std::string, int> taken;
  std::map<std::string, std::string> refusals;
  int count = 0;
  int differences = 0;
  constexpr int kRounds = 60;
  constexpr int kShownMax = 5;
  for (int round = 0; round < kRounds; ++round) {
    for (const Value& object : objects) {
      const std::string kind = api::text_field(object, "kind");
      const Value variant = draw_variant(object, pod_spec, random);
      const auto stored =
          api.create(collection_of(object), variant, {.dry_run = client::DryRun::Yes});
      if (!stored.ok()) {
        refusals[kind] = stored.error().message;
        continue;
      }
      ++taken[kind];
      ++count;
      const Value theirs = comparable(*stored);
      const Value ours = comparable(stored_by_us(variant));
      if (theirs == ours || ++differences > kShownMax) continue;
      ADD_FAILURE() << "sent " << json::print(variant) << "\ntheirs " << json::print(theirs)
                    << "\nours   " << json::print(ours);
    }
  }
  EXPECT_EQ(differences, 0);
  RecordProperty("objects", count);
  EXPECT_GE(count, (*server)->kind() == ServerKind::EmbeddedHub ? 1000 : 1500);
  for (const Value& object : objects) {
    const std::string kind = api::text_field(object, "kind");
    EXPECT_GE(taken[kind], 5) << kind << " is mostly refused: " << refusals[kind];
  }
}

}  // namespace
}  // namespace berth::kube
