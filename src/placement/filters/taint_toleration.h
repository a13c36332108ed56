// Keeps the clusters whose taints the placement tolerates.

#pragma once

#include <optional>

#include "api/taint.h"
#include "placement/filter.h"

namespace berth::placement {

// What the placement's tolerations say to one taint.
struct Tolerance {
  bool tolerated = false;
  std::optional<Time> until = std::nullopt;  // Of the first toleration that did; none is for ever.
};

class TaintTolerationFilter final : public Filter {
 public:
  std::string_view name() const override { return "TaintToleration"; }
  Filtered filter(const Request& request, std::span<const ClusterIndex> candidates) const override;
  std::vector<Objection> objections(const Request& request, ClusterIndex cluster) const override;
};

// Whether the taint keeps the cluster from being selected. PreferNoSelect never does, and
// NoSelectIfNew does not for a cluster that is in the decisions already.
Tolerance tolerate(const Request& request, ClusterIndex cluster, const api::Taint& taint);

// Whether the cluster should rather not be selected: a PreferNoSelect taint without a toleration.
// `tolerated` is false when it should not.
Tolerance tolerate_preferences(const Request& request, ClusterIndex cluster);

// When the first of the clusters chosen before stops being tolerated. The only time for which the
// reference sets a timer.
std::optional<Time> incumbents_tolerated_until(const Request& request);

}  // namespace berth::placement
