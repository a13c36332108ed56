// Expressions over a cluster, as a placement's predicate uses them. The language behind them is
// plugged in.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "placement/cluster_bits.h"

namespace berth::placement {

struct Request;

// Which score reports an expression reads.
struct ScoreUse {
  bool any = false;                     // Names that are only known when it runs.
  std::vector<std::string> names = {};  // Sorted.
};

struct ExpressionAnswer {
  bool matches = false;  // Errors, other types than bool and exceeded limits are no match.
  std::uint64_t cost = 0;
  std::string error = {};  // Why it is no match, when the reason is an error.
};

// Immutable; may be evaluated for many clusters.
class Expression {
 public:
  virtual ~Expression() = default;

  virtual ExpressionAnswer evaluate(const Request& request, ClusterIndex cluster) const = 0;
  virtual const std::string& text() const = 0;
  virtual const ScoreUse& score_use() const = 0;
};

class ExpressionCompiler {
 public:
  virtual ~ExpressionCompiler() = default;

  // The error's message is what the condition PlacementMisconfigured shows after "Predicate:".
  virtual Result<std::shared_ptr<const Expression>> compile(std::string_view text) const = 0;
};

}  // namespace berth::placement
