#include "apiserver/apply/field_path.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>

#include <fmt/format.h>

#include "base/strings.h"
#include "json/parse.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

using json::Kind;
using json::Value;

// Keys and elements of sets are scalars; whatever else stands in a FieldsV1 must not go deep.
constexpr std::size_t kElementDepthMax = 16;

int rank(const Value& value) {
  switch (value.kind()) {
    case Kind::Number:
      return 0;
    case Kind::String:
      return 1;
    case Kind::Boolean:
      return 2;
    case Kind::Array:
      return 3;
    case Kind::Object:
      return 4;
    case Kind::Null:
      break;
  }
  return 5;
}

std::weak_ordering compare(const Value& a, const Value& b);

std::weak_ordering compare_numbers(const Value& a, const Value& b) {
  const auto whole_a = a.as_int();
  const auto whole_b = b.as_int();
  if (whole_a && whole_b) return *whole_a <=> *whole_b;
  const double left = a.as_double().value_or(0);
  const double right = b.as_double().value_or(0);
  if (left < right) return std::weak_ordering::less;
  return left > right ? std::weak_ordering::greater : std::weak_ordering::equivalent;
}

std::weak_ordering compare_members(const Value& a, const Value& b) {
  return std::lexicographical_compare_three_way(
      a.members().begin(), a.members().end(), b.members().begin(), b.members().end(),
      [](const json::Member& left, const json::Member& right) -> std::weak_ordering {
        const std::weak_ordering names = left.name() <=> right.name();
        return names != 0 ? names : compare(left.value, right.value);
      });
}

std::weak_ordering compare(const Value& a, const Value& b) {
  if (const auto ranks = rank(a) <=> rank(b); ranks != 0) return ranks;
  switch (a.kind()) {
    case Kind::Number:
      return compare_numbers(a, b);
    case Kind::String:
      return a.string_or_empty() <=> b.string_or_empty();
    case Kind::Boolean:
      return a.as_bool().value_or(false) <=> b.as_bool().value_or(false);
    case Kind::Array:
      return std::lexicographical_compare_three_way(a.elements().begin(), a.elements().end(),
                                                    b.elements().begin(), b.elements().end(),
                                                    compare);
    case Kind::Object:
      return compare_members(a, b);
    case Kind::Null:
      break;
  }
  return std::weak_ordering::equivalent;
}

std::string text_of_value(const Value& value) {
  if (const auto text = value.as_string()) return quote(*text);
  return json::print(value);
}

// The reference reads every number of a FieldsV1 as a double. Beyond 2^53 that changes it, and what
// is written next time.
Value as_reference_reads(Value value) {
  constexpr std::int64_t kExactMax = std::int64_t{1} << 53;
  if (!value.is_number()) return value;
  const auto whole = value.as_int();
  if (whole && *whole <= kExactMax && *whole >= -kExactMax) return value;
  const double number = value.as_double().value_or(0);
  return number - number == 0 ? Value(number) : value;
}

std::unexpected<Error> bad_element(std::string_view text, std::string_view problem) {
  return failure(Code::BadRequest, fmt::format("path element {}: {}", quote(text), problem));
}

Result<std::optional<PathElement>> decode_key(std::string_view text, Value keys) {
  if (!keys.is_object()) return bad_element(text, "expected an object of keys");
  for (const json::Member& member : keys.members()) {
    if (Value* value = keys.find(member.name())) *value = as_reference_reads(std::move(*value));
  }
  return PathElement::key(std::move(keys));
}

}  // namespace

PathElement PathElement::key(Value keys) {
  const auto names_sorted = [](const Value& object) {
    return std::ranges::is_sorted(object.members(), {}, &json::Member::name);
  };
  if (names_sorted(keys)) return {Kind::Key, std::move(keys)};
  std::vector<json::Member> members(keys.members().begin(), keys.members().end());
  std::ranges::sort(members, {}, &json::Member::name);
  return {Kind::Key, Value::take_object(members)};
}

std::weak_ordering operator<=>(const PathElement& a, const PathElement& b) {
  if (a.kind != b.kind) return a.kind <=> b.kind;
  if (a.kind == PathElement::Kind::Field) return a.name() <=> b.name();
  return compare(a.value, b.value);
}

FieldPath path_of(std::initializer_list<std::string_view> names) {
  FieldPath path;
  for (const std::string_view name : names) path.push_back(PathElement::field(name));
  return path;
}

std::string text_of(const PathElement& element) {
  switch (element.kind) {
    case PathElement::Kind::Field:
      return fmt::format(".{}", element.name());
    case PathElement::Kind::Key: {
      std::vector<std::string> keys;
      for (const json::Member& member : element.value.members()) {
        keys.push_back(fmt::format("{}={}", member.name(), text_of_value(member.value)));
      }
      return fmt::format("[{}]", join(keys, ","));
    }
    case PathElement::Kind::Value:
      return fmt::format("[={}]", text_of_value(element.value));
    case PathElement::Kind::Index:
      break;
  }
  return fmt::format("[{}]", json::print(element.value));
}

std::string text_of(std::span<const PathElement> path) {
  std::string text;
  for (const PathElement& element : path) text += text_of(element);
  return text;
}

std::string encode_element(const PathElement& element) {
  constexpr json::PrintOptions kEscaped{.html = json::HtmlEscape::Yes};
  switch (element.kind) {
    case PathElement::Kind::Field:
      return std::string("f:").append(element.name());
    case PathElement::Kind::Key: {
      std::string text = "k:{";
      for (const json::Member& member : element.value.members()) {
        if (!text.ends_with('{')) text += ',';
        json::append_quoted(text, member.name());
        text += ':';
        json::append(text, member.value, kEscaped);
      }
      return text + '}';
    }
    case PathElement::Kind::Value:
      return "v:" + json::print(element.value, kEscaped);
    case PathElement::Kind::Index:
      break;
  }
  return "i:" + json::print(element.value);
}

Result<std::optional<PathElement>> decode_element(std::string_view text) {
  if (text.size() < 2 || text[1] != ':') {
    return bad_element(text, "expected f:, k:, v: or i: at its start");
  }
  const std::string_view rest = text.substr(2);
  if (text[0] == 'f') return PathElement::field(rest);
  if (text[0] == 'i') {
    const auto index = parse_int64(rest);
    if (!index) return bad_element(text, "expected a number");
    return PathElement{PathElement::Kind::Index, Value(*index)};
  }
  if (text[0] != 'k' && text[0] != 'v') return std::nullopt;

  auto value = json::parse(rest, {.depth_max = kElementDepthMax});
  if (!value.ok()) return bad_element(text, value.error().message);
  if (text[0] == 'k') return decode_key(text, *std::move(value));
  return PathElement::of_value(as_reference_reads(*std::move(value)));
}

}  // namespace berth::apiserver
