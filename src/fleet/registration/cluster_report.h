// What an agent tells about its cluster: the status of its ManagedCluster on the hub.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "api/conditions.h"
#include "api/resource_list.h"
#include "base/time.h"
#include "json/value.h"

namespace berth::fleet {

// What all nodes have together; what those have that take new pods. A node whose amounts cannot be
// read does not count.
struct ClusterResources {
  api::ResourceList capacity = {};
  api::ResourceList allocatable = {};
};
ClusterResources sum_of_nodes(std::span<const json::Value* const> nodes);

// What the server of the cluster answered when asked how it is.
struct ProbeAnswer {
  int status = 0;         // Of HTTP; 0: none came.
  std::string text = {};  // The body, or why there is none.

  bool is_ok() const { return status == 200; }
};

// A failure counts only when it has lasted: servers restart.
class Health {
 public:
  enum class Verdict : std::uint8_t { Available, Unavailable, Undecided };

  Verdict on_probe(const ProbeAnswer& answer, Instant now);

  // When to ask again.
  Duration next_probe(Duration period) const;

 private:
  std::optional<Instant> failing_since_ = std::nullopt;
};

struct ClusterReport {
  Health::Verdict health = Health::Verdict::Undecided;
  ProbeAnswer probe = {};
  std::string version = {};  // Of Kubernetes; empty: not known.
  ClusterResources resources = {};
  json::Value claims = {};                                   // Null: not known.
  std::optional<api::Condition> certificate = std::nullopt;  // About its rotation.
};

// The cluster with the report in its status. As it was while the hub has not accepted it, and while
// its clock is known to be wrong: what it would say about times could not be trusted.
json::Value with_report(const json::Value& cluster, const ClusterReport& report, Time now);

// The lease as its agent renews it.
json::Value renewed_lease(json::Value lease, Time now);

// How long until the next renewal: the duration and up to a quarter more, by a draw in [0, 1).
Duration lease_pause(const json::Value& cluster, double draw);

}  // namespace berth::fleet
