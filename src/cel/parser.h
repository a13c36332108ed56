// Text to tree. Follows CEL's grammar with its limits, and recovers from a superfluous or a missing
// token the way the reference does, so that syntax errors read the same.

#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "cel/ast.h"
#include "cel/macro.h"
#include "cel/source.h"

namespace berth::cel {

inline constexpr std::size_t kCodePointsMax = 100'000;
inline constexpr int kNestingMax = 250;

struct ParseOptions {
  std::span<const Macro* const> macros = {};
  bool optional_syntax = false;  // a.?b, a[?b], [?a], {?k: v}
};

// The tree is only of use when `issues` stays empty.
Ast parse(std::string_view text, const ParseOptions& options, Issues& issues);

}  // namespace berth::cel
