// What the hub does about one managed cluster: its namespace, rights and lease while it is
// accepted, their end when it is not, its conditions and taints by its lease, and its removal.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "fleet/registration/removal.h"
#include "json/value.h"

namespace berth::fleet {

enum class HubKind : std::uint8_t {
  Clusters,
  Namespaces,
  Leases,
  Addons,
  Works,
  Scores,
  ClusterRoles,
  ClusterRoleBindings,
  RoleBindings,
};

HubKind kind_of(Content content);

struct HubOptions {
  // OCM leaves the namespace and the scores of a removed cluster behind.
  bool removes_everything = true;
};

// All that is known about one cluster; null: there is none.
struct ClusterSituation {
  std::string name;
  Time now;
  const json::Value* cluster = nullptr;
  const json::Value* home = nullptr;  // The namespace.
  const json::Value* lease = nullptr;
  const json::Value* role = nullptr;
  const json::Value* role_binding = nullptr;
  const json::Value* registration_binding = nullptr;
  const json::Value* work_binding = nullptr;
  std::vector<const json::Value*> addons = {};

  // When the newest renewal of the lease was seen to happen; absent for one that was there before.
  std::optional<Time> renewal_seen = std::nullopt;

  // What the namespace holds, one for each of kContents. Absent until the plan asks for it; from
  // then on home and lease are what the hub itself says, too. A cache may not show yet what was
  // made last, and what is overlooked when a cluster goes stays for ever.
  std::optional<std::vector<Remainder>> contents = std::nullopt;
};

struct ObjectChange {
  HubKind kind;
  std::optional<json::Value> before = std::nullopt;  // Absent: to be created.
  std::optional<json::Value> after = std::nullopt;   // Absent: to be deleted.
};

struct ClusterPlan {
  std::vector<ObjectChange> changes = {};  // One after the other.
  std::optional<Duration> look_again = std::nullopt;
  bool needs_contents = false;      // Nothing else is said: ask again with the contents.
  bool became_unreachable = false;  // Worth an event.
};

ClusterPlan plan_cluster(const ClusterSituation& situation, const HubOptions& options = {});

// The roles that all clusters share; needed while there are any.
std::vector<ObjectChange> plan_shared_roles(std::size_t clusters, const json::Value* registration,
                                            const json::Value* work);

}  // namespace berth::fleet
