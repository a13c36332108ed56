// From the URL that a user wrote to what is connected to.

#pragma once

#include <string_view>

#include "base/result.h"
#include "scores/generators/address_rules.h"
#include "scores/generators/generator.h"

namespace berth::scores {

// `method` is what the entry says, "" when it says nothing: then the URL's scheme is the method.
// Invalid: the URL cannot be measured, and why. Forbidden: an address in it is not permitted.
Result<Location> read_location(std::string_view url, std::string_view method,
                               const AddressRules& rules);

}  // namespace berth::scores
