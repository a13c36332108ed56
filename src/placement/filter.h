// The one interface a new way of refusing clusters has to implement.

#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "placement/fleet/cluster_bits.h"
#include "placement/waking/reads.h"

namespace berth::placement {

struct CompiledPlacement;
struct Request;

struct Filtered {
  std::vector<ClusterIndex> passed = {};  // In the order of the candidates, who ascend.
  bool is_paused = false;                 // The rest comes with the run's next slice.

  // Then nothing can be chosen. `passed` is what the rest of the settings allows, or everything
  // where it says nothing: a decision that was made before may stay there.
  std::optional<std::string> misconfigured = std::nullopt;
  std::optional<Time> valid_until = std::nullopt;    // When time alone may change it.
  std::optional<std::string> remark = std::nullopt;  // What its author should know.
};

// One thing that stands against a cluster, and what would remove it.
struct Objection {
  std::string reason;  // With the actual values: `label env is "dev", not in (prod)`.
  std::string remedy;  // The smallest change: `label it env=prod`.
};

// Whether a cluster that passes should rather not be chosen.
struct Reluctance {
  bool is_avoided = false;
  std::optional<Time> until = std::nullopt;  // When time alone may change it.
};

// Pure: the answer depends on the arguments only. Implementations hold configuration, never state.
class Filter {
 public:
  virtual ~Filter() = default;

  virtual std::string_view name() const = 0;

  // What wakes the placement because this filter looks at it.
  virtual Reads reads(const CompiledPlacement& placement) const = 0;

  virtual Filtered filter(const Request& request,
                          std::span<const ClusterIndex> candidates) const = 0;

  virtual Reluctance reluctance(const Request&, ClusterIndex) const { return {}; }

  // Why the cluster does not pass; none if it does. Only asked for when somebody wants to read it.
  virtual std::vector<Objection> objections(const Request& request, ClusterIndex cluster) const = 0;

  // The placement as the remedies of these objections make it, where it is the placement that has
  // to change: it lets other clusters in, too. Null where it has not.
  virtual std::shared_ptr<const CompiledPlacement> remedied(const Request&, ClusterIndex) const {
    return nullptr;
  }
};

}  // namespace berth::placement
