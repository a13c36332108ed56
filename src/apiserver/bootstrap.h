// What a hub has from its first moment: namespaces, roles, definitions, its own service.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apiserver/verbs/outcome.h"
#include "json/value.h"

namespace berth::apiserver {

// As requests, in the order in which they have to be made: each applies one object, so that a
// second start changes nothing and a newer hub brings what is new. `definitions` are
// CustomResourceDefinitions; `authority_pem` vouches for the certificates of clients.
std::vector<ApiRequest> bootstrap_requests(const std::vector<json::Value>& definitions,
                                           const std::string& authority_pem);

// The same for a logical cluster that a hub carries: only what everybody needs, as there may be
// many.
std::vector<ApiRequest> cluster_bootstrap_requests(const std::vector<json::Value>& definitions);

// The user in whose name they are made.
User hub_user();

}  // namespace berth::apiserver
