#include "placement/compiling/weights.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace berth::placement {
namespace {

constexpr std::string_view kBuiltIn = "BuiltIn";

struct Entry {
  std::string type;
  std::string built_in;
  std::optional<api::AddOnScore> add_on;
  std::int32_t weight;
};

Result<std::vector<Entry>> initial_entries(std::string_view mode) {
  if (mode == "Exact") return std::vector<Entry>{};
  if (!mode.empty() && mode != "Additive") {
    return failure(Code::Invalid, fmt::format("incorrect prioritizer policy mode: {}", mode));
  }
  return std::vector<Entry>{{std::string(kBuiltIn), "Balance", std::nullopt, 1},
                            {std::string(kBuiltIn), "Steady", std::nullopt, 1}};
}

void put(std::vector<Entry>& entries, Entry entry) {
  const auto same = std::ranges::find_if(entries, [&entry](const Entry& other) {
    return !entry.add_on && !other.add_on && entry.type == other.type &&
           entry.built_in == other.built_in;
  });
  if (same == entries.end()) {
    entries.push_back(std::move(entry));
  } else {
    same->weight = entry.weight;
  }
}

Result<WeightedCoordinate> coordinate_of(const Entry& entry, const Registry& plugins) {
  if (entry.type == kBuiltIn) {
    if (!plugins.find_prioritizer(entry.built_in)) {
      return failure(Code::Invalid,
                     fmt::format("incorrect builtin prioritizer: {}", entry.built_in));
    }
    return WeightedCoordinate{.built_in = entry.built_in, .weight = entry.weight};
  }
  if (!entry.add_on) return failure(Code::Invalid, "addOn should not be empty");
  return WeightedCoordinate{.add_on = *entry.add_on, .weight = entry.weight};
}

}  // namespace

Result<std::vector<WeightedCoordinate>> weigh(
    std::string_view mode, std::span<const api::PrioritizerConfiguration> configurations,
    const Registry& plugins) {
  ASSIGN_OR_RETURN(std::vector<Entry> entries, initial_entries(mode));
  for (const api::PrioritizerConfiguration& configuration : configurations) {
    if (!configuration.has_coordinate) {
      return failure(Code::Invalid, "scoreCoordinate field is required");
    }
    put(entries,
        {configuration.type, configuration.built_in, configuration.add_on, configuration.weight});
  }
  std::vector<WeightedCoordinate> coordinates;
  for (const Entry& entry : entries) {
    if (entry.weight == 0) continue;
    ASSIGN_OR_RETURN(coordinates.emplace_back(), coordinate_of(entry, plugins));
  }
  return coordinates;
}

}  // namespace berth::placement
