// The one interface a new way of refusing clusters has to implement.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "placement/cluster_bits.h"

namespace berth::placement {

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

// Pure: the answer depends on the arguments only. Implementations hold configuration, never state.
class Filter {
 public:
  virtual ~Filter() = default;

  virtual std::string_view name() const = 0;
  virtual Filtered filter(const Request& request,
                          std::span<const ClusterIndex> candidates) const = 0;

  // Why the cluster does not pass; none if it does. Only asked for when somebody wants to read it.
  virtual std::vector<Objection> objections(const Request& request, ClusterIndex cluster) const = 0;
};

}  // namespace berth::placement
