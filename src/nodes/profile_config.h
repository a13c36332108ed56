// One profile of a KubeSchedulerConfiguration.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "nodes/profile.h"

namespace berth::nodes {

// `path` is where the profile stands: "profiles[0]". What changes nothing is added to `warnings`.
Result<Profile> read_profile(const json::Value& profile, const std::string& path,
                             std::vector<std::string>& warnings);

// Fails on a member that is none of these: "profiles[0]: unknown field \"x\"".
Status check_members(const json::Value& object, const std::string& path,
                     std::initializer_list<std::string_view> known);

}  // namespace berth::nodes
