// Builds map values entry by entry.

#pragma once

#include <cstdint>
#include <vector>

#include "cel/context.h"
#include "cel/value.h"

namespace berth::cel {

class MapBuilder {
 public:
  // A later value under the same key replaces the earlier one, in its place.
  void set(const Value& key, const Value& value);
  void erase(const Value& key);

  // The map in the context's arena.
  Value build(Context& context) const;

 private:
  MapEntry* find(const Value& key);
  void index_all();

  std::vector<MapEntry> entries_;
  std::vector<std::uint32_t> buckets_;  // As in MapData.
};

}  // namespace berth::cel
