// What happens to the members of an object that have the same name.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "json/value.h"

namespace berth::json {

struct RepeatedName {
  std::string name;
  std::size_t second;  // Where it stood the second time.

  bool operator==(const RepeatedName&) const = default;
};

struct MergedNames {
  std::size_t count = 0;                    // Members left, at the front of the span.
  std::vector<RepeatedName> repeated = {};  // By their place, each name once.
};

// Of members with the same name, the first one's place and the last one's value stay. Takes
// n log n comparisons: large objects come from strangers too.
MergedNames merge_equal_names(std::span<Member> members);

}  // namespace berth::json
