// Tested by placement/placement_controller_test.cc.
#include "placement/fleet/watched_kinds.h"

#include "base/check.h"

namespace berth::placement {

api::Gvr resource_of(Watched kind) {
  constexpr const char* kGroup = "cluster.open-cluster-management.io";
  switch (kind) {
    case Watched::Clusters:
      return {kGroup, "v1", "managedclusters"};
    case Watched::Sets:
      return {kGroup, "v1beta2", "managedclustersets"};
    case Watched::Bindings:
      return {kGroup, "v1beta2", "managedclustersetbindings"};
    case Watched::Scores:
      return {kGroup, "v1alpha1", "addonplacementscores"};
    case Watched::Placements:
      return {kGroup, "v1beta1", "placements"};
    case Watched::Decisions:
      return {kGroup, "v1beta1", "placementdecisions"};
  }
  CHECK(false);
}

std::vector<WatchedResource> resources_of(std::span<const Watched> kinds) {
  std::vector<WatchedResource> resources;
  for (const Watched kind : kinds) resources.emplace_back(kind, resource_of(kind));
  return resources;
}

}  // namespace berth::placement
