#include "hosting/scorer.h"

#include <algorithm>
#include <limits>

namespace berth::hosting {
namespace {

constexpr std::int64_t kBest = 100;
constexpr std::int32_t kThresholdPenalty = -50;

// Outweighs everything else: a host that is packed to its threshold comes after all others.
constexpr std::int32_t kPackedPenalty = -1000;

std::int32_t percent(std::int64_t part, std::int64_t whole) {
  if (whole <= 0) return 0;
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(kBest * part / whole, 0, kBest));
}

// Packing likes what spreading avoids.
std::int32_t turned(const Question& question, std::int32_t points) {
  return question.request().strategy == Strategy::Pack ? static_cast<std::int32_t>(kBest) - points
                                                       : points;
}

std::int32_t slots(const Question& question, HostIndex index) {
  const Host& host = question.host(index);
  const std::int64_t hosted_max = host.thresholds.hosted_max;
  return turned(question, percent(hosted_max - host.load.total(), hosted_max));
}

// Of the resource that will be scarcest. What is not known is not good, whichever way one looks.
std::int32_t headroom(const Question& question, HostIndex index) {
  const Host& host = question.host(index);
  std::int32_t least = std::numeric_limits<std::int32_t>::max();
  for (const Resource resource : kResources) {
    const auto free = host.load.free[resource];
    if (!free) continue;
    least = std::min(
        least, percent(*free - question.request().size[resource], *host.load.capacity[resource]));
  }
  return least == std::numeric_limits<std::int32_t>::max() ? 0 : turned(question, least);
}

std::int32_t threshold(const Question& question, HostIndex index) {
  const Host& host = question.host(index);
  if (host.load.total() < host.thresholds.threshold) return 0;
  return question.request().strategy == Strategy::Pack ? kPackedPenalty : kThresholdPenalty;
}

// How much the emptiest place would gain, for the term where it gains least.
std::int32_t evenness(const Question& question, HostIndex index) {
  std::int32_t least = question.spreads().empty() ? 0 : static_cast<std::int32_t>(kBest);
  for (const Question::Places& places : question.spreads()) {
    const std::int32_t there = places.there[index];
    const bool is_nowhere = there == Question::kNowhere;
    const std::int32_t range = std::max(1, places.highest - places.lowest);
    least = std::min(least, is_nowhere ? 0 : percent(places.highest - there, range));
  }
  return least;
}

std::int32_t solitude(const Question& question, HostIndex index) {
  const auto& terms = question.request().anti_affinities;
  std::int64_t weight = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const std::int32_t there = question.anti_affinities()[i].there[index];
    if (there > 0) weight += std::int64_t{terms[i].weight} * there;
  }
  return -static_cast<std::int32_t>(std::min(weight, kBest));
}

constexpr Scorer kScorers[] = {{"Slots", slots},
                               {"Headroom", headroom},
                               {"Threshold", threshold},
                               {"Spread", evenness},
                               {"AntiAffinity", solitude}};

}  // namespace

std::span<const Scorer> scorers() { return kScorers; }

}  // namespace berth::hosting
