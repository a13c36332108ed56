#include "cel/arena.h"

#include <algorithm>
#include <cstring>
#include <ranges>

namespace berth::cel {
namespace {

constexpr std::size_t kBlockMin = 4096;
constexpr std::size_t kBlockMax = std::size_t{1} << 20;
// A larger block is not kept for the next evaluation.
constexpr std::size_t kKeptMax = std::size_t{1} << 16;

}  // namespace

void Arena::reset() {
  for (const Destructor& it : std::views::reverse(destructors_)) it.destroy(it.object);
  destructors_.clear();
  const bool keep = !blocks_.empty() && blocks_.front().size <= kKeptMax;
  blocks_.resize(keep ? 1 : 0);
  offset_ = 0;
  bytes_used_ = 0;
}

void* Arena::allocate(std::size_t size, std::size_t alignment) {
  bytes_used_ += size;
  std::size_t start = (offset_ + alignment - 1) / alignment * alignment;
  if (blocks_.empty() || start + size > blocks_.back().size) {
    const std::size_t grown = blocks_.empty() ? kBlockMin : blocks_.back().size * 2;
    const std::size_t block = std::max(std::min(grown, kBlockMax), size);
    blocks_.push_back({.bytes = std::make_unique_for_overwrite<std::byte[]>(block), .size = block});
    start = 0;
  }
  offset_ = start + size;
  return blocks_.back().bytes.get() + start;
}

std::string_view Arena::copy(std::string_view text) {
  if (text.empty()) return {};
  char* bytes = allocate_array<char>(text.size());
  std::memcpy(bytes, text.data(), text.size());
  return {bytes, text.size()};
}

}  // namespace berth::cel
