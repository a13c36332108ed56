// BaseState: what the log says about the part of it that is no longer history.

#pragma once

#include <cstdint>

#include "store/entry.h"

namespace berth::store {

// Up to `revision` the log has one row for each object that existed then, and no others; after it
// one row for every change. The count and the sum of the checksums betray a row that got lost or
// came back. A store whose rows are all gone still knows by the revision which one comes next.
struct BaseState {
  Revision revision = 0;
  std::uint64_t rows = 0;
  std::uint64_t sum = 0;  // Of the rows' checksums, modulo 2^64.

  // One row more, or one less.
  void add(std::uint32_t row_checksum) { ++rows, sum += row_checksum; }
  void remove(std::uint32_t row_checksum) { --rows, sum -= row_checksum; }

  bool operator==(const BaseState&) const = default;
};

// Covers all of it.
std::uint32_t checksum(const BaseState& base);

}  // namespace berth::store
