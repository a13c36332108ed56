#include "apiserver/validation/percentages.h"

#include <algorithm>
#include <optional>

#include "base/strings.h"

namespace berth::apiserver {
namespace {

bool is_percent(std::string_view text) {
  if (!text.ends_with('%') || text.size() < 2) return false;
  text.remove_suffix(1);
  return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::optional<std::int64_t> percent_of(const Place& place) {
  std::string_view text = place.text();
  if (!is_percent(text)) return std::nullopt;
  text.remove_suffix(1);
  return parse_int64(text);
}

}  // namespace

void check_number_or_percent(const Place& place, Complaints& complaints) {
  if (!place.value().is_string()) return complaints.check_not_negative(place);
  if (is_percent(place.text())) return;
  complaints.invalid(place,
                     "a valid percent string must be a numeric string followed by an ending '%' "
                     "(e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')");
}

void check_at_most_100_percent(const Place& place, Complaints& complaints) {
  if (percent_of(place).value_or(0) > 100) {
    complaints.invalid(place, "must not be greater than 100%");
  }
}

std::int64_t number_or_percent(const Place& place) {
  if (const auto percent = percent_of(place)) return *percent;
  return place.value().is_string() ? parse_int64(place.text()).value_or(0)
                                   : place.number().value_or(0);
}

}  // namespace berth::apiserver
