// Where the tokens of a JSON text start: simdjson's first stage, and the only file that knows it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace berth::json {

class TokenIndex {
 public:
  // simdjson counts in 32 bits and rounds up to whole blocks.
  static constexpr std::size_t kTextMax = 0xffffffff - 1024;

  TokenIndex();
  TokenIndex(TokenIndex&&) noexcept;
  TokenIndex& operator=(TokenIndex&&) noexcept;
  ~TokenIndex();

  // The offsets, ascending, of each bracket, brace, colon, comma, opening quote and first
  // character of anything else that is not white space and not inside a string. Empty when the
  // text is blank, is not UTF-8, or has a string that is not closed or holds a control character.
  // Valid until the next call. `text` must not be longer than kTextMax; it needs no padding.
  std::span<const std::uint32_t> scan(std::string_view text);

  // Gives memory back if a large text made it grow beyond a few megabytes.
  void shrink();

 private:
  struct Scanner;
  std::unique_ptr<Scanner> scanner_;
};

}  // namespace berth::json
