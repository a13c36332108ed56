// Rows of the log, as they lie in the database, and what must be true of each.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "store/entry.h"

namespace berth::store {

// What became of a key at a revision. The views are good as long as what they were taken from.
struct Row {
  Revision revision = 0;
  std::string_view table;
  std::string_view name;
  std::optional<std::string_view> text = std::nullopt;  // Absent: the object was deleted.
  std::uint32_t version_at = 0;
};

// `entry` is null for a deletion.
Row row_of(Revision revision, const Key& key, const Entry* entry);

// Covers everything in the row.
std::uint32_t checksum(const Row& row);

// A row that nobody has damaged, from a file that anybody may have: the stored sum is right, and
// the text has the revision where it says.
Status check_row(const Row& row, std::uint32_t stored_sum);

}  // namespace berth::store
