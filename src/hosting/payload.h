// The hosted cluster that a request asks for: what is to be created on its host.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace berth::hosting {

// What makes a hosted cluster this one and no other. It must never change: two of one identity
// would fight for the same names, addresses and cloud resources.
struct Identity {
  std::string object_namespace = {};
  std::string name = {};
  std::string infra_id = {};

  std::string key() const { return object_namespace + "/" + name; }
  bool operator==(const Identity&) const = default;
};

struct Payload {
  Identity identity = {};
  json::Value hosted_cluster = {};
  std::vector<json::Value> node_pools = {};
  std::vector<std::string> secrets = {};  // Names, in the namespace of the request.
};

inline constexpr std::string_view kPayloadNamespace = "clusters";  // HyperShift's own default.

// Fails on what no host could take, and says what to do.
Result<Payload> read_payload(const json::Value& request);

}  // namespace berth::hosting
