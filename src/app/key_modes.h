// Who else on this machine could read the hub's keys.

#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace berth::app {

// Refuses keys of the hub's own in DATA-DIR/pki that others than their owner can read: whoever read
// them is an administrator for ten years, and a silent repair would hide that it could happen.
Status check_key_modes(const std::string& data_directory);

// Of files that the operator brings, those that everybody can read. Groups are his business.
std::vector<std::string> open_to_everybody(const std::vector<std::string>& paths);

}  // namespace berth::app
