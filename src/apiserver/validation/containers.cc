#include "apiserver/validation/containers.h"

#include <optional>
#include <set>
#include <string>

#include <fmt/format.h>

#include "api/names.h"
#include "apiserver/validation/environment.h"
#include "apiserver/validation/port_names.h"
#include "apiserver/validation/probes.h"
#include "apiserver/validation/resources.h"

namespace berth::apiserver {
namespace {

using Grace = std::optional<std::int64_t>;

void check_ports(const Place& ports, Complaints& complaints) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const Place port = ports.at(i);
    if (const Place name = port["name"]; !name.text().empty()) {
      const api::Problems problems = port_name_problems(name.text());
      complaints.check_names(name, problems);
      if (problems.empty() && !names.insert(name.text()).second) complaints.duplicate(name);
    }
    const Place number = port["containerPort"];
    if (number.number().value_or(0) == 0) {
      complaints.required(number);
    } else {
      complaints.check_port(number);
    }
    if (port["hostPort"].number().value_or(0) != 0) complaints.check_port(port["hostPort"]);
    complaints.check_one_of(port["protocol"], {"SCTP", "TCP", "UDP"});
  }
}

// Two containers cannot have the same port of their node.
void check_host_ports(const Place& container, std::set<std::string>& taken,
                      Complaints& complaints) {
  const Place ports = container["ports"];
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const Place port = ports.at(i);
    const std::int64_t number = port["hostPort"].number().value_or(0);
    if (number == 0) continue;
    std::string key =
        fmt::format("{}/{}/{}", port["protocol"].text(), port["hostIP"].text(), number);
    if (!taken.insert(key).second) complaints.duplicate(port["hostPort"], key);
  }
}

void check_common(const Place& container, const VolumeNames& volumes, Complaints& complaints) {
  const Place name = container["name"];
  if (name.text().empty()) {
    complaints.required(name);
  } else {
    complaints.check_names(name, api::check_dns1123_label(name.text()));
  }
  if (container["image"].text().empty()) complaints.required(container["image"]);
  complaints.check_one_of(container["terminationMessagePolicy"], {"File", "FallbackToLogsOnError"});
  check_ports(container["ports"], complaints);
  check_environment(container["env"], complaints);
  check_environment_sources(container["envFrom"], complaints);
  check_mounts(container, volumes, complaints);
  complaints.check_one_of(container["imagePullPolicy"], {"Always", "IfNotPresent", "Never"});
  check_resources(container["resources"], complaints);
}

void check_regular(const Place& containers, const VolumeNames& volumes, Grace grace,
                   Complaints& complaints) {
  if (containers.size() == 0) return complaints.required(containers);
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const Place container = containers.at(i);
    check_common(container, volumes, complaints);
    const Place name = container["name"];
    if (!names.insert(name.text()).second) complaints.duplicate(name, name.text());
    check_probes(container, grace, complaints);
    complaints.check_optional_one_of(container["restartPolicy"], {"Always", "Never", "OnFailure"});
  }
  std::set<std::string> host_ports;
  for (std::size_t i = 0; i < containers.size(); ++i) {
    check_host_ports(containers.at(i), host_ports, complaints);
  }
}

void check_initial(const Place& containers, const Place& regular, const VolumeNames& volumes,
                   Grace grace, Complaints& complaints) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < regular.size(); ++i) {
    const Place other = regular.at(i);
    names.insert(other["name"].text());
  }
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const Place container = containers.at(i);
    check_common(container, volumes, complaints);
    complaints.check_optional_one_of(container["restartPolicy"], {"Always", "Never", "OnFailure"});
    const Place name = container["name"];
    if (!names.insert(name.text()).second) complaints.duplicate(name, name.text());
    // They run one after the other, each with all ports to itself.
    std::set<std::string> host_ports;
    check_host_ports(container, host_ports, complaints);
    if (container["restartPolicy"].text() == "Always") {
      check_probes(container, grace, complaints);
      continue;
    }
    for (const char* part : {"lifecycle", "livenessProbe", "readinessProbe", "startupProbe"}) {
      if (!container[part].is_set()) continue;
      complaints.forbidden(container[part],
                           "may not be set for init containers without restartPolicy=Always");
    }
  }
}

}  // namespace

void check_containers(const Place& spec, const VolumeNames& volumes, Complaints& complaints) {
  const Grace grace = spec["terminationGracePeriodSeconds"].number();
  const Place regular = spec["containers"];
  check_regular(regular, volumes, grace, complaints);
  check_initial(spec["initContainers"], regular, volumes, grace, complaints);
}

}  // namespace berth::apiserver
