// Nodes: whether they are ready, what they are for, where they are.

#include <set>
#include <string>

#include "api/kinds/fields.h"
#include "apiserver/tables/builtin_table.h"
#include "apiserver/tables/cells.h"
#include "base/strings.h"

namespace berth::apiserver {
namespace {

using json::Value;

Value status(const Value& node, Time /*now*/) {
  std::string text = "Unknown";
  for (const Value& condition : at(node, "status.conditions").elements()) {
    if (api::text_field(condition, "type") != "Ready") continue;
    text = api::text_field(condition, "status") == "True" ? "Ready" : "NotReady";
  }
  if (at(node, "spec.unschedulable").as_bool().value_or(false)) text += ",SchedulingDisabled";
  return text;
}

// Labels node-role.kubernetes.io/ROLE, and the older kubernetes.io/role=ROLE.
Value roles(const Value& node, Time /*now*/) {
  constexpr std::string_view kPrefix = "node-role.kubernetes.io/";
  std::set<std::string> found;
  for (const json::Member& label : at(node, "metadata.labels").members()) {
    std::string_view role;
    if (label.name().starts_with(kPrefix)) role = label.name().substr(kPrefix.size());
    if (label.name() == "kubernetes.io/role") role = label.value.string_or_empty();
    if (!role.empty()) found.emplace(role);
  }
  if (found.empty()) return "<none>";
  return join({found.begin(), found.end()}, ",");
}

Value first_address(const Value& node, std::string_view type) {
  for (const Value& address : at(node, "status.addresses").elements()) {
    if (api::text_field(address, "type") == type) return api::text_field(address, "address");
  }
  return "<none>";
}

Value internal_ip(const Value& node, Time /*now*/) { return first_address(node, "InternalIP"); }
Value external_ip(const Value& node, Time /*now*/) { return first_address(node, "ExternalIP"); }

constexpr BuiltinColumn kNodes[] = {
    kNameColumn,
    computed_column("Status", status),
    computed_column("Roles", roles),
    kAgeColumn,
    text_column("Version", "status.nodeInfo.kubeletVersion"),
    wide(computed_column("Internal-IP", internal_ip)),
    wide(computed_column("External-IP", external_ip)),
    wide(text_column("OS-Image", "status.nodeInfo.osImage", "<unknown>")),
    wide(text_column("Kernel-Version", "status.nodeInfo.kernelVersion", "<unknown>")),
    wide(text_column("Container-Runtime", "status.nodeInfo.containerRuntimeVersion", "<unknown>"))};

constexpr BuiltinTable kTables[] = {{.group = "", .kind = "Node", .columns = kNodes}};

}  // namespace

std::span<const BuiltinTable> node_tables() { return kTables; }

}  // namespace berth::apiserver
