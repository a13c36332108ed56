#include "apiserver/kinds/version_order.h"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <optional>

#include "base/strings.h"

namespace berth::apiserver {
namespace {

// "v2beta10" is {2, Beta, 10}.
struct ApiVersion {
  enum class Maturity : std::uint8_t { Alpha, Beta, Stable };

  Maturity maturity = Maturity::Stable;
  std::uint64_t major = 0;
  std::uint64_t minor = 0;

  auto operator<=>(const ApiVersion&) const = default;
};

// The digits at the start, which are taken off; nullopt when there are none.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto number = parse_uint64(text.substr(0, digits));
  text.remove_prefix(digits);
  return number;
}

std::optional<ApiVersion> parse_version(std::string_view text) {
  if (!text.starts_with('v')) return std::nullopt;
  text.remove_prefix(1);
  const auto major = take_number(text);
  if (!major) return std::nullopt;
  ApiVersion version{.major = *major};
  if (text.empty()) return version;
  const bool is_alpha = text.starts_with("alpha");
  if (!is_alpha && !text.starts_with("beta")) return std::nullopt;
  version.maturity = is_alpha ? ApiVersion::Maturity::Alpha : ApiVersion::Maturity::Beta;
  text.remove_prefix(is_alpha ? 5 : 4);
  const auto minor = take_number(text);
  if (!minor || !text.empty()) return std::nullopt;
  version.minor = *minor;
  return version;
}

}  // namespace

bool is_preferred_version(std::string_view a, std::string_view b) {
  const auto version_a = parse_version(a);
  const auto version_b = parse_version(b);
  if (version_a && version_b && *version_a != *version_b) return *version_a > *version_b;
  if (version_a.has_value() != version_b.has_value()) return version_a.has_value();
  return a < b;
}

}  // namespace berth::apiserver
