#include "store/wal_scan.h"

#include <algorithm>
#include <bit>

#include <fmt/core.h>

namespace berth::store {
namespace {

// https://www.sqlite.org/fileformat.html, "WAL File Format". Numbers are big-endian.
constexpr std::uint32_t kMagic = 0x377f0682;  // Or the next one.
constexpr std::uint32_t kVersion = 3007000;
constexpr std::size_t kFrameHeaderBytes = 24;
constexpr std::size_t kSaltsAt = 16;      // In the header.
constexpr std::size_t kFrameSaltsAt = 8;  // In a frame's.
constexpr std::size_t kSaltsBytes = 8;
constexpr std::size_t kSummedOfFrame = 8;  // Of its header; then the page.
constexpr std::size_t kCommitAt = 4;       // Not 0: the frame ends a commit.

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (const char byte : bytes.substr(at, 4)) {
    number = number << 8 | static_cast<unsigned char>(byte);
  }
  return number;
}

}  // namespace

WalScan::Sum WalScan::summed(std::string_view bytes, Sum sum) const {
  for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
    std::uint32_t one = number_at(bytes, at);
    std::uint32_t two = number_at(bytes, at + 4);
    if (!big_endian_) {
      one = __builtin_bswap32(one);
      two = __builtin_bswap32(two);
    }
    sum.first += one + sum.second;
    sum.second += two + sum.first;
  }
  return sum;
}

Result<WalScan> WalScan::begin(std::string_view header) {
  WalScan scan;
  const bool whole = header.size() >= kWalHeaderBytes;
  const std::uint32_t magic = whole ? number_at(header, 0) : 0;
  scan.big_endian_ = (magic & 1) != 0;
  scan.page_bytes_ = whole ? number_at(header, 8) : 0;
  const bool known = (magic & ~1u) == kMagic && number_at(header, 4) == kVersion &&
                     scan.page_bytes_ >= 512 && scan.page_bytes_ <= 65536 &&
                     std::has_single_bit(scan.page_bytes_);
  if (known) {
    scan.sum_ = scan.summed(header.substr(0, 24), {});
    std::ranges::copy(header.substr(kSaltsAt, kSaltsBytes), scan.salts_);
  }
  if (!known || scan.sum_ != Sum{number_at(header, 24), number_at(header, 28)}) {
    return failure(Code::StoreReadError, "the header of the write-ahead log is damaged");
  }
  return scan;
}

std::size_t WalScan::frame_bytes() const { return kFrameHeaderBytes + page_bytes_; }

void WalScan::add(std::string_view frame) {
  ++frames_;
  // From before the log was started anew: long in the database file.
  const std::string_view salts(salts_, kSaltsBytes);
  const bool ours = frame.substr(kFrameSaltsAt, kSaltsBytes) == salts;
  if (first_wrong_ == 0) {
    const Sum sum =
        summed(frame.substr(kFrameHeaderBytes), summed(frame.substr(0, kSummedOfFrame), sum_));
    if (ours && sum == Sum{number_at(frame, 16), number_at(frame, 20)}) {
      sum_ = sum;
      return;
    }
    first_wrong_ = frames_;
  }
  if (ours && number_at(frame, kCommitAt) != 0) ++commits_after_;
}

Status WalScan::finish() const {
  if (commits_after_ <= 1) return {};
  return failure(Code::StoreReadError,
                 fmt::format("frame {} of the write-ahead log is damaged, and {} commits that were "
                             "durable depend on it",
                             first_wrong_, commits_after_));
}

}  // namespace berth::store
