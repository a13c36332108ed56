// Objects for tests of stores and of what uses them.

#pragma once

#include <string>
#include <string_view>

#include "store/entry.h"

namespace berth::store::testing {

// {"metadata":{"name":"...","resourceVersion":""},"value":"..."}
Draft draft_of(std::string_view name, std::string_view value);

// What draft_of() put into it.
std::string value_of(const Entry& entry);

}  // namespace berth::store::testing
