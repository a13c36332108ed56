#include "placement/filters/taint_toleration.h"

#include <optional>

#include <fmt/format.h>

#include "api/taint.h"
#include "placement/request.h"

namespace berth::placement {
namespace {

using api::TaintEffect;

// What the placement's tolerations say to one taint.
struct Tolerance {
  bool tolerated = false;
  std::optional<Time> until = std::nullopt;  // Of the first toleration that did; none is for ever.
};

// Tried in the order of the spec; the first that holds counts, though a later one may hold longer.
Tolerance find_toleration(const Request& request, const api::Taint& taint) {
  for (const api::Toleration& toleration : request.placement.placement.tolerations) {
    if (!api::tolerates(toleration, taint)) continue;
    const std::optional<Time> end = api::toleration_end(toleration, taint);
    if (!end || request.now < *end) return {.tolerated = true, .until = end};
  }
  return {};
}

// Whether the taint keeps the cluster from being selected.
Tolerance tolerate(const Request& request, ClusterIndex cluster, const api::Taint& taint) {
  if (taint.effect == TaintEffect::PreferNoSelect) return {.tolerated = true};
  if (taint.effect == TaintEffect::NoSelectIfNew && request.is_incumbent(cluster)) {
    return {.tolerated = true};
  }
  return find_toleration(request, taint);
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

// When the first of the clusters chosen before stops being tolerated. The only time for which the
// reference sets a timer.
std::optional<Time> incumbents_tolerated_until(const Request& request) {
  std::optional<Time> until;
  for (const ClusterIndex cluster : request.past.clusters.indices()) {
    until = earlier(until, tolerate_all(request, cluster).until);
  }
  return until;
}

std::optional<std::string> find_problem(const api::Placement& placement) {
  using Operator = api::Toleration::Operator;
  for (const api::Toleration& toleration : placement.tolerations) {
    if (toleration.key.empty() && toleration.op != Operator::Exists) {
      return "If the key is empty, operator must be Exists.";
    }
    if (toleration.op == Operator::Exists && !toleration.value.empty()) {
      return "If the operator is Exists, the value should be empty.";
    }
  }
  return std::nullopt;
}

api::Toleration tolerate_for_ever(const api::Taint& taint) {
  api::Toleration toleration;
  toleration.key = taint.key;
  toleration.value = taint.value;
  toleration.effect = taint.effect;
  return toleration;
}

}  // namespace

Filtered TaintTolerationFilter::filter(const Request& request,
                                       std::span<const ClusterIndex> candidates) const {
  Filtered filtered;
  if (!candidates.empty()) filtered.misconfigured = find_problem(request.placement.placement);
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
  if (!request.options.wake_at_every_expiry) {
    filtered.valid_until = incumbents_tolerated_until(request);
  }
  return filtered;
}

Reluctance TaintTolerationFilter::reluctance(const Request& request, ClusterIndex cluster) const {
  if (!request.options.prefer_no_select) return {};
  if (!request.fleet.clusters().tainted().test(cluster)) return {};
  Reluctance reluctance;
  for (const api::Taint& taint : request.fleet.clusters()[cluster].taints) {
    if (taint.effect != TaintEffect::PreferNoSelect) continue;
    const Tolerance one = find_toleration(request, taint);
    if (!one.tolerated) return {.is_avoided = true};
    if (request.options.wake_at_every_expiry) {
      reluctance.until = earlier(reluctance.until, one.until);
    }
  }
  return reluctance;
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

std::shared_ptr<const CompiledPlacement> TaintTolerationFilter::remedied(
    const Request& request, ClusterIndex cluster) const {
  std::shared_ptr<CompiledPlacement> tolerant;
  for (const api::Taint& taint : request.fleet.clusters()[cluster].taints) {
    if (tolerate(request, cluster, taint).tolerated) continue;
    if (!tolerant) tolerant = std::make_shared<CompiledPlacement>(request.placement);
    tolerant->placement.tolerations.push_back(tolerate_for_ever(taint));
  }
  return tolerant;
}

}  // namespace berth::placement
