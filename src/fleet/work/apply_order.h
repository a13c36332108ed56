// In which order the manifests of a work are applied: what others need comes first.

#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "fleet/work/resource_meta.h"

namespace berth::fleet {

inline constexpr int kRankOther = 1000;
inline constexpr int kRankUnreadable = 1001;  // Has no kind.

// Lower goes first.
int kind_rank(std::string_view group, std::string_view kind);

// The indices of the manifests in the order in which to apply them; equals keep theirs.
std::vector<std::size_t> apply_order(const std::vector<ResourceMeta>& manifests);

}  // namespace berth::fleet
