// What an agent on a hosting cluster tells: which hosted clusters there are, and the claims that
// HyperShift's add-on makes of their number.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hosting/host.h"
#include "hosting/hosting_ledger.h"
#include "json/value.h"

namespace berth::hosting {

// One HostedCluster. One that is being deleted is there until it is gone.
ObservedItem read_hosted_cluster(const json::Value& object);

// A ledger takes no more.
inline constexpr std::size_t kItemsMax = 1000;

// The four ClusterClaims of a host with so many hosted clusters.
std::vector<json::Value> host_claims(std::int64_t count, const Thresholds& thresholds);

}  // namespace berth::hosting
