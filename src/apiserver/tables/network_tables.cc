// Services, what stands behind them, and what may reach them.

#include <set>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "apiserver/tables/builtin_table.h"
#include "apiserver/tables/cells.h"
#include "base/strings.h"

namespace berth::apiserver {
namespace {

using json::Value;

// The addresses that a load balancer was given: each once, sorted.
std::string ingress_text(const Value& object) {
  std::set<std::string> addresses;
  for (const Value& ingress : at(object, "status.loadBalancer.ingress").elements()) {
    std::string address = api::text_field(ingress, "ip");
    if (address.empty()) address = api::text_field(ingress, "hostname");
    if (!address.empty()) addresses.insert(std::move(address));
  }
  return join({addresses.begin(), addresses.end()}, ",");
}

Value cluster_ip(const Value& service, Time /*now*/) {
  const auto addresses = at(service, "spec.clusterIPs").elements();
  return addresses.empty() ? "<none>" : addresses.front().string_or_empty();
}

Value external_ip(const Value& service, Time /*now*/) {
  const std::string type = text_at(service, "spec.type");
  const std::string external = joined_at(service, "spec.externalIPs", ",");
  if (type == "ExternalName") return text_at(service, "spec.externalName");
  if (type == "ClusterIP" || type == "NodePort") return external.empty() ? "<none>" : external;
  if (type != "LoadBalancer") return "<unknown>";
  const std::string given = ingress_text(service);
  if (given.empty()) return external.empty() ? "<pending>" : external;
  return external.empty() ? given : given + "," + external;
}

Value service_ports(const Value& service, Time /*now*/) {
  std::vector<std::string> ports;
  for (const Value& port : at(service, "spec.ports").elements()) {
    std::string text = std::to_string(integer_at(port, "port"));
    if (const auto node_port = integer_at(port, "nodePort"); node_port > 0) {
      text += fmt::format(":{}", node_port);
    }
    ports.push_back(fmt::format("{}/{}", text, api::text_field(port, "protocol")));
  }
  return ports.empty() ? "<none>" : join(ports, ",");
}

Value service_selector(const Value& service, Time /*now*/) {
  return labels_text(at(service, "spec.selector"));
}

std::string host_and_port(const std::string& host, std::int64_t port) {
  const bool is_v6 = host.find_first_of(":%") != std::string::npos;
  return is_v6 ? fmt::format("[{}]:{}", host, port) : fmt::format("{}:{}", host, port);
}

Value endpoints(const Value& object, Time /*now*/) {
  const auto subsets = at(object, "subsets").elements();
  if (subsets.empty()) return "<none>";
  std::vector<std::string> all;
  for (const Value& subset : subsets) {
    const auto addresses = api::elements_field(subset, "addresses");
    const auto ports = api::elements_field(subset, "ports");
    for (const Value& port : ports) {
      for (const Value& address : addresses) {
        all.push_back(host_and_port(api::text_field(address, "ip"), integer_at(port, "port")));
      }
    }
    if (!ports.empty()) continue;  // A headless service may have none.
    for (const Value& address : addresses) all.push_back(api::text_field(address, "ip"));
  }
  return with_more(all);
}

Value unless_empty(std::string text) { return text.empty() ? "<unset>" : text; }

Value slice_ports(const Value& slice, Time /*now*/) {
  std::vector<std::string> ports;
  for (const Value& port : at(slice, "ports").elements()) {
    const auto number = api::integer_field(port, "port");
    const auto name = api::field(port, "name").as_string();
    ports.push_back(number ? std::to_string(*number) : std::string(name.value_or("*")));
  }
  return unless_empty(with_more(ports));
}

Value slice_endpoints(const Value& slice, Time /*now*/) {
  std::vector<std::string> all;
  for (const Value& endpoint : at(slice, "endpoints").elements()) {
    for (std::string& address : api::texts_field(endpoint, "addresses")) {
      all.push_back(std::move(address));
    }
  }
  return unless_empty(with_more(all));
}

Value pod_selector(const Value& policy, Time /*now*/) {
  return selector_text(at(policy, "spec.podSelector"));
}

// Rules without a host count among the "more" but are not shown.
Value hosts(const Value& ingress, Time /*now*/) {
  const auto rules = at(ingress, "spec.rules").elements();
  std::vector<std::string> shown;
  bool has_more = false;
  for (const Value& rule : rules) {
    has_more = has_more || shown.size() == kShownMax;
    const std::string host = api::text_field(rule, "host");
    if (!has_more && !host.empty()) shown.push_back(host);
  }
  if (shown.empty()) return "*";
  if (!has_more) return join(shown, ",");
  return fmt::format("{} + {} more...", join(shown, ","), rules.size() - kShownMax);
}

Value ingress_addresses(const Value& ingress, Time /*now*/) { return ingress_text(ingress); }

Value ingress_ports(const Value& ingress, Time /*now*/) {
  return at(ingress, "spec.tls").size() > 0 ? "80, 443" : "80";
}

Value class_parameters(const Value& ingress_class, Time /*now*/) {
  const Value& parameters = at(ingress_class, "spec.parameters");
  if (!parameters.is_object()) return "<none>";
  std::string kind = api::text_field(parameters, "kind");
  if (const auto group = api::field(parameters, "apiGroup").as_string()) {
    kind += fmt::format(".{}", *group);
  }
  return fmt::format("{}/{}", kind, api::text_field(parameters, "name"));
}

constexpr BuiltinColumn kServices[] = {kNameColumn,
                                       text_column("Type", "spec.type"),
                                       computed_column("Cluster-IP", cluster_ip),
                                       computed_column("External-IP", external_ip),
                                       computed_column("Port(s)", service_ports),
                                       kAgeColumn,
                                       wide(computed_column("Selector", service_selector))};
constexpr BuiltinColumn kEndpoints[] = {kNameColumn, computed_column("Endpoints", endpoints),
                                        kAgeColumn};
constexpr BuiltinColumn kSlices[] = {kNameColumn, text_column("AddressType", "addressType"),
                                     computed_column("Ports", slice_ports),
                                     computed_column("Endpoints", slice_endpoints), kAgeColumn};
constexpr BuiltinColumn kPolicies[] = {kNameColumn, computed_column("Pod-Selector", pod_selector),
                                       kAgeColumn};
constexpr BuiltinColumn kIngresses[] = {kNameColumn,
                                        optional_column("Class", "spec.ingressClassName", "<none>"),
                                        computed_column("Hosts", hosts),
                                        computed_column("Address", ingress_addresses),
                                        computed_column("Ports", ingress_ports),
                                        kAgeColumn};
constexpr BuiltinColumn kIngressClasses[] = {
    kNameColumn, text_column("Controller", "spec.controller"),
    computed_column("Parameters", class_parameters), kAgeColumn};

constexpr BuiltinTable kTables[] = {
    {.group = "", .kind = "Service", .columns = kServices},
    {.group = "", .kind = "Endpoints", .columns = kEndpoints},
    {.group = "discovery.k8s.io", .kind = "EndpointSlice", .columns = kSlices},
    {.group = "networking.k8s.io", .kind = "NetworkPolicy", .columns = kPolicies},
    {.group = "networking.k8s.io", .kind = "Ingress", .columns = kIngresses},
    {.group = "networking.k8s.io", .kind = "IngressClass", .columns = kIngressClasses},
};

}  // namespace

std::span<const BuiltinTable> network_tables() { return kTables; }

}  // namespace berth::apiserver
