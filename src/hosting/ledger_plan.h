// Which claims a ledger should have, by what has become of the requests that made them.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hosting/hosted_cluster_request.h"
#include "hosting/hosting_ledger.h"
#include "hosting/work.h"
#include "json/value.h"

namespace berth::hosting {

// A claim whose request nobody knows is kept so long: the request may be on its way to our caches.
inline constexpr Duration kOwnerlessClaimLife = std::chrono::minutes(10);

// What is known about the request of a claim.
struct ClaimOwner {
  const HostedClusterRequest* request = nullptr;  // Null: there is none.
  std::optional<WorkState> work = std::nullopt;   // In the namespace of this host.
  bool is_gone = false;  // It is being deleted, and it is proven that nothing is left here.

  // Whether the server says that it is assigned here, asked after the ledger was as it is.
  std::optional<bool> is_confirmed = std::nullopt;
};

struct LedgerView {
  const std::string& host;
  const std::vector<Claim>& claims;
  std::function<ClaimOwner(std::string_view request_uid)> owner;

  // The uids of all requests that are assigned to this host.
  std::vector<std::string> assigned = {};
  Time now;
};

struct LedgerPlan {
  std::vector<Claim> claims = {};
  std::optional<Time> recheck = std::nullopt;  // When time alone may change it.

  // Assigned here and without a claim. It was lost, or given back by somebody who knew more about
  // the request than we do: the server has to be asked. Uids.
  std::vector<std::string> doubtful = {};
};

LedgerPlan plan_ledger(const LedgerView& view);

// Whether the object, just read, still has the assignment that is known of the request.
bool has_assignment(const json::Value& object, const HostedClusterRequest& request);

}  // namespace berth::hosting
