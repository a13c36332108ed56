// The order of an associative list after an apply.

#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "apiserver/apply/field_path.h"

namespace berth::apiserver {

// One element of the merged list: where it comes from. Positions count in the live list and in the
// applied one; an element of both has both.
struct MergedItem {
  std::optional<std::size_t> live = std::nullopt;
  std::optional<std::size_t> applied = std::nullopt;

  bool operator==(const MergedItem&) const = default;
};

// `applied` has no duplicates. Where `live` has several elements of one name and the configuration
// names it, they all give way to the applied one.
std::vector<MergedItem> merge_order(std::span<const PathElement> live,
                                    std::span<const PathElement> applied);

}  // namespace berth::apiserver
