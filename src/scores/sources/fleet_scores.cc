#include "scores/sources/fleet_scores.h"

#include <algorithm>
#include <vector>

namespace berth::scores {
namespace {

// The numbers in ascending order.
std::vector<double> sorted_numbers(const std::map<std::string, Measurement>& measured) {
  std::vector<double> numbers;
  numbers.reserve(measured.size());
  for (const auto& [cluster, measurement] : measured) numbers.push_back(measurement.number);
  std::ranges::sort(numbers);
  return numbers;
}

// How many are worse; of equal ones, the middle of their places.
double rank_of(double number, const std::vector<double>& numbers) {
  const auto equal = std::ranges::equal_range(numbers, number);
  const auto worse = static_cast<double>(equal.begin() - numbers.begin());
  return worse + static_cast<double>(equal.size() - 1) / 2;
}

}  // namespace

std::map<std::string, std::int32_t> score_fleet(const std::map<std::string, Measurement>& measured,
                                                const std::optional<FleetNormaliser>& normaliser) {
  std::map<std::string, std::int32_t> scores;
  if (measured.empty()) return scores;
  const std::vector<double> numbers = sorted_numbers(measured);
  const bool all_equal = numbers.front() == numbers.back();
  const bool by_rank = normaliser && normaliser->type == FleetNormaliser::Type::FleetRank;
  const bool by_fleet = normaliser && normaliser->type != FleetNormaliser::Type::Bounds;
  Normaliser line = normaliser ? normaliser->line : Normaliser{.max = 1};
  if (by_fleet && all_equal) {
    line = {.min = -1, .max = 1, .range = line.range};
  } else if (by_rank) {
    line = {.max = static_cast<double>(numbers.size() - 1),
            .range = line.range,
            .direction = line.direction};
  } else if (by_fleet) {
    line.min = numbers.front();
    line.max = numbers.back();
  }
  for (const auto& [cluster, measurement] : measured) {
    double number = measurement.number;
    if (by_fleet && all_equal) {
      number = 0;
    } else if (by_rank) {
      number = rank_of(number, numbers);
    }
    const auto score = normaliser ? normalise(number, line) : rounded_score(number);
    if (score) scores.emplace(cluster, *score);
  }
  return scores;
}

}  // namespace berth::scores
