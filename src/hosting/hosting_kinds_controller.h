// Where the kinds that hosting reads and writes are served.

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "client/resource.h"
#include "control/followed_service.h"
#include "env/env.h"

namespace berth::hosting {

enum class HostingResource : std::uint8_t {
  Requests,
  Ledgers,
  Clusters,
  Scores,
  AddOns,   // ManagedClusterAddOn
  Configs,  // AddOnDeploymentConfig
  Decisions,
  Works,
};

inline constexpr std::array kHostingResources = {
    HostingResource::Requests,  HostingResource::Ledgers, HostingResource::Clusters,
    HostingResource::Scores,    HostingResource::AddOns,  HostingResource::Configs,
    HostingResource::Decisions, HostingResource::Works};

client::Gvr resource_of(HostingResource kind);

using HostingFollowed = control::Followed<HostingResource>;
std::vector<std::pair<HostingResource, client::Gvr>> hosting_resources();

// Runs the task once, when the cache shows that version; or after a while, because a server that
// was set back never does.
void when_shown(const env::Env& env, client::InformerService& informer, const std::string& version,
                env::Task task);

}  // namespace berth::hosting
