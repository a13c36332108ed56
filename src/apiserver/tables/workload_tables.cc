// What keeps pods running: deployments, their replica sets, stateful and daemon sets.

#include <string>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "apiserver/tables/builtin_table.h"
#include "apiserver/tables/cells.h"
#include "base/strings.h"

namespace berth::apiserver {
namespace {

using json::Value;

Value names(const Value& object, Time /*now*/) {
  return container_names(at(object, "spec.template.spec"));
}
Value images(const Value& object, Time /*now*/) {
  return container_images(at(object, "spec.template.spec"));
}
Value selector(const Value& object, Time /*now*/) {
  return selector_text(at(object, "spec.selector"));
}
Value plain_selector(const Value& object, Time /*now*/) {
  return labels_text(at(object, "spec.selector"));
}

// Deployments have their own words for a selector that says nothing or is none.
Value deployment_selector(const Value& deployment, Time /*now*/) {
  const std::string text = selector_text(at(deployment, "spec.selector"));
  if (text == "<none>") return "";
  return text == "<error>" ? "<invalid>" : text;
}

Value ready_of_desired(const Value& object, Time /*now*/) {
  return fmt::format("{}/{}", integer_at(object, "status.readyReplicas"),
                     integer_at(object, "spec.replicas"));
}

Value node_selector(const Value& daemon_set, Time /*now*/) {
  return labels_text(at(daemon_set, "spec.template.spec.nodeSelector"));
}

// "statefulset.apps/web"
Value controller(const Value& revision, Time /*now*/) {
  for (const Value& owner : at(revision, "metadata.ownerReferences").elements()) {
    if (!api::field(owner, "controller").as_bool().value_or(false)) continue;
    const std::string api_version = api::text_field(owner, "apiVersion");
    const std::size_t slash = api_version.find('/');
    std::string kind = api::text_field(owner, "kind");
    if (slash != std::string::npos) kind += "." + api_version.substr(0, slash);
    return fmt::format("{}/{}", lower_ascii(kind), api::text_field(owner, "name"));
  }
  return "<none>";
}

constexpr BuiltinColumn kNames = wide(computed_column("Containers", names));
constexpr BuiltinColumn kImages = wide(computed_column("Images", images));
constexpr BuiltinColumn kDesired = integer_column("Desired", "spec.replicas");
constexpr BuiltinColumn kCurrent = integer_column("Current", "status.replicas");
constexpr BuiltinColumn kReady = integer_column("Ready", "status.readyReplicas");

constexpr BuiltinColumn kReplicationControllers[] = {
    kNameColumn, kDesired, kCurrent, kReady,
    kAgeColumn,  kNames,   kImages,  wide(computed_column("Selector", plain_selector))};
constexpr BuiltinColumn kReplicaSets[] = {
    kNameColumn, kDesired, kCurrent, kReady,
    kAgeColumn,  kNames,   kImages,  wide(computed_column("Selector", selector))};
constexpr BuiltinColumn kDeployments[] = {
    kNameColumn,
    computed_column("Ready", ready_of_desired),
    typed("string", integer_column("Up-to-date", "status.updatedReplicas")),
    typed("string", integer_column("Available", "status.availableReplicas")),
    kAgeColumn,
    kNames,
    kImages,
    wide(computed_column("Selector", deployment_selector))};
constexpr BuiltinColumn kStatefulSets[] = {kNameColumn, computed_column("Ready", ready_of_desired),
                                           kAgeColumn, kNames, kImages};
constexpr BuiltinColumn kDaemonSets[] = {
    kNameColumn,
    integer_column("Desired", "status.desiredNumberScheduled"),
    integer_column("Current", "status.currentNumberScheduled"),
    integer_column("Ready", "status.numberReady"),
    integer_column("Up-to-date", "status.updatedNumberScheduled"),
    integer_column("Available", "status.numberAvailable"),
    computed_column("Node Selector", node_selector),
    kAgeColumn,
    kNames,
    kImages,
    wide(computed_column("Selector", selector))};
constexpr BuiltinColumn kControllerRevisions[] = {
    kNameColumn, computed_column("Controller", controller),
    typed("string", integer_column("Revision", "revision")), kAgeColumn};
constexpr BuiltinColumn kScales[] = {kNameColumn, kDesired,
                                     integer_column("Available", "status.replicas"), kAgeColumn};

constexpr BuiltinTable kTables[] = {
    {.group = "", .kind = "ReplicationController", .columns = kReplicationControllers},
    {.group = "apps", .kind = "ReplicaSet", .columns = kReplicaSets},
    {.group = "apps", .kind = "Deployment", .columns = kDeployments},
    {.group = "apps", .kind = "StatefulSet", .columns = kStatefulSets},
    {.group = "apps", .kind = "DaemonSet", .columns = kDaemonSets},
    {.group = "apps", .kind = "ControllerRevision", .columns = kControllerRevisions},
    {.group = "autoscaling", .kind = "Scale", .columns = kScales},
};

}  // namespace

std::span<const BuiltinTable> workload_tables() { return kTables; }

}  // namespace berth::apiserver
