// How much memory the process has taken from the allocator and not given back.

#pragma once

#include <cstddef>

namespace berth::client::testing {

std::size_t live_bytes();

}  // namespace berth::client::testing
