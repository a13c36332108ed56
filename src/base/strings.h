// The few string operations that everything above needs.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace berth {

// split("a,,b", ',') is {"a", "", "b"}; split("", ',') is {""}. The views point into `text`.
std::vector<std::string_view> split(std::string_view text, char separator);

std::string join(const std::vector<std::string>& parts, std::string_view separator);

// Without ASCII white space at either end.
std::string_view trim(std::string_view text);

std::string lower_ascii(std::string_view text);

// As Go's %q and JSON do: in double quotes, with control characters and quotes escaped.
std::string quote(std::string_view text);

// The whole text as a decimal number; nullopt on anything else, overflow included.
std::optional<std::int64_t> parse_int64(std::string_view text);
std::optional<std::uint64_t> parse_uint64(std::string_view text);

bool is_valid_utf8(std::string_view text);

// How many bytes at the start of the text are well-formed UTF-8; all of them if it is valid.
std::size_t valid_utf8_prefix(std::string_view text);

// At most `bytes_max` bytes of the text, never cutting a UTF-8 character in two.
std::string_view cut_utf8(std::string_view text, std::size_t bytes_max);

// Lets maps keyed by std::string be searched with a string_view.
struct StringHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};

}  // namespace berth
