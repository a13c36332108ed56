// What those who make, bind and run the pods of one cluster know of it: one cache of each kind for
// all of them.

#pragma once

#include "client/informers_service.h"

namespace berth::local {

// Indexes of these caches: by the uid of the controller, and pods that hold room by their node.
inline constexpr const char* kByController = "controller";
inline constexpr const char* kByNode = "node";

// The Api outlives the caches; they outlive the controllers that share them.
client::Informers workload_caches(const env::Env& env, client::Api& api);

}  // namespace berth::local
