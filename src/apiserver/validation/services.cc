#include "apiserver/validation/services.h"

#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "api/expressions/ip_address.h"
#include "api/names.h"
#include "apiserver/validation/complaints.h"
#include "apiserver/validation/labels.h"

namespace berth::apiserver {
namespace {

bool is_headless(const Place& spec) { return spec["clusterIP"].text() == "None"; }

bool is_external(std::string_view type) { return type == "NodePort" || type == "LoadBalancer"; }

// Whether it wants an address, and which.
void check_type(const Place& spec, Complaints& complaints) {
  const std::string_view type = spec["type"].text();
  if (is_external(type) && is_headless(spec)) {
    const Place addresses = spec["clusterIPs"];
    complaints.invalid(addresses.at(0), "None",
                       fmt::format("may not be set to 'None' for {} services", type));
  }
  if (type != "ExternalName") return;
  if (spec["clusterIPs"].size() > 0) {
    complaints.forbidden(spec["clusterIPs"], "may not be set for ExternalName services");
  }
  const Place name = spec["externalName"];
  std::string_view host = name.text();
  if (host.ends_with('.')) host.remove_suffix(1);
  if (host.empty()) return complaints.required(name);
  for (const std::string& problem : api::check_dns1123_subdomain(host)) {
    complaints.invalid(name, host, problem);
  }
}

void check_port(const Place& port, bool needs_name, std::set<std::string_view>& names,
                Complaints& complaints) {
  const Place name = port["name"];
  if (!name.text().empty()) {
    complaints.check_names(name, api::check_dns1123_label(name.text()));
    if (!names.insert(name.text()).second) complaints.duplicate(name);
  } else if (needs_name) {
    complaints.required(name);
  }
  complaints.check_port(port["port"]);
  complaints.check_one_of(port["protocol"], {"SCTP", "TCP", "UDP"});
  complaints.check_port(port["targetPort"]);
  if (const Place protocol = port["appProtocol"]; protocol.is_set()) {
    complaints.check_names(protocol, api::check_qualified_name(protocol.text()));
  }
}

void check_ports(const Place& ports, Complaints& complaints) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    check_port(ports.at(i), ports.size() > 1, names, complaints);
  }
}

// Each pair of protocol and number once, inside and on the nodes.
void check_repeated_ports(const Place& ports, Complaints& complaints) {
  using Key = std::pair<std::string_view, std::int64_t>;
  std::set<Key> on_nodes;
  std::set<Key> inside;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const Place port = ports.at(i);
    const std::int64_t number = port["nodePort"].number().value_or(0);
    if (number == 0) continue;
    if (!on_nodes.emplace(port["protocol"].text(), number).second) {
      complaints.duplicate(port["nodePort"]);
    }
  }
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const Place port = ports.at(i);
    if (!inside.emplace(port["protocol"].text(), port["port"].number().value_or(0)).second) {
      complaints.duplicate(port);
    }
  }
}

void check_address(const Place& spec, Complaints& complaints) {
  const std::string_view address = spec["clusterIP"].text();
  if (address.empty() || address == "None" || api::IpAddress::parse(address).has_value()) return;
  const Place addresses = spec["clusterIPs"];
  complaints.invalid(addresses.at(0), address,
                     "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
}

void check_traffic(const Place& spec, Complaints& complaints) {
  const Place policy = spec["externalTrafficPolicy"];
  const std::string_view type = spec["type"].text();
  const bool is_reachable =
      is_external(type) || (type == "ClusterIP" && spec["externalIPs"].size() > 0);
  if (!is_reachable && !policy.text().empty()) {
    complaints.invalid(policy, "may only be set for externally-accessible services");
  } else if (is_reachable) {
    complaints.check_one_of(policy, {"Cluster", "Local"});
  }
  complaints.check_optional_one_of(spec["internalTrafficPolicy"], {"Cluster", "Local"});
}

}  // namespace

std::vector<Cause> validate_service(const json::Value& object, const json::Value* /*old*/) {
  Complaints complaints;
  const Place root(object);
  const Place spec = root["spec"];
  const Place ports = spec["ports"];
  const std::string_view type = spec["type"].text();
  if (ports.size() == 0 && !is_headless(spec) && type != "ExternalName") {
    complaints.required(ports);
  }
  check_type(spec, complaints);
  check_ports(ports, complaints);
  check_labels(spec["selector"], complaints);
  complaints.check_one_of(spec["sessionAffinity"], {"ClientIP", "None"});
  if (type != "ExternalName") check_address(spec, complaints);
  complaints.check_one_of(spec["type"], {"ClusterIP", "ExternalName", "LoadBalancer", "NodePort"});
  for (std::size_t i = 0; type == "ClusterIP" && i < ports.size(); ++i) {
    const Place port = ports.at(i);
    if (port["nodePort"].number().value_or(0) == 0) continue;
    complaints.forbidden(port["nodePort"], "may not be used when `type` is 'ClusterIP'");
  }
  check_repeated_ports(ports, complaints);
  check_traffic(spec, complaints);
  return complaints.take();
}

}  // namespace berth::apiserver
