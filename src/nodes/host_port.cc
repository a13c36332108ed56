#include "nodes/host_port.h"

#include <algorithm>
#include <string_view>

#include "api/kinds/fields.h"

namespace berth::nodes {
namespace {

constexpr std::string_view kAnyAddress = "0.0.0.0";
constexpr std::int32_t kPortMax = 65535;

// Nothing for what is no port of a node.
void add_port(const json::Value& entry, std::string_view number, std::vector<HostPort>& ports) {
  const std::int32_t port = api::int32_field(entry, number).value_or(0);
  if (port <= 0 || port > kPortMax) return;
  HostPort read{.port = port};
  if (const std::string text = api::text_field(entry, "protocol"); !text.empty()) {
    read.protocol = text;
  }
  if (const std::string text = api::text_field(entry, "hostIP"); !text.empty()) read.ip = text;
  ports.push_back(std::move(read));
}

bool is_sidecar(const json::Value& container) {
  return api::field(container, "restartPolicy").string_or_empty() == "Always";
}

}  // namespace

std::vector<HostPort> host_ports_of(const json::Value& pod) {
  std::vector<HostPort> ports;
  const json::Value& spec = api::field(pod, "spec");
  const auto add_all = [&ports](const json::Value& container) {
    for (const json::Value& port : api::elements_field(container, "ports")) {
      add_port(port, "hostPort", ports);
    }
  };
  for (const json::Value& container : api::elements_field(spec, "containers")) add_all(container);
  for (const json::Value& container : api::elements_field(spec, "initContainers")) {
    if (is_sidecar(container)) add_all(container);
  }
  std::ranges::sort(ports);
  return ports;
}

std::vector<HostPort> read_host_ports(const json::Value* list) {
  std::vector<HostPort> ports;
  if (!list) return ports;
  for (const json::Value& entry : list->elements()) add_port(entry, "port", ports);
  std::ranges::sort(ports);
  return ports;
}

json::Value to_json(std::span<const HostPort> ports) {
  json::Value list = json::Value::array();
  for (const HostPort& port : ports) {
    list.push_back(json::Value::object(
        {{"port", port.port}, {"protocol", port.protocol}, {"hostIP", port.ip}}));
  }
  return list;
}

bool conflicts(const HostPort& a, const HostPort& b) {
  if (a.port != b.port || a.protocol != b.protocol) return false;
  return a.ip == b.ip || a.ip == kAnyAddress || b.ip == kAnyAddress;
}

const HostPort* find_conflict(std::span<const HostPort> wanted, std::span<const HostPort> taken) {
  for (const HostPort& port : wanted) {
    const bool is_taken = std::ranges::any_of(
        taken, [&port](const HostPort& other) { return conflicts(port, other); });
    if (is_taken) return &port;
  }
  return nullptr;
}

}  // namespace berth::nodes
