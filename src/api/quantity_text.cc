#include "api/quantity_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

namespace berth::api {
namespace {

using Family = QuantityText::Family;

struct Suffix {
  std::string_view text;
  Family family;
  int exponent;
};

constexpr std::array kSuffixes = {
    Suffix{"", Family::Decimal, 0},   Suffix{"m", Family::Decimal, -3},
    Suffix{"Mi", Family::Binary, 20}, Suffix{"Gi", Family::Binary, 30},
    Suffix{"Ki", Family::Binary, 10}, Suffix{"k", Family::Decimal, 3},
    Suffix{"M", Family::Decimal, 6},  Suffix{"G", Family::Decimal, 9},
    Suffix{"T", Family::Decimal, 12}, Suffix{"P", Family::Decimal, 15},
    Suffix{"E", Family::Decimal, 18}, Suffix{"Ti", Family::Binary, 40},
    Suffix{"Pi", Family::Binary, 50}, Suffix{"Ei", Family::Binary, 60},
    Suffix{"u", Family::Decimal, -6}, Suffix{"n", Family::Decimal, -9},
};

constexpr std::string_view kSuffixLetters = "eEinumkKMGTP";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Takes characters off the front of what is left of a text.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  std::string_view rest() const { return rest_; }
  bool at_end() const { return rest_.empty(); }

  bool skip(char wanted) {
    const bool found = rest_.starts_with(wanted);
    if (found) rest_.remove_prefix(1);
    return found;
  }

  std::string_view digits() {
    return take(
        static_cast<std::size_t>(std::ranges::find_if_not(rest_, is_digit) - rest_.begin()));
  }

  std::string_view letters_of(std::string_view set) {
    return take(std::min(rest_.find_first_not_of(set), rest_.size()));
  }

 private:
  std::string_view take(std::size_t count) {
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }

  std::string_view rest_;
};

std::unexpected<Error> wrong_format() {
  return failure(Code::Invalid,
                 "quantities must match the regular expression "
                 "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
}

std::unexpected<Error> wrong_suffix() {
  return failure(Code::Invalid, "unable to parse quantity's suffix");
}

// The number behind 'e' or 'E'.
std::optional<int> parse_exponent(std::string_view text, int exponent_max) {
  Scanner scanner(text);
  const bool negative = scanner.skip('-');
  if (!negative) scanner.skip('+');
  if (scanner.at_end()) return std::nullopt;
  int exponent = 0;
  for (const char c : scanner.rest()) {
    if (!is_digit(c)) return std::nullopt;
    exponent = exponent * 10 + (c - '0');
    if (exponent > exponent_max) return std::nullopt;
  }
  return negative ? -exponent : exponent;
}

// A suffix is letters, a sign and digits; what it means is decided afterwards.
Result<std::string_view> scan_suffix(Scanner& scanner) {
  const std::string_view suffix = scanner.rest();
  scanner.letters_of(kSuffixLetters);
  if (!scanner.skip('-')) scanner.skip('+');
  scanner.digits();
  if (!scanner.at_end()) return wrong_format();
  return suffix;
}

}  // namespace

Result<QuantityText> scan_quantity(std::string_view text, int exponent_max) {
  if (text.empty()) return wrong_format();
  QuantityText pieces;
  Scanner scanner(text);
  pieces.negative = scanner.skip('-');
  if (!pieces.negative) scanner.skip('+');

  pieces.whole = scanner.digits();
  if (scanner.skip('.')) pieces.fraction = scanner.digits();
  pieces.has_digits = !pieces.whole.empty() || !pieces.fraction.empty();
  pieces.whole.remove_prefix(std::min(pieces.whole.find_first_not_of('0'), pieces.whole.size()));
  if (pieces.whole.empty()) pieces.whole = "0";

  ASSIGN_OR_RETURN(const std::string_view suffix, scan_suffix(scanner));
  const auto* known = std::ranges::find(kSuffixes, suffix, &Suffix::text);
  if (known != kSuffixes.end()) {
    pieces.family = known->family;
    pieces.exponent = known->exponent;
    return pieces;
  }
  if (!suffix.starts_with('e') && !suffix.starts_with('E')) return wrong_suffix();
  const auto exponent = parse_exponent(suffix.substr(1), exponent_max);
  if (!exponent) return wrong_suffix();
  pieces.family = Family::Exponent;
  pieces.exponent = *exponent;
  return pieces;
}

}  // namespace berth::api
