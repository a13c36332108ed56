// Pods and the templates they are made from.

#include <string>

#include <fmt/format.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "apiserver/tables/builtin_table.h"
#include "apiserver/tables/cells.h"
#include "apiserver/tables/human_age.h"
#include "apiserver/tables/pod_summary.h"

namespace berth::apiserver {
namespace {

using json::Value;

Value ready(const Value& pod, Time /*now*/) {
  const PodSummary summary = summarize_pod(pod);
  return fmt::format("{}/{}", summary.ready, summary.containers);
}

Value status(const Value& pod, Time /*now*/) { return summarize_pod(pod).status; }

Value restarts(const Value& pod, Time now) {
  const PodSummary summary = summarize_pod(pod);
  if (summary.restarts == 0 || !summary.last_restart) return std::to_string(summary.restarts);
  return fmt::format("{} ({} ago)", summary.restarts, human_age(summary.last_restart, now));
}

Value first_ip(const Value& pod, Time /*now*/) {
  const auto addresses = at(pod, "status.podIPs").elements();
  const std::string ip = addresses.empty() ? "" : api::text_field(addresses.front(), "ip");
  return ip.empty() ? "<none>" : ip;
}

Value readiness_gates(const Value& pod, Time /*now*/) {
  const auto gates = at(pod, "spec.readinessGates").elements();
  if (gates.empty()) return "<none>";
  int open = 0;
  for (const Value& gate : gates) {
    if (api::is_condition_true(pod, api::text_field(gate, "conditionType"))) ++open;
  }
  return fmt::format("{}/{}", open, gates.size());
}

// kubectl hides rows that say so unless it is asked for all.
Value row_conditions(const Value& pod) {
  const std::string phase = text_at(pod, "status.phase");
  if (phase != "Succeeded" && phase != "Failed") return nullptr;
  const std::string_view message =
      phase == "Failed" ? "The pod failed." : "The pod has completed successfully.";
  return Value::array({Value::object(
      {{"type", "Completed"}, {"status", "True"}, {"reason", phase}, {"message", message}})});
}

Value template_names(const Value& object, Time /*now*/) {
  return container_names(at(object, "template.spec"));
}
Value template_images(const Value& object, Time /*now*/) {
  return container_images(at(object, "template.spec"));
}
Value template_labels(const Value& object, Time /*now*/) {
  return labels_text(at(object, "template.metadata.labels"));
}

constexpr BuiltinColumn kPods[] = {
    kNameColumn,
    computed_column("Ready", ready),
    computed_column("Status", status),
    computed_column("Restarts", restarts),
    kAgeColumn,
    wide(computed_column("IP", first_ip)),
    wide(text_column("Node", "spec.nodeName", "<none>")),
    wide(text_column("Nominated Node", "status.nominatedNodeName", "<none>")),
    wide(computed_column("Readiness Gates", readiness_gates))};
constexpr BuiltinColumn kPodTemplates[] = {
    kNameColumn, computed_column("Containers", template_names),
    computed_column("Images", template_images), computed_column("Pod Labels", template_labels)};

constexpr BuiltinTable kTables[] = {
    {.group = "", .kind = "Pod", .columns = kPods, .conditions = row_conditions},
    {.group = "", .kind = "PodTemplate", .columns = kPodTemplates},
};

}  // namespace

std::span<const BuiltinTable> pod_tables() { return kTables; }

}  // namespace berth::apiserver
