// Names for tests of name resolution that ask nobody on the network.

#pragma once

#include <string>

namespace berth::runtime::testing {

// Longer than any part of a name may be: the system says at once that there is no such host.
inline std::string nobody(std::size_t number = 0) {
  return std::string(64, 'x') + std::to_string(number);
}

}  // namespace berth::runtime::testing
