// Expressions over a cluster, as a placement's predicate uses them. The language behind them is
// plugged in.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "placement/fleet/cluster_bits.h"

namespace berth::placement {

struct Request;

// Which score reports an expression reads.
struct ScoreUse {
  bool any = false;                     // Names that are only known when it runs.
  std::vector<std::string> names = {};  // Sorted.
};

struct ExpressionAnswer {
  bool matches = false;           // Errors, other types than bool and exceeded limits are no match.
  std::uint64_t cost = 0;         // Without kEvaluationCost.
  bool is_too_expensive = false;  // Stopped at the limit of one expression.
};

// What an evaluation takes before its first step, in the same units: clusters are not for nothing.
inline constexpr std::uint64_t kEvaluationCost = 25;

// Immutable.
class Expression {
 public:
  virtual ~Expression() = default;

  // One answer for each of the first clusters, until they have cost `allowance` together. Many at
  // once, so that they share one working memory.
  virtual std::vector<ExpressionAnswer> evaluate(const Request& request,
                                                 std::span<const ClusterIndex> clusters,
                                                 std::uint64_t allowance) const = 0;

  // What the language says when it cannot evaluate this cluster; "" if it can.
  virtual std::string error(const Request& request, ClusterIndex cluster) const = 0;
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
