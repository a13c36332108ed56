#include "store/crc32c.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

namespace berth::store {
namespace {

using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

// Table k moves a byte past k further bytes, so that eight bytes are done at once.
constexpr Tables make_tables() {
  constexpr std::uint32_t kPolynomial = 0x82f63b78;  // With the lowest bit first.
  Tables tables = {};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t sum = i;
    for (int bit = 0; bit < 8; ++bit) sum = (sum >> 1) ^ ((sum & 1) != 0 ? kPolynomial : 0);
    tables[0][i] = sum;
  }
  for (std::size_t k = 1; k < tables.size(); ++k) {
    for (std::size_t i = 0; i < 256; ++i) {
      const std::uint32_t before = tables[k - 1][i];
      tables[k][i] = (before >> 8) ^ tables[0][before & 0xff];
    }
  }
  return tables;
}

constexpr Tables kTables = make_tables();

static_assert(std::endian::native == std::endian::little);

}  // namespace

std::uint32_t crc32c(std::string_view bytes, std::uint32_t start) {
  std::uint32_t sum = ~start;
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    word ^= sum;
    sum = 0;
    for (std::size_t i = 0; i < 8; ++i) sum ^= kTables[7 - i][(word >> (8 * i)) & 0xff];
  }
  for (const char byte : bytes) {
    sum = (sum >> 8) ^ kTables[0][(sum ^ static_cast<unsigned char>(byte)) & 0xff];
  }
  return ~sum;
}

}  // namespace berth::store
