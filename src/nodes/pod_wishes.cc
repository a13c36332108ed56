#include "nodes/pod_wishes.h"

#include <string_view>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "json/print.h"

namespace berth::nodes {
namespace {

using json::Value;

constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
constexpr std::string_view kPreferred = "preferredDuringSchedulingIgnoredDuringExecution";

// Volumes whose place or number is limited by nodes.
constexpr std::string_view kPlacedVolumes[] = {"persistentVolumeClaim",
                                               "ephemeral",
                                               "gcePersistentDisk",
                                               "awsElasticBlockStore",
                                               "azureDisk",
                                               "cinder",
                                               "iscsi",
                                               "rbd"};

void look_at_volumes(const Value& spec, PodWishes& wishes) {
  for (const Value& volume : api::elements_field(spec, "volumes")) {
    for (const std::string_view kind : kPlacedVolumes) {
      if (!api::field(volume, kind).is_object()) continue;
      wishes.unsupported.push_back(
          fmt::format("volume \"{}\" ({})", api::text_field(volume, "name"), kind));
    }
  }
}

void look_at_neighbours(const Value& spec, PodWishes& wishes) {
  const Value& affinity = api::field(spec, "affinity");
  for (const std::string_view kind : {"podAffinity", "podAntiAffinity"}) {
    const Value& terms = api::field(affinity, kind);
    if (!api::elements_field(terms, kRequired).empty()) {
      wishes.unsupported.push_back(fmt::format("affinity.{}.{}", kind, kRequired));
    }
    if (!api::elements_field(terms, kPreferred).empty()) {
      wishes.unweighed.push_back(fmt::format("affinity.{}.{}", kind, kPreferred));
    }
  }
  for (const Value& constraint : api::elements_field(spec, "topologySpreadConstraints")) {
    const bool is_soft =
        api::field(constraint, "whenUnsatisfiable").string_or_empty() == "ScheduleAnyway";
    (is_soft ? wishes.unweighed : wishes.unsupported)
        .push_back(fmt::format("topologySpreadConstraints by \"{}\"",
                               api::text_field(constraint, "topologyKey")));
  }
}

void look_at_the_rest(const Value& spec, PodWishes& wishes) {
  if (!api::elements_field(spec, "resourceClaims").empty()) {
    wishes.unsupported.emplace_back("resourceClaims (dynamic resource allocation)");
  }
  for (const std::string_view field : {"workloadRef", "schedulingGroup"}) {
    if (api::field(spec, field).is_object()) wishes.unsupported.emplace_back(field);
  }
  wishes.expects_evictions = api::field(spec, "priority").as_int().value_or(0) > 0 &&
                             api::text_field(spec, "preemptionPolicy") != "Never";
}

std::string shape_of(const Value& spec) {
  std::string shape;
  for (const std::string_view field : {"nodeName", "nodeSelector", "tolerations"}) {
    shape += json::print(api::field(spec, field));
    shape += '\n';
  }
  return shape + json::print(api::field(api::field(spec, "affinity"), "nodeAffinity"));
}

}  // namespace

PodWishes PodWishes::from_json(const Value& pod) {
  const Value& spec = api::field(pod, "spec");
  PodWishes wishes{.node = api::text_field(spec, "nodeName"),
                   .labels = api::labels_field(api::field(pod, "metadata"), "labels"),
                   .match = NodeMatch::from_json(spec),
                   .tolerations = api::read_tolerations(spec.find("tolerations")),
                   .shape = shape_of(spec)};
  for (const Value& gate : api::elements_field(spec, "schedulingGates")) {
    wishes.gates.push_back(api::text_field(gate, "name"));
  }
  look_at_volumes(spec, wishes);
  look_at_neighbours(spec, wishes);
  look_at_the_rest(spec, wishes);
  return wishes;
}

}  // namespace berth::nodes
