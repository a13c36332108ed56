#include "apiserver/validation/pod_spec.h"

#include <limits>
#include <utility>

#include <fmt/format.h>

#include "api/names.h"
#include "apiserver/validation/containers.h"
#include "apiserver/validation/labels.h"
#include "apiserver/validation/scheduling.h"
#include "base/strings.h"

namespace berth::apiserver {
namespace {

enum class In : std::uint8_t { Pod, Template };

// A pod in the network of its node has the ports of its node.
void check_host_network(const Place& spec, In where, Complaints& complaints) {
  if (!spec["hostNetwork"].is_true()) return;
  const Place containers = spec["containers"];
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const Place container = containers.at(i);
    const Place ports = container["ports"];
    for (std::size_t j = 0; j < ports.size(); ++j) {
      const Place port = ports.at(j);
      const std::int64_t host = port["hostPort"].number().value_or(0);
      const bool counts = where == In::Pod || host != 0;
      if (counts && host != port["containerPort"].number().value_or(0)) {
        complaints.invalid(port["hostPort"], host,
                           "must match `containerPort` when `hostNetwork` is true");
      }
    }
  }
}

void check_name_of(const Place& place, api::Problems (*rule)(std::string_view),
                   Complaints& complaints) {
  if (!place.text().empty()) complaints.check_names(place, rule(place.text()));
}

void check_deadline(const Place& deadline, Complaints& complaints) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int32_t>::max();
  if (!deadline.is_set()) return;
  const std::int64_t seconds = deadline.number().value_or(0);
  if (seconds >= 1 && seconds <= kMax) return;
  complaints.invalid(deadline, fmt::format("must be between 1 and {}, inclusive", kMax));
}

void check_spec(const Place& spec, In where, const VolumeNames& claims, Complaints& complaints) {
  VolumeNames volumes = check_volumes(spec["volumes"], complaints);
  volumes.insert(claims.begin(), claims.end());
  check_containers(spec, volumes, complaints);
  check_host_network(spec, where, complaints);
  complaints.check_one_of(spec["restartPolicy"], {"Always", "OnFailure", "Never"});
  complaints.check_one_of(spec["dnsPolicy"],
                          {"ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"});
  check_labels(spec["nodeSelector"], complaints);
  check_scheduling(spec, complaints);
  check_name_of(spec["serviceAccountName"], api::check_dns1123_subdomain, complaints);
  check_name_of(spec["nodeName"], api::check_dns1123_subdomain, complaints);
  check_deadline(spec["activeDeadlineSeconds"], complaints);
  check_name_of(spec["hostname"], api::check_dns1123_label, complaints);
  check_name_of(spec["subdomain"], api::check_dns1123_label, complaints);
  check_name_of(spec["priorityClassName"], api::check_dns1123_subdomain, complaints);
  check_name_of(spec["runtimeClassName"], api::check_dns1123_subdomain, complaints);
  complaints.check_optional_one_of(spec["preemptionPolicy"], {"PreemptLowerPriority", "Never"});
}

// Only in pods: templates with such images are as old as templates are.
void check_blanks(const Place& containers, Complaints& complaints) {
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const Place container = containers.at(i);
    const std::string_view image = container["image"].text();
    if (trim(image).size() == image.size()) continue;
    complaints.invalid(container["image"], "must not have leading or trailing whitespace");
  }
}

}  // namespace

std::vector<Cause> validate_pod(const json::Value& pod, const json::Value* /*old*/) {
  Complaints complaints;
  const Place root(pod);
  const Place spec = root["spec"];
  check_spec(spec, In::Pod, {}, complaints);
  check_blanks(spec["containers"], complaints);
  check_blanks(spec["initContainers"], complaints);
  return complaints.take();
}

void check_template(const Place& part, Complaints& complaints, const VolumeNames& claims) {
  const Place metadata = part["metadata"];
  // The reference leaves the metadata out of these two paths.
  Complaints about_metadata;
  check_labels(metadata["labels"], about_metadata);
  check_annotations(metadata["annotations"], about_metadata);
  const std::string here = part.path();
  for (Cause& cause : about_metadata.take()) {
    cause.field = here + cause.field.substr(metadata.path().size());
    complaints.add(std::move(cause));
  }
  const Place spec = part["spec"];
  // Nothing filled in the usual values there.
  if (!spec.is_set()) return complaints.required(spec["containers"]);
  check_spec(spec, In::Template, claims, complaints);
  if (spec["ephemeralContainers"].size() > 0) {
    complaints.forbidden(spec["ephemeralContainers"],
                         "ephemeral containers not allowed in pod template");
  }
}

std::vector<Cause> validate_pod_template(const json::Value& object, const json::Value* /*old*/) {
  Complaints complaints;
  const Place root(object);
  check_template(root["template"], complaints);
  return complaints.take();
}

}  // namespace berth::apiserver
