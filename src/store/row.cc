#include "store/row.h"

#include <array>
#include <bit>
#include <string>

#include <fmt/core.h>

#include "base/strings.h"
#include "store/crc32c.h"

namespace berth::store {
namespace {

template <typename Number>
std::uint32_t add_number(Number number, std::uint32_t sum) {
  const auto bytes = std::bit_cast<std::array<char, sizeof(Number)>>(number);
  return crc32c({bytes.data(), bytes.size()}, sum);
}

// With its length, so that no byte can move from one text into the next.
std::uint32_t add_text(std::string_view text, std::uint32_t sum) {
  return crc32c(text, add_number(std::uint64_t{text.size()}, sum));
}

}  // namespace

Row row_of(Revision revision, const Key& key, const Entry* entry) {
  Row row = {.revision = revision, .table = key.table, .name = key.name};
  if (entry) {
    row.text = entry->text;
    row.version_at = entry->version_at;
  }
  return row;
}

std::uint32_t checksum(const Row& row) {
  std::uint32_t sum = add_number(row.revision, 0);
  sum = add_text(row.table, sum);
  sum = add_text(row.name, sum);
  sum = add_number(row.version_at, sum);
  sum = add_number(std::uint8_t{row.text.has_value()}, sum);
  return row.text ? add_text(*row.text, sum) : sum;
}

Status check_row(const Row& row, std::uint32_t stored_sum) {
  if (const std::uint32_t sum = checksum(row); sum != stored_sum) {
    return failure(
        Code::StoreReadError,
        fmt::format("the row is damaged: its checksum is {:08x}, not {:08x}", sum, stored_sum));
  }
  if (!row.text) return {};
  const std::string version = fmt::format("{}\"", row.revision);
  const bool right =
      row.version_at <= row.text->size() && row.text->substr(row.version_at).starts_with(version);
  if (right) return {};
  return failure(Code::StoreReadError,
                 fmt::format("{} {} does not have its resourceVersion at byte {}", quote(row.table),
                             quote(row.name), row.version_at));
}

}  // namespace berth::store
