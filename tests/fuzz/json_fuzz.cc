// The parser against a second, slow and simple reading of RFC 8259, and against the printer.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/strings.h"
#include "json/depth.h"
#include "json/parse.h"
#include "json/print.h"

namespace {

using berth::json::kDepthMax;

// A recognizer that goes through the text byte by byte.
class Grammar {
 public:
  explicit Grammar(std::string_view text) : rest_(text) {}

  bool accepts() { return value(0) && (space(), rest_.empty()); }

 private:
  void space() {
    while (!rest_.empty() && std::string_view(" \t\r\n").find(rest_[0]) != std::string_view::npos) {
      rest_.remove_prefix(1);
    }
  }

  bool take(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  bool value(std::size_t depth) {
    space();
    if (rest_.starts_with('{') || rest_.starts_with('[')) {
      return depth < kDepthMax && (rest_[0] == '{' ? object(depth) : array(depth));
    }
    if (rest_.starts_with('"')) return string();
    return take("true") || take("false") || take("null") || number();
  }

  bool array(std::size_t depth) {
    take("[");
    space();
    if (take("]")) return true;
    do {
      if (!value(depth + 1)) return false;
      space();
    } while (take(","));
    return take("]");
  }

  bool object(std::size_t depth) {
    take("{");
    space();
    if (take("}")) return true;
    do {
      space();
      if (!string()) return false;
      space();
      if (!take(":") || !value(depth + 1)) return false;
      space();
    } while (take(","));
    return take("}");
  }

  bool digits() {
    const std::size_t before = rest_.size();
    while (!rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9') rest_.remove_prefix(1);
    return rest_.size() < before;
  }

  bool number() {
    take("-");
    if (!take("0") && !digits()) return false;
    if (take(".") && !digits()) return false;
    if (take("e") || take("E")) {
      if (!take("+")) take("-");
      return digits();
    }
    return true;
  }

  // The four digits of a \u escape; -1 if they are not there.
  int unit() {
    int code = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      if (rest_.empty()) return -1;
      const std::size_t digit =
          std::string_view("0123456789abcdef")
              .find(
                  static_cast<char>(rest_[0] >= 'A' && rest_[0] <= 'F' ? rest_[0] + 32 : rest_[0]));
      if (digit == std::string_view::npos) return -1;
      code = code * 16 + static_cast<int>(digit);
      rest_.remove_prefix(1);
    }
    return code;
  }

  bool escape() {
    for (const std::string_view simple : {"\"", "\\", "/", "b", "f", "n", "r", "t"}) {
      if (take(simple)) return true;
    }
    if (!take("u")) return false;
    const int first = unit();
    if (first < 0xd800 || first > 0xdfff) return first >= 0;
    if (first > 0xdbff || !take("\\u")) return false;
    const int second = unit();
    return second >= 0xdc00 && second <= 0xdfff;
  }

  bool string() {
    if (!take("\"")) return false;
    while (!rest_.empty()) {
      if (take("\"")) return true;
      if (take("\\")) {
        if (!escape()) return false;
      } else {
        if (static_cast<unsigned char>(rest_[0]) < 0x20) return false;
        rest_.remove_prefix(1);
      }
    }
    return false;
  }

  std::string_view rest_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto parsed = berth::json::parse_document(text);
  CHECK(parsed.ok() == (berth::is_valid_utf8(text) && Grammar(text).accepts()));
  if (!parsed.ok()) {
    CHECK(parsed.error().message.starts_with("line "));
    return 0;
  }
  CHECK(berth::json::depth_of(parsed->value) <= kDepthMax);
  const std::string printed = berth::json::print(parsed->value);
  const auto again = berth::json::parse_document(printed);
  CHECK(again.ok() && again->duplicate_fields.empty());
  CHECK(berth::json::print(again->value) == printed);
  const berth::json::PrintOptions pretty{.html = berth::json::HtmlEscape::Yes, .indent = 1};
  CHECK(berth::json::parse(berth::json::print(parsed->value, pretty)).value() == again->value);
  return 0;
}
