// Ports of a node that pods take for themselves.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "json/value.h"

namespace berth::nodes {

struct HostPort {
  std::string protocol = "TCP";
  std::string ip = "0.0.0.0";  // This one stands for all addresses.
  std::int32_t port = 0;

  auto operator<=>(const HostPort&) const = default;
};

// Of all containers, sidecars included; sorted.
std::vector<HostPort> host_ports_of(const json::Value& pod);

// An array of {port, protocol, hostIP}, as a PodReservation has it; sorted.
std::vector<HostPort> read_host_ports(const json::Value* list);
json::Value to_json(std::span<const HostPort> ports);

bool conflicts(const HostPort& a, const HostPort& b);

// The first of `wanted` that one of `taken` conflicts with; nullptr when there is none.
const HostPort* find_conflict(std::span<const HostPort> wanted, std::span<const HostPort> taken);

}  // namespace berth::nodes
