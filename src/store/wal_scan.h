// WalScan: tells a write-ahead log that was cut short from one that is damaged. SQLite takes both
// for the same: it believes the frames up to the first that is wrong and forgets the others.
//
// Each commit is synced before the next begins. So what a loss of power may cut short is the newest
// commit only, and after the first wrong frame there is at most one frame that ends a commit.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace berth::store {

inline constexpr std::size_t kWalHeaderBytes = 32;

class WalScan {
 public:
  // StoreReadError: this is no header of a write-ahead log.
  static Result<WalScan> begin(std::string_view header);

  std::size_t frame_bytes() const;

  // The next frame, whole.
  void add(std::string_view frame);

  // StoreReadError: commits that were durable cannot be read any more.
  Status finish() const;

 private:
  // The running checksum of the file format.
  struct Sum {
    std::uint32_t first = 0;
    std::uint32_t second = 0;

    bool operator==(const Sum&) const = default;
  };

  WalScan() = default;
  Sum summed(std::string_view bytes, Sum sum) const;

  std::size_t page_bytes_ = 0;
  bool big_endian_ = false;  // The words of the checksums.
  std::string_view::value_type salts_[8] = {};
  Sum sum_;
  std::uint64_t frames_ = 0;
  std::uint64_t first_wrong_ = 0;  // Counted from 1; 0: none is.
  std::uint64_t commits_after_ = 0;
};

}  // namespace berth::store
