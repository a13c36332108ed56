#include "json/yaml_print.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include <yaml.h>

#include "base/check.h"
#include "base/strings.h"
#include "json/yaml_scalar.h"

namespace berth::json {
namespace {

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

// Names beyond ASCII sort behind the ASCII ones; their letters are not told from other signs.
bool is_letter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         static_cast<unsigned char>(letter) >= 0x80;
}

struct Digits {
  std::uint64_t number;
  std::size_t end;
};

// The number at `start`, continuing one that begins before it. Wraps around beyond 64 bits, as in
// Go: any total order will do.
Digits digits_at(std::string_view name, std::size_t start, std::uint64_t number) {
  std::size_t end = start;
  for (; end < name.size() && is_digit(name[end]); ++end) {
    number = number * 10 + static_cast<std::uint64_t>(name[end] - '0');
  }
  return {number, end};
}

// Whether a number other than zero ends right before `end`.
bool number_before(std::string_view name, std::size_t end) {
  while (end > 0 && is_digit(name[end - 1])) {
    if (name[--end] != '0') return true;
  }
  return false;
}

// Times like 1:30 are numbers to other readers of YAML 1.1 and therefore quoted:
// [-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?
bool is_base60(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  if (text.empty() || !is_digit(text[0])) return false;
  const auto skip = [&](std::string_view letters) {
    text.remove_prefix(std::min(text.find_first_not_of(letters), text.size()));
  };
  skip("0123456789_");
  if (!text.starts_with(':')) return false;
  while (text.starts_with(':')) {
    text.remove_prefix(1);
    const bool two = text.size() > 1 && text[0] <= '5' && is_digit(text[0]) && is_digit(text[1]);
    if (!two && (text.empty() || !is_digit(text[0]))) return false;
    text.remove_prefix(two ? 2 : 1);
  }
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    skip("0123456789_");
  }
  return text.empty();
}

// Line breaks of YAML 1.1 that JSON and people do not know as such, and the byte order mark: only
// escapes keep them what they are.
bool needs_escapes(std::string_view text) {
  constexpr std::string_view kSigns[] = {"\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9",
                                         "\xef\xbb\xbf"};
  return std::ranges::any_of(
      kSigns, [&](std::string_view sign) { return text.find(sign) != std::string_view::npos; });
}

yaml_scalar_style_t style_of(std::string_view text) {
  if (needs_escapes(text)) return YAML_DOUBLE_QUOTED_SCALAR_STYLE;
  if (text.find('\n') != std::string_view::npos) return YAML_LITERAL_SCALAR_STYLE;
  const bool means_itself = resolve_plain(text).type == YamlType::String && !is_base60(text);
  return means_itself ? YAML_PLAIN_SCALAR_STYLE : YAML_DOUBLE_QUOTED_SCALAR_STYLE;
}

std::string replace_bad_utf8(std::string_view text) {
  std::string good;
  for (;;) {
    const std::size_t valid = valid_utf8_prefix(text);
    good += text.substr(0, valid);
    if (valid == text.size()) return good;
    good += "\xef\xbf\xbd";
    text.remove_prefix(valid + 1);
  }
}

std::string number_text(const Value& number) {
  const std::string text = number.number_text();
  const YamlScalar scalar = resolve_plain(text);
  switch (scalar.type) {
    case YamlType::Integer:
      return scalar.value.number_text();
    case YamlType::Float:
      return print_yaml_float(scalar.real, FloatWidth::Bits64);
    default:
      return text;  // Beyond the range of a double.
  }
}

// libyaml's emitter, writing into a string.
class Emitter {
 public:
  Emitter() {
    CHECK(yaml_emitter_initialize(&emitter_));
    yaml_emitter_set_output(&emitter_, &Emitter::write, &text_);
    yaml_emitter_set_unicode(&emitter_, 1);
    yaml_event_t event;
    CHECK(yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING));
    emit(event);
    CHECK(yaml_document_start_event_initialize(&event, nullptr, nullptr, nullptr, 1));
    emit(event);
  }
  Emitter(const Emitter&) = delete;
  Emitter& operator=(const Emitter&) = delete;
  ~Emitter() { yaml_emitter_delete(&emitter_); }

  // The depth of Values is bounded, so recursion is too.
  void print(const Value& value);
  std::string finish();

 private:
  void scalar(std::string_view text, yaml_scalar_style_t style);
  void string(std::string_view text);
  void array(const Value& value);
  void object(const Value& value);
  void emit(yaml_event_t& event) { CHECK(yaml_emitter_emit(&emitter_, &event)); }

  static int write(void* text, unsigned char* buffer, std::size_t size) {
    static_cast<std::string*>(text)->append(reinterpret_cast<char*>(buffer), size);
    return 1;
  }

  std::string text_ = {};
  yaml_emitter_t emitter_ = {};
};

void Emitter::print(const Value& value) {
  switch (value.kind()) {
    case Kind::Null:
      return scalar("null", YAML_PLAIN_SCALAR_STYLE);
    case Kind::Boolean:
      return scalar(*value.as_bool() ? "true" : "false", YAML_PLAIN_SCALAR_STYLE);
    case Kind::Number:
      return scalar(number_text(value), YAML_PLAIN_SCALAR_STYLE);
    case Kind::String:
      return string(value.string_or_empty());
    case Kind::Array:
      return array(value);
    case Kind::Object:
      return object(value);
  }
}

void Emitter::scalar(std::string_view text, yaml_scalar_style_t style) {
  yaml_event_t event;
  CHECK(yaml_scalar_event_initialize(&event, nullptr, nullptr,
                                     reinterpret_cast<const yaml_char_t*>(text.data()),
                                     static_cast<int>(text.size()), 1, 1, style));
  emit(event);
}

void Emitter::string(std::string_view text) {
  if (is_valid_utf8(text)) {
    scalar(text, style_of(text));
  } else {
    const std::string good = replace_bad_utf8(text);
    scalar(good, style_of(good));
  }
}

void Emitter::array(const Value& value) {
  yaml_event_t event;
  CHECK(
      yaml_sequence_start_event_initialize(&event, nullptr, nullptr, 1, YAML_BLOCK_SEQUENCE_STYLE));
  emit(event);
  for (const Value& element : value.elements()) print(element);
  CHECK(yaml_sequence_end_event_initialize(&event));
  emit(event);
}

void Emitter::object(const Value& value) {
  std::vector<const Member*> sorted;
  for (const Member& member : value.members()) sorted.push_back(&member);
  std::ranges::sort(sorted, yaml_name_less, &Member::name);

  yaml_event_t event;
  CHECK(yaml_mapping_start_event_initialize(&event, nullptr, nullptr, 1, YAML_BLOCK_MAPPING_STYLE));
  emit(event);
  for (const Member* member : sorted) {
    string(member->name());
    print(member->value);
  }
  CHECK(yaml_mapping_end_event_initialize(&event));
  emit(event);
}

std::string Emitter::finish() {
  yaml_event_t event;
  CHECK(yaml_document_end_event_initialize(&event, 1));
  emit(event);
  CHECK(yaml_stream_end_event_initialize(&event));
  emit(event);
  // libyaml marks the end of a document that ends in blank lines; kubectl does not.
  constexpr std::string_view kEndMark = "\n...\n";
  if (text_.ends_with(kEndMark)) text_.resize(text_.size() - kEndMark.size() + 1);
  return std::move(text_);
}

}  // namespace

bool yaml_name_less(std::string_view a, std::string_view b) {
  const auto [at_a, at_b] = std::ranges::mismatch(a, b);
  if (at_a == a.end() || at_b == b.end()) return a.size() < b.size();
  const bool letter_a = is_letter(*at_a);
  const bool letter_b = is_letter(*at_b);
  if (letter_a && letter_b) {
    return static_cast<unsigned char>(*at_a) < static_cast<unsigned char>(*at_b);
  }
  if (letter_a || letter_b) return letter_b;

  const auto i = static_cast<std::size_t>(at_a - a.begin());
  const bool zero = *at_a == '0' || *at_b == '0';
  const std::uint64_t before = zero && number_before(a, i) ? 1 : 0;
  const Digits digits_a = digits_at(a, i, before);
  const Digits digits_b = digits_at(b, i, before);
  if (digits_a.number != digits_b.number) return digits_a.number < digits_b.number;
  if (digits_a.end != digits_b.end) return digits_a.end < digits_b.end;
  return *at_a < *at_b;
}

std::string print_yaml(const Value& value) {
  Emitter emitter;
  emitter.print(value);
  return emitter.finish();
}

}  // namespace berth::json
