// What flags of several commands say: addresses, names of controllers.

#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "env/network.h"

namespace berth::app {

// "host:port", ":port" and "[::1]:port"; the error names the flag.
Result<env::Address> parse_address(std::string_view flag, const std::string& text);

// The same, and "0" for none.
Result<std::optional<env::Address>> parse_bind_address(std::string_view flag,
                                                       const std::string& text);

// All that there are, for help texts: "addons, clustersets, ...".
std::string controller_names();

// Names of Berth's controllers; "*" stands for all.
Result<std::set<std::string>> parse_controllers(const std::vector<std::string>& names);

std::string host_name();  // Of this machine.

}  // namespace berth::app
