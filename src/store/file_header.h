// The first bytes of a store's database file: whose it is, and in which format.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace berth::store {

inline constexpr std::size_t kFileHeaderBytes = 100;
inline constexpr std::uint32_t kApplicationId = 0x42525448;  // "BRTH"
inline constexpr std::uint32_t kFormatVersion = 1;

// Looks at the bytes, because SQLite would begin to repair a file before it can say whose it is.
// The errors (Invalid) read on after the file's name: "... has format 2; ...".
Status check_file_header(std::string_view bytes);

}  // namespace berth::store
