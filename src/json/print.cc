#include "json/print.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "base/strings.h"

namespace berth::json {
namespace {

enum Escape : std::uint8_t { kPlain, kAlways, kHtml, kMaybe };

// What to do with a byte of a string: most can be copied as they are. kMaybe begins a character
// beyond ASCII, which has to be looked at as a whole.
constexpr std::array<Escape, 256> kEscapes = [] {
  std::array<Escape, 256> table{};
  for (std::size_t byte = 0; byte < 0x20; ++byte) table[byte] = kAlways;
  for (std::size_t byte = 0x80; byte < 256; ++byte) table[byte] = kMaybe;
  for (const char letter : {'"', '\\'}) table[static_cast<unsigned char>(letter)] = kAlways;
  for (const char letter : {'<', '>', '&'}) table[static_cast<unsigned char>(letter)] = kHtml;
  return table;
}();

Escape escape_of(char byte) { return kEscapes[static_cast<unsigned char>(byte)]; }

void append_escaped(std::string& text, char byte) {
  switch (byte) {
    case '"':
      text += "\\\"";
      break;
    case '\\':
      text += "\\\\";
      break;
    case '\b':
      text += "\\b";
      break;
    case '\f':
      text += "\\f";
      break;
    case '\n':
      text += "\\n";
      break;
    case '\r':
      text += "\\r";
      break;
    case '\t':
      text += "\\t";
      break;
    default:
      text += fmt::format("\\u{:04x}", static_cast<unsigned>(byte));
  }
}

// Appends the character beyond ASCII at the start of `rest` and returns its length.
std::size_t append_wide(std::string& text, std::string_view rest) {
  if (rest.starts_with("\xe2\x80\xa8") || rest.starts_with("\xe2\x80\xa9")) {
    text += rest[2] == '\xa8' ? "\\u2028" : "\\u2029";
    return 3;
  }
  // What is valid of the lead byte and the continuation bytes after it is one character.
  std::size_t length = 1;
  while (length < rest.size() && length < 4 && (rest[length] & '\xc0') == '\x80') ++length;
  const std::size_t valid = valid_utf8_prefix(rest.substr(0, length));
  if (valid == 0) {
    text += "\\ufffd";
    return 1;
  }
  text += rest.substr(0, valid);
  return valid;
}

class Printer {
 public:
  Printer(std::string& text, const PrintOptions& options) : text_(text), options_(options) {}

  // The depth of Values is bounded, so recursion is too.
  void print(const Value& value, int level) {
    switch (value.kind()) {
      case Kind::Null:
        text_ += "null";
        break;
      case Kind::Boolean:
        text_ += *value.as_bool() ? "true" : "false";
        break;
      case Kind::Number:
        print_number(value);
        break;
      case Kind::String:
        append_quoted(text_, value.string_or_empty(), options_.html);
        break;
      case Kind::Array:
        print_array(value, level);
        break;
      case Kind::Object:
        print_object(value, level);
        break;
    }
  }

 private:
  void print_number(const Value& value) {
    if (const auto whole = value.as_int()) {
      const fmt::format_int digits(*whole);
      text_.append(digits.data(), digits.size());
    } else {
      text_ += value.number_text();
    }
  }

  void print_array(const Value& value, int level) {
    text_ += '[';
    bool first = true;
    for (const Value& element : value.elements()) {
      if (!first) text_ += ',';
      first = false;
      break_line(level + 1);
      print(element, level + 1);
    }
    if (!first) break_line(level);
    text_ += ']';
  }

  void print_object(const Value& value, int level) {
    text_ += '{';
    bool first = true;
    for (const Member& member : value.members()) {
      if (!first) text_ += ',';
      first = false;
      break_line(level + 1);
      append_quoted(text_, member.name(), options_.html);
      text_ += ':';
      if (options_.indent > 0) text_ += ' ';
      print(member.value, level + 1);
    }
    if (!first) break_line(level);
    text_ += '}';
  }

  void break_line(int level) {
    if (options_.indent == 0) return;
    text_ += '\n';
    text_.append(static_cast<std::size_t>(level * options_.indent), ' ');
  }

  std::string& text_;
  const PrintOptions& options_;
};

}  // namespace

void append_quoted(std::string& text, std::string_view string, HtmlEscape html) {
  text += '"';
  std::size_t copied = 0;
  std::size_t at = 0;
  while (at < string.size()) {
    const Escape escape = escape_of(string[at]);
    if (escape == kPlain || (escape == kHtml && html == HtmlEscape::No)) {
      ++at;
      continue;
    }
    text.append(string.substr(copied, at - copied));
    if (escape == kMaybe) {
      at += append_wide(text, string.substr(at));
    } else {
      append_escaped(text, string[at]);
      ++at;
    }
    copied = at;
  }
  text.append(string.substr(copied));
  text += '"';
}

void append(std::string& text, const Value& value, const PrintOptions& options) {
  Printer(text, options).print(value, 0);
}

std::string print(const Value& value, const PrintOptions& options) {
  std::string text;
  append(text, value, options);
  return text;
}

}  // namespace berth::json
