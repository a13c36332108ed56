#include "http/output_buffer.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"

namespace berth::http {
namespace {

constexpr std::size_t kCapacityMin = 1024;
constexpr std::size_t kCapacityKept = 4096;  // Below, giving back is not worth the trouble.

}  // namespace

void OutputBuffer::append(std::string_view bytes) {
  if (bytes.empty()) return;
  std::memcpy(room(bytes.size()).data(), bytes.data(), bytes.size());
  commit(bytes.size());
}

std::span<char> OutputBuffer::room(std::size_t bytes) {
  if (capacity_ - end_ < bytes) grow(bytes);
  return {bytes_.get() + end_, bytes};
}

void OutputBuffer::grow(std::size_t bytes) {
  const std::size_t used = size();
  if (capacity_ - used >= bytes && begin_ >= used) {  // Moving is cheaper than a larger block.
    std::memmove(bytes_.get(), bytes_.get() + begin_, used);
  } else {
    capacity_ = std::max({kCapacityMin, capacity_ * 2, used + bytes});
    auto larger = std::make_unique_for_overwrite<char[]>(capacity_);
    if (used > 0) std::memcpy(larger.get(), bytes_.get() + begin_, used);
    bytes_ = std::move(larger);
  }
  begin_ = 0;
  end_ = used;
}

void OutputBuffer::drop(std::size_t bytes) {
  CHECK(bytes <= size());
  peak_ = std::max(peak_, size());
  begin_ += bytes;
  if (begin_ < end_) return;
  begin_ = end_ = 0;
  if (capacity_ > kCapacityKept && peak_ < capacity_ / 4) {
    bytes_.reset();
    capacity_ = 0;
  }
  peak_ = 0;
}

}  // namespace berth::http
