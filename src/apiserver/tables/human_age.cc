#include "apiserver/tables/human_age.h"

#include <cstdint>
#include <string_view>

#include <fmt/format.h>

namespace berth::apiserver {
namespace {

// "3d4h", or "3d" when there is no rest.
std::string in_two(std::int64_t large, std::string_view large_unit, std::int64_t small,
                   std::string_view small_unit) {
  if (small == 0) return fmt::format("{}{}", large, large_unit);
  return fmt::format("{}{}{}{}", large, large_unit, small, small_unit);
}

}  // namespace

std::string human_duration(Duration length) {
  const std::int64_t seconds = length / std::chrono::seconds(1);
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 2 * 60) return fmt::format("{}s", seconds);

  const std::int64_t minutes = seconds / 60;
  if (minutes < 10) return in_two(minutes, "m", seconds % 60, "s");
  if (minutes < 3 * 60) return fmt::format("{}m", minutes);

  const std::int64_t hours = minutes / 60;
  if (hours < 8) return in_two(hours, "h", minutes % 60, "m");
  if (hours < 2 * 24) return fmt::format("{}h", hours);

  const std::int64_t days = hours / 24;
  if (days < 8) return in_two(days, "d", hours % 24, "h");
  if (days < 2 * 365) return fmt::format("{}d", days);
  if (days < 8 * 365) return in_two(days / 365, "y", days % 365, "d");
  return fmt::format("{}y", days / 365);
}

std::string human_age(std::optional<Time> since, Time now) {
  if (!since || *since == Time::min()) return "<unknown>";
  return human_duration(now - *since);
}

}  // namespace berth::apiserver
