// Where the kinds that the add-on manager follows are served, and how it looks things up in their
// caches.

#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "client/resource.h"
#include "client/store.h"
#include "control/followed_service.h"
#include "fleet/addons/config.h"
#include "fleet/addons/placement_view.h"

namespace berth::fleet {

enum class AddOnResource : std::uint8_t {
  AddOns,   // ClusterManagementAddOn
  Managed,  // ManagedClusterAddOn
  Templates,
  Configs,  // AddOnDeploymentConfig
  Placements,
  Decisions,
  Clusters,
  Works,
  Bindings,
  Requests,  // CertificateSigningRequest
};

client::Gvr resource_of(AddOnResource kind);

using AddOnFollowed = control::Followed<AddOnResource>;
using FollowedResource = std::pair<AddOnResource, client::Gvr>;
std::vector<FollowedResource> resources_of(std::span<const AddOnResource> kinds);

// The ManagedClusterAddOns of that name, by cluster.
std::map<std::string, client::ObjectPtr> managed_of(const client::Store& managed,
                                                    std::string_view add_on);

PlacementView placement_in(const AddOnFollowed& followed, const ObjectName& name);

// Tells changes of objects from those of their status alone, of which there are many more.
class BesideStatus {
 public:
  // Whether anything else of it is not as it was when last asked. Null: it is gone.
  bool has_changed(const client::ObjectKey& key, const client::ObjectPtr& object);

 private:
  std::map<client::ObjectKey, std::size_t> known_;
};

// Hashes of templates and deployment configs, computed once for each version of an object.
class ConfigHashes {
 public:
  // For add-ons that have a template; of other kinds, nothing.
  std::optional<ConfigState> find(const AddOnFollowed& followed, const ConfigKind& kind,
                                  const ObjectName& object);

 private:
  struct Known {
    std::string version;
    std::string hash;
  };
  std::map<std::pair<ConfigKind, ObjectName>, Known> known_;
};

}  // namespace berth::fleet
