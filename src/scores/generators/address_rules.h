// Where a measurement may connect to. Whoever may write a generator can make the agent, which runs
// inside a cluster's network, open connections: it must not become a way into that network or to
// the machine's credentials.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/expressions/ip_address.h"
#include "base/result.h"

namespace berth::scores {

struct AddressRules {
  // Loopback, private and own addresses that may be measured. Link-local addresses, those of
  // metadata services and what is no single machine stay forbidden whatever this says.
  std::vector<api::IpNetwork> allowed = {};

  // Where the cluster's own nodes, pods and services live. Nobody has said: every private range may
  // be that.
  std::optional<std::vector<api::IpNetwork>> own = std::nullopt;
};

// Ok, or Forbidden with what to do about it. IPv4 addresses inside IPv6 ones count as themselves.
Status check_address(const api::IpAddress& address, const AddressRules& rules);

// "10.0.0.0/8" or a single address, each; the error names the one that is neither.
Result<std::vector<api::IpNetwork>> read_networks(const std::vector<std::string>& texts);

}  // namespace berth::scores
