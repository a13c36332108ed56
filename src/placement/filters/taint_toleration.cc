#include "placement/filters/taint_toleration.h"

#include <fmt/format.h>

#include "placement/request.h"

namespace berth::placement {
namespace {

using api::TaintEffect;

// Tried in the order of the spec; the first that holds counts, though a later one may hold longer.
Tolerance find_toleration(const Request& request, const api::Taint& taint) {
  for (const api::Toleration& toleration : request.placement.placement.tolerations) {
    if (!api::tolerates(toleration, taint)) continue;
    const std::optional<Time> end = api::toleration_end(toleration, taint);
    if (!end || request.now < *end) return {.tolerated = true, .until = end};
  }
  return {};
}

// Over all taints of the cluster.
Tolerance tolerate_all(const Request& request, ClusterIndex cluster) {
  Tolerance all{.tolerated = true};
  for (const api::Taint& taint : request.fleet.clusters()[cluster].taints) {
    const Tolerance one = tolerate(request, cluster, taint);
    if (!one.tolerated) return {};
    all.until = earlier(all.until, one.until);
  }
  return all;
}

}  // namespace

Tolerance tolerate(const Request& request, ClusterIndex cluster, const api::Taint& taint) {
  if (taint.effect == TaintEffect::PreferNoSelect) return {.tolerated = true};
  if (taint.effect == TaintEffect::NoSelectIfNew && request.is_incumbent(cluster)) {
    return {.tolerated = true};
  }
  return find_toleration(request, taint);
}

Tolerance tolerate_preferences(const Request& request, ClusterIndex cluster) {
  Tolerance all{.tolerated = true};
  for (const api::Taint& taint : request.fleet.clusters()[cluster].taints) {
    if (taint.effect != TaintEffect::PreferNoSelect) continue;
    const Tolerance one = find_toleration(request, taint);
    if (!one.tolerated) return {};
    all.until = earlier(all.until, one.until);
  }
  return all;
}

std::optional<Time> incumbents_tolerated_until(const Request& request) {
  std::optional<Time> until;
  for (const ClusterIndex cluster : request.past.clusters.indices()) {
    until = earlier(until, tolerate_all(request, cluster).until);
  }
  return until;
}

Filtered TaintTolerationFilter::filter(const Request& request,
                                       std::span<const ClusterIndex> candidates) const {
  Filtered filtered;
  if (!candidates.empty()) filtered.misconfigured = request.placement.toleration_problem;
  const ClusterBits& tainted = request.fleet.clusters().tainted();
  filtered.passed.reserve(candidates.size());
  for (const ClusterIndex cluster : candidates) {
    if (!tainted.test(cluster)) {
      filtered.passed.push_back(cluster);
      continue;
    }
    const Tolerance tolerance = tolerate_all(request, cluster);
    if (!tolerance.tolerated) continue;
    filtered.passed.push_back(cluster);
    if (request.options.wake_at_every_expiry) {
      filtered.valid_until = earlier(filtered.valid_until, tolerance.until);
    }
  }
  return filtered;
}

std::vector<Objection> TaintTolerationFilter::objections(const Request& request,
                                                         ClusterIndex cluster) const {
  std::vector<Objection> objections;
  for (const api::Taint& taint : request.fleet.clusters()[cluster].taints) {
    if (tolerate(request, cluster, taint).tolerated) continue;
    bool was_tolerated = false;
    for (const api::Toleration& toleration : request.placement.placement.tolerations) {
      was_tolerated = was_tolerated || api::tolerates(toleration, taint);
    }
    const std::string text = api::to_string(taint);
    objections.push_back(
        {.reason = fmt::format("taint {} is {}", text,
                               was_tolerated ? "no longer tolerated" : "not tolerated"),
         .remedy = fmt::format("{} for {}", was_tolerated ? "a longer toleration" : "a toleration",
                               text)});
  }
  return objections;
}

}  // namespace berth::placement
