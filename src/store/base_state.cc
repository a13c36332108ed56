#include "store/base_state.h"

#include <array>
#include <bit>

#include "store/crc32c.h"

namespace berth::store {

std::uint32_t checksum(const BaseState& base) {
  const std::array<std::uint64_t, 3> numbers = {base.revision, base.rows, base.sum};
  const auto bytes = std::bit_cast<std::array<char, sizeof numbers>>(numbers);
  return crc32c({bytes.data(), bytes.size()});
}

}  // namespace berth::store
