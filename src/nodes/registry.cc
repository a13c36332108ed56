#include "nodes/registry.h"

#include <algorithm>

#include "nodes/filters/inter_pod_affinity.h"
#include "nodes/filters/node_affinity.h"
#include "nodes/filters/node_name.h"
#include "nodes/filters/node_ports.h"
#include "nodes/filters/node_resources_fit.h"
#include "nodes/filters/node_unschedulable.h"
#include "nodes/filters/pod_reservation.h"
#include "nodes/filters/taint_toleration.h"
#include "nodes/scorers/balance.h"
#include "nodes/scorers/node_affinity_preference.h"
#include "nodes/scorers/reservation_bonus.h"
#include "nodes/scorers/taint_preference.h"

namespace berth::nodes {
namespace {

template <typename F>
std::shared_ptr<const Filter> make() {
  return std::make_shared<const F>();
}

template <typename S>
std::shared_ptr<const Scorer> make_scorer(const PluginOptions&) {
  return std::make_shared<const S>();
}

std::shared_ptr<const Scorer> make_allocation(const PluginOptions& options) {
  return std::make_shared<const Allocation>(options.allocation);
}

constexpr FilterEntry kFilters[] = {
    {"NodeUnschedulable", make<NodeUnschedulable>}, {"NodeName", make<NodeName>},
    {"TaintToleration", make<TaintToleration>},     {"NodeAffinity", make<NodeAffinity>},
    {"NodeResourcesFit", make<NodeResourcesFit>},   {"NodePorts", make<NodePorts>},
    {"PodReservation", make<PodReservation>},       {"InterPodAffinity", make<InterPodAffinity>},
};

// The weight of a reservation outdoes all others together.
constexpr ScorerEntry kScorers[] = {
    {"TaintToleration", 3, make_scorer<TaintPreference>},
    {"NodeAffinity", 2, make_scorer<NodeAffinityPreference>},
    {"NodeResourcesFit", 1, make_allocation},
    {"NodeResourcesBalancedAllocation", 1, make_scorer<Balance>},
    {"PodReservation", 20, make_scorer<ReservationBonus>},
};

constexpr std::string_view kForeign[] = {
    "DefaultBinder", "DefaultPreemption",    "DynamicResources", "GangScheduling",
    "ImageLocality", "NodeDeclaredFeatures", "NodeVolumeLimits", "PodTopologySpread",
    "PrioritySort",  "SchedulingGates",      "VolumeBinding",    "VolumeRestrictions",
    "VolumeZone"};

}  // namespace

std::span<const FilterEntry> filter_registry() { return kFilters; }

std::span<const ScorerEntry> scorer_registry() { return kScorers; }

bool is_foreign_plugin(std::string_view name) {
  return std::ranges::find(kForeign, name) != std::end(kForeign);
}

}  // namespace berth::nodes
