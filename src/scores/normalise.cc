#include "scores/normalise.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace berth::scores {
namespace {

// Wide enough for 200 times any difference of two 64-bit numbers.
__extension__ using Wide = __int128;

std::int32_t lowest_of(Range range) { return range == Range::Full ? kScoreMin : 0; }

std::int32_t directed(std::int32_t score, Range range, Direction direction) {
  if (direction == Direction::HigherIsBetter) return score;
  return kScoreMax + lowest_of(range) - score;
}

// The comparisons and the order of operations are those of OCM's library: they decide the last bit.
std::int32_t on_line(double value, double min, double max, Range range) {
  if (value > max) return kScoreMax;
  if (value <= min) return lowest_of(range);
  const double span = max - min;
  const double score =
      range == Range::Full ? 200 * (value - min) / span - 100 : 100 * (value - min) / span;
  return std::clamp(static_cast<std::int32_t>(score), lowest_of(range), kScoreMax);
}

}  // namespace

Status check_normaliser(const Normaliser& normaliser) {
  const bool finite = std::isfinite(normaliser.min) && std::isfinite(normaliser.max) &&
                      std::isfinite(200 * (normaliser.max - normaliser.min));
  if (finite && normaliser.max > normaliser.min) return {};
  return failure(Code::Invalid, fmt::format("bounds from {} to {}: max has to be above min, and "
                                            "both have to be ordinary numbers",
                                            normaliser.min, normaliser.max));
}

std::optional<std::int32_t> normalise(double value, const Normaliser& normaliser) {
  if (std::isnan(value)) return std::nullopt;
  const auto& [min, max, curve, range, direction] = normaliser;
  if (curve == Curve::Linear) return directed(on_line(value, min, max, range), range, direction);
  const double inside = std::clamp(value, min, max);
  const double share = std::log1p(inside - min) / std::log1p(max - min);
  return directed(on_line(share, 0, 1, range), range, direction);
}

std::int32_t normalise_exact(std::int64_t value, const ExactLine& line) {
  const auto& [min, max, range, direction] = line;
  if (value <= min) return directed(lowest_of(range), range, direction);
  if (value >= max) return directed(kScoreMax, range, direction);
  const Wide span = Wide(max) - min;
  const Wide above = Wide(value) - min;
  const Wide score = range == Range::Full ? (200 * above - 100 * span) / span : 100 * above / span;
  return directed(static_cast<std::int32_t>(score), range, direction);
}

std::optional<std::int32_t> rounded_score(double value, std::int32_t min, std::int32_t max) {
  if (std::isnan(value)) return std::nullopt;
  return static_cast<std::int32_t>(
      std::round(std::clamp(value, static_cast<double>(min), static_cast<double>(max))));
}

}  // namespace berth::scores
