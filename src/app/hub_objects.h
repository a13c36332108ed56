// Reads once from a hub what the decision on one Placement depends on.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "api/object_key.h"
#include "base/result.h"
#include "client/client_config.h"
#include "env/env.h"
#include "json/value.h"
#include "placement/situation.h"

namespace berth::app {

// The Placement itself, and all objects of the kinds around it.
using HubObjects = std::map<placement::Watched, std::vector<json::Value>>;

// Waits for the answers, so it is for the main thread and never for a loop.
Result<HubObjects> read_hub(env::Env& env, const client::ClientConfig& config,
                            const api::ObjectKey& key);

placement::Situation situation_of(const HubObjects& objects, const placement::Options& options);

}  // namespace berth::app
