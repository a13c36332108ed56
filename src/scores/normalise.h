// From a measured number to a score.
//
// Placements take scores from -100 to 100. A number becomes one by the line between two bounds, as
// in the article on extending placement and in OCM's own library, or by a logarithm where one
// cluster has ten times the room of another. What lies beyond the bounds saturates: where nobody
// knows the true largest value, a bound is set by hand.

#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"

namespace berth::scores {

inline constexpr std::int32_t kScoreMin = -100;
inline constexpr std::int32_t kScoreMax = 100;

enum class Curve : std::uint8_t {
  Linear,
  Log,  // Equal factors are equal steps: ln(1 + x - min) / ln(1 + max - min).
};

enum class Range : std::uint8_t {
  Full,      // -100 to 100: 200 * (x - min) / (max - min) - 100.
  Positive,  // 0 to 100: 100 * (x - min) / (max - min), the simplified formula when min is 0.
};

enum class Direction : std::uint8_t {
  HigherIsBetter,
  LowerIsBetter,  // The score is mirrored within its range.
};

struct Normaliser {
  double min = 0;
  double max;
  Curve curve = Curve::Linear;
  Range range = Range::Full;
  Direction direction = Direction::HigherIsBetter;

  bool operator==(const Normaliser&) const = default;
};

// Both bounds finite, max above min.
Status check_normaliser(const Normaliser& normaliser);

// Truncated towards zero, to the bit what OCM's library answers for Linear and Full. Nothing for a
// NaN: it is no measurement. The normaliser has passed the check.
std::optional<std::int32_t> normalise(double value, const Normaliser& normaliser);

// The same on a line between whole numbers (millicores, bytes), exact whatever their size, where
// doubles would round first: 0.29 of 1 is 29 of 100, not 28. A max that is not above min is no
// line: whatever is above min is the best, the rest the worst. So is the share of nothing.
struct ExactLine {
  std::int64_t min = 0;
  std::int64_t max;
  Range range = Range::Full;
  Direction direction = Direction::HigherIsBetter;
};
std::int32_t normalise_exact(std::int64_t value, const ExactLine& line);

// For numbers that are scores already: to the nearest whole number, halves away from zero, limited
// to the bounds. Nothing for a NaN.
std::optional<std::int32_t> rounded_score(double value, std::int32_t min = kScoreMin,
                                          std::int32_t max = kScoreMax);

}  // namespace berth::scores
