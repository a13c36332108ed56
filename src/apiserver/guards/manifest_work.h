// The guard on ManifestWorks: what an agent could not apply, or must not apply for that user, does
// not get in.

#pragma once

#include "apiserver/guards/guard.h"
#include "apiserver/refusal.h"
#include "json/value.h"

namespace berth::apiserver {

inline constexpr std::string_view kWorkGroup = "work.open-cluster-management.io";

// There is at least one manifest; all together take at most 500 KiB; each has a name, none a
// generateName, and no two are the same object. To name another executor takes the right to execute
// as that account (execute-as on manifestworks).
Attempt<json::Value> guard_manifest_work(const GuardedWrite& write, json::Value after);

}  // namespace berth::apiserver
