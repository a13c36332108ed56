#include "cel/map_builder.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <span>

namespace berth::cel {
namespace {

// Up to this size a map is searched from the front.
constexpr std::size_t kUnindexedMax = 8;

template <typename T>
std::span<const T> copy_into(Arena& arena, const std::vector<T>& items) {
  T* copies = arena.allocate_array<T>(items.size());
  std::ranges::uninitialized_copy(items, std::span(copies, items.size()));
  return {copies, items.size()};
}

}  // namespace

MapEntry* MapBuilder::find(const Value& key) {
  if (buckets_.empty()) {
    const auto found = std::ranges::find_if(
        entries_, [&](const MapEntry& entry) { return same_key(entry.key, key); });
    return found == entries_.end() ? nullptr : &*found;
  }
  const std::size_t mask = buckets_.size() - 1;
  for (std::size_t slot = hash_key(key) & mask; buckets_[slot] != 0; slot = (slot + 1) & mask) {
    MapEntry& entry = entries_[buckets_[slot] - 1];
    if (same_key(entry.key, key)) return &entry;
  }
  return nullptr;
}

void MapBuilder::set(const Value& key, const Value& value) {
  if (MapEntry* known = find(key)) {
    known->value = value;
    return;
  }
  entries_.push_back({.key = key, .value = value});
  if (entries_.size() <= kUnindexedMax) return;
  if (buckets_.size() < entries_.size() * 2) {
    index_all();
    return;
  }
  const std::size_t mask = buckets_.size() - 1;
  std::size_t slot = hash_key(key) & mask;
  while (buckets_[slot] != 0) slot = (slot + 1) & mask;
  buckets_[slot] = static_cast<std::uint32_t>(entries_.size());
}

void MapBuilder::erase(const Value& key) {
  const MapEntry* known = find(key);
  if (!known) return;
  entries_.erase(entries_.begin() + (known - entries_.data()));
  if (entries_.size() <= kUnindexedMax) {
    buckets_.clear();
  } else {
    index_all();
  }
}

void MapBuilder::index_all() {
  buckets_.assign(std::bit_ceil(entries_.size() * 4), 0);
  const std::size_t mask = buckets_.size() - 1;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    std::size_t slot = hash_key(entries_[i].key) & mask;
    while (buckets_[slot] != 0) slot = (slot + 1) & mask;
    buckets_[slot] = static_cast<std::uint32_t>(i + 1);
  }
}

Value MapBuilder::build(Context& context) const {
  const std::size_t bytes = entries_.size() * sizeof(MapEntry) + buckets_.size() * 4;
  if (!context.charge(bytes)) return context.cancelled();
  Arena& arena = context.arena();
  return Value::map(*arena.make<MapData>(copy_into(arena, entries_), copy_into(arena, buckets_)));
}

}  // namespace berth::cel
