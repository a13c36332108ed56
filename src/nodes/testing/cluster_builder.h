// Builds nodes, pods and reservations for tests, in few words.

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "json/merge_patch.h"
#include "json/parse.h"
#include "nodes/cycle.h"
#include "nodes/profile.h"
#include "nodes/schedule.h"
#include "nodes/shapes.h"
#include "nodes/snapshot.h"

namespace berth::nodes::testing {

using json::Value;

inline Value parsed(std::string_view text) {
  auto value = json::parse(text);
  EXPECT_TRUE(value.ok()) << text;
  return value.ok() ? *std::move(value) : Value();
}

// {"cpu": "6", "memory": "8Gi", "pods": "110", "gpu": "2", "labels": {}, "taints": [],
//  "annotations": {}, "unschedulable": true}
inline Value node(std::string_view name, std::string_view extra = "{}") {
  const Value facts = parsed(extra);
  Value object = Value::object({{"apiVersion", "v1"}, {"kind", "Node"}});
  object["metadata"] = Value::object({{"name", name}, {"uid", fmt::format("uid-{}", name)}});
  object["metadata"]["labels"]["kubernetes.io/hostname"] = name;
  for (const auto& label : api::field(facts, "labels").members()) {
    object["metadata"]["labels"][label.name()] = label.value;
  }
  for (const char* field : {"annotations", "uid"}) {
    if (const Value* value = facts.find(field)) object["metadata"][field] = *value;
  }
  for (const char* field : {"taints", "unschedulable"}) {
    if (const Value* value = facts.find(field)) object["spec"][field] = *value;
  }
  Value& amounts = object["status"]["allocatable"];
  amounts = Value::object({{"cpu", "4"}, {"memory", "8Gi"}, {"pods", "110"}});
  for (const char* field : {"cpu", "memory", "pods", "example.com/gpu", "ephemeral-storage"}) {
    if (const Value* value = facts.find(field)) amounts[field] = *value;
  }
  return object;
}

// {"cpu": "1", "memory": "1Gi", "gpu": "1", "node": "n", "owner": "uid", "priority": 5,
//  "ports": [80], "labels": {}, "claim": "uid", "phase": "Failed", "spec": {...}}, in namespace ns,
// with the uid "uid-NAME".
inline Value pod(std::string_view name, std::string_view extra = "{}") {
  const Value facts = parsed(extra);
  Value object = Value::object({{"apiVersion", "v1"}, {"kind", "Pod"}});
  object["metadata"] =
      Value::object({{"name", name}, {"namespace", "ns"}, {"uid", fmt::format("uid-{}", name)}});
  if (const Value* labels = facts.find("labels")) object["metadata"]["labels"] = *labels;
  if (const Value* claim = facts.find("claim")) {
    object["metadata"]["annotations"][kClaimAnnotation] = *claim;
  }
  if (facts.find("deleting")) object["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  if (const Value* owner = facts.find("owner")) {
    object["metadata"]["ownerReferences"] = Value::array({Value::object({{"apiVersion", "apps/v1"},
                                                                         {"kind", "ReplicaSet"},
                                                                         {"name", "rs"},
                                                                         {"uid", *owner},
                                                                         {"controller", true}})});
  }
  Value container = Value::object({{"name", "c"}});
  for (const char* field : {"cpu", "memory", "example.com/gpu", "ephemeral-storage"}) {
    if (const Value* value = facts.find(field)) container["resources"]["requests"][field] = *value;
  }
  for (const Value& port : api::elements_field(facts, "ports")) {
    container["ports"].push_back(Value::object({{"hostPort", port}, {"containerPort", port}}));
  }
  object["spec"]["schedulerName"] = "berth-scheduler";
  object["spec"]["containers"] = Value::array({container});
  if (const Value* value = facts.find("node")) object["spec"]["nodeName"] = *value;
  if (const Value* value = facts.find("priority")) object["spec"]["priority"] = *value;
  for (const auto& member : api::field(facts, "spec").members()) {
    object["spec"][member.name()] = member.value;
  }
  if (const Value* phase = facts.find("phase")) object["status"]["phase"] = *phase;
  return object;
}

inline PodFacts facts_of(const Value& object) {
  auto facts = PodFacts::from_json(object);
  EXPECT_TRUE(facts.ok());
  return facts.ok() ? *std::move(facts) : PodFacts();
}

inline PendingPod pending(std::string_view name, std::string_view extra = "{}") {
  const Value object = pod(name, extra);
  return {.facts = facts_of(object), .wishes = PodWishes::from_json(object)};
}

// A hold on cpu for an owner.
inline Hold hold(std::string_view id, std::string_view node, std::string_view cpu,
                 std::string_view owner) {
  Hold made{.id = std::string(id), .name = std::string(id), .node = std::string(node)};
  made.resources.set("cpu", api::Quantity::parse(cpu).value());
  made.owner_uid = owner;
  made.priority = 0;
  return made;
}

class ClusterBuilder {
 public:
  ClusterBuilder& node(std::string_view name, std::string_view extra = "{}") {
    EXPECT_TRUE(snapshot_->put_node(testing::node(name, extra)).ok());
    return *this;
  }
  ClusterBuilder& pod(std::string_view name, std::string_view extra) {
    snapshot_->put_pod(facts_of(testing::pod(name, extra)));
    return *this;
  }
  ClusterBuilder& hold(const Hold& hold) {
    snapshot_->put_hold(hold);
    return *this;
  }
  ClusterBuilder& replica_set(std::string_view uid, std::string_view deployment) {
    snapshot_->put_owner(parsed(fmt::format(
        R"({{"metadata":{{"uid":"{}","ownerReferences":[{{"kind":"Deployment","name":"d",
           "uid":"{}","controller":true}}]}}}})",
        uid, deployment)));
    return *this;
  }

  Snapshot& snapshot() { return *snapshot_; }
  NodeSlot slot(std::string_view name) const { return snapshot_->find_node(name).value(); }

  // The node that the pod would get; "" if none.
  std::string choose(std::string_view extra) const { return choose(pending("p", extra)); }
  std::string choose(const PendingPod& pod) const {
    Shapes shapes;
    Cursor cursor;
    const Choice choice = schedule(Cycle::of(*snapshot_, pod), default_profile(), shapes, cursor);
    return choice.node ? snapshot_->name(*choice.node) : "";
  }

  // What the refusal says.
  std::string refusal(std::string_view extra) const {
    const PendingPod pod = pending("p", extra);
    return explain_refusal(Cycle::of(*snapshot_, pod), default_profile()).message;
  }

  // Which of the nodes one filter lets through, by name, and what it says about the others:
  // "a; b: Insufficient cpu". Checks that both ways of asking agree.
  std::string filtered(const Filter& filter, std::string_view extra) const {
    const PendingPod pod = pending("p", extra);
    const Cycle cycle = Cycle::of(*snapshot_, pod);
    const auto test = filter.prepare(cycle);
    std::vector<NodeSlot> nodes(snapshot_->nodes().begin(), snapshot_->nodes().end());
    std::ranges::sort(nodes, {}, [this](NodeSlot slot) { return snapshot_->name(slot); });
    std::vector<std::string> parts;
    for (const NodeSlot slot : nodes) {
      const auto objections = test ? test->objections(slot) : std::vector<Objection>();
      NodeSlot one[] = {slot};
      EXPECT_EQ(objections.empty(), !test || test->keep(one) == 1) << snapshot_->name(slot);
      std::string part = snapshot_->name(slot);
      std::string_view separator = ": ";
      for (const Objection& objection : objections) {
        part += std::string(separator) + objection.reason + (objection.is_resolvable ? "" : "!");
        separator = ", ";
      }
      parts.push_back(part);
    }
    return join(parts, "; ");
  }

  // The points of every node, by name: "a=50 b=100"; "" when the scorer has nothing to say.
  std::string scored(const Scorer& scorer, std::string_view extra) const {
    const PendingPod pod = pending("p", extra);
    std::vector<NodeSlot> nodes(snapshot_->nodes().begin(), snapshot_->nodes().end());
    std::ranges::sort(nodes, {}, [this](NodeSlot slot) { return snapshot_->name(slot); });
    std::vector<std::int64_t> points(nodes.size());
    const Cycle cycle = Cycle::of(*snapshot_, pod);
    if (!scorer.score(cycle, nodes, points)) return "";
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      parts.push_back(fmt::format("{}={}", snapshot_->name(nodes[i]), points[i]));
    }
    return join(parts, " ");
  }

 private:
  std::unique_ptr<Snapshot> snapshot_ = std::make_unique<Snapshot>();
};

}  // namespace berth::nodes::testing
