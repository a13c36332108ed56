#include "cel/ext_strings.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "cel/code_points.h"
#include "cel/cost.h"
#include "cel/display.h"
#include "cel/source.h"
#include "cel/string_format.h"

namespace berth::cel {
namespace {

using enum TypeKind;

// Some functions index all code points of their text, which takes eight bytes each.
[[nodiscard]] bool charge_scan(Call& call) {
  return call.context.charge(call[0].text().size() * sizeof(std::size_t));
}

Value out_of_range(Call& call, std::int64_t index) {
  return call.context.error({"index out of range: ", std::to_string(index)});
}

Value char_at(Call& call) {
  if (!charge_scan(call)) return call.context.cancelled();
  const auto offsets = code_point_offsets(call[0].text());
  const std::int64_t index = call[1].as_int();
  const auto length = static_cast<std::int64_t>(offsets.size()) - 1;
  if (index < 0 || index > length) return out_of_range(call, index);
  if (index == length) return Value::string("");
  const auto at = static_cast<std::size_t>(index);
  return Value::string(call[0].text().substr(offsets[at], offsets[at + 1] - offsets[at]));
}

Value index_of(Call& call) {
  if (!charge_scan(call)) return call.context.cancelled();
  const std::int64_t from = call.arguments.size() == 3 ? call[2].as_int() : 0;
  if (from < 0) return out_of_range(call, from);
  return Value::integer(find_forward(call[0].text(), call[1].text(), from));
}

Value last_index_of(Call& call) {
  if (!charge_scan(call)) return call.context.cancelled();
  const std::string_view text = call[0].text();
  const std::string_view wanted = call[1].text();
  const auto length = static_cast<std::int64_t>(count_code_points(text));
  if (call.arguments.size() == 3) {
    if (call[2].as_int() < 0) return out_of_range(call, call[2].as_int());
    return Value::integer(find_backward(text, wanted, call[2].as_int()));
  }
  if (wanted.empty()) return Value::integer(length);
  if (text.size() < wanted.size()) return Value::integer(-1);
  return Value::integer(find_backward(text, wanted, length - 1));
}

template <typename Change>
Value changed_bytes(Call& call, Change change) {
  const Value copy = call.context.string(call[0].text());
  if (copy.is_error()) return copy;
  std::string text(copy.text());
  std::ranges::transform(text, text.begin(), change);
  return call.context.string(text);
}

Value lower_ascii_of(Call& call) {
  return changed_bytes(
      call, [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
}

Value upper_ascii_of(Call& call) {
  return changed_bytes(
      call, [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
}

Value trim_of(Call& call) {
  if (!call.context.charge(call[0].text().size())) return call.context.cancelled();
  return Value::string(trim_unicode(call[0].text()));
}

Value reverse(Call& call) {
  if (!charge_scan(call)) return call.context.cancelled();
  std::string_view text = call[0].text();
  std::string reversed(text.size(), '\0');
  for (std::size_t end = text.size(); !text.empty();) {
    const std::size_t length = code_point_length(text);
    end -= length;
    text.copy(&reversed[end], length);
    text.remove_prefix(length);
  }
  return call.context.string(reversed);
}

// An empty pattern stands before every code point and at the end.
Value replace_empty(Call& call, std::int64_t times) {
  std::string_view text = call[0].text();
  const std::string_view replacement = call[2].text();
  const auto gaps = static_cast<std::int64_t>(count_code_points(text)) + 1;
  const std::int64_t count = times < 0 ? gaps : std::min(times, gaps);
  const std::uint64_t size = text.size() + static_cast<std::uint64_t>(count) * replacement.size();
  if (!call.context.charge(size)) return call.context.cancelled();
  std::string result;
  for (std::int64_t i = 0; i < count; ++i) {
    result += replacement;
    if (text.empty()) break;
    const std::size_t length = code_point_length(text);
    result += text.substr(0, length);
    text.remove_prefix(length);
  }
  result += text;
  return call.context.string(result);
}

Value replace(Call& call) {
  const std::string_view text = call[0].text();
  const std::string_view pattern = call[1].text();
  const std::string_view replacement = call[2].text();
  const std::int64_t times = call.arguments.size() == 4 ? call[3].as_int() : -1;
  if (pattern.empty()) return replace_empty(call, times);
  if (!call.context.charge(text.size())) return call.context.cancelled();
  std::string result;
  std::size_t position = 0;
  for (std::int64_t done = 0; times < 0 || done < times; ++done) {
    const std::size_t found = text.find(pattern, position);
    if (found == std::string_view::npos) break;
    if (!call.context.charge(replacement.size() + 1)) return call.context.cancelled();
    result += text.substr(position, found - position);
    result += replacement;
    position = found + pattern.size();
  }
  result += text.substr(position);
  return call.context.string(result);
}

Value split_of(Call& call) {
  std::string_view text = call[0].text();
  const std::string_view separator = call[1].text();
  const std::int64_t parts_max = call.arguments.size() == 3 ? call[2].as_int() : -1;
  if (parts_max == 0) return Value::list({});
  if (!call.context.charge(text.size() * sizeof(Value))) return call.context.cancelled();
  std::vector<Value> parts;
  const auto may_cut = [&] {
    return parts_max < 0 || static_cast<std::int64_t>(parts.size()) + 1 < parts_max;
  };
  if (separator.empty()) {
    while (!text.empty() && may_cut()) {
      const std::size_t length = code_point_length(text);
      parts.push_back(Value::string(text.substr(0, length)));
      text.remove_prefix(length);
    }
    if (!text.empty()) parts.push_back(Value::string(text));
    return call.context.list(parts);
  }
  for (std::size_t found = text.find(separator); found != std::string_view::npos && may_cut();
       found = text.find(separator)) {
    parts.push_back(Value::string(text.substr(0, found)));
    text.remove_prefix(found + separator.size());
  }
  parts.push_back(Value::string(text));
  return call.context.list(parts);
}

Value substring(Call& call) {
  if (!charge_scan(call)) return call.context.cancelled();
  const auto offsets = code_point_offsets(call[0].text());
  const auto length = static_cast<std::int64_t>(offsets.size()) - 1;
  const std::int64_t start = call[1].as_int();
  const std::int64_t end = call.arguments.size() == 3 ? call[2].as_int() : length;
  if (call.arguments.size() == 3 && start > end) {
    return call.context.error({"invalid substring range. start: ", std::to_string(start),
                               ", end: ", std::to_string(end)});
  }
  if (start < 0 || start > length) return out_of_range(call, start);
  if (end < 0 || end > length) return out_of_range(call, end);
  const std::size_t first = offsets[static_cast<std::size_t>(start)];
  const std::size_t last = offsets[static_cast<std::size_t>(end)];
  return Value::string(call[0].text().substr(first, last - first));
}

Value join_of(Call& call) {
  const std::string_view separator = call.arguments.size() == 2 ? call[1].text() : "";
  std::string result;
  for (std::size_t i = 0; i < call[0].size(); ++i) {
    const Value element = call[0].element(i);
    if (!element.is(ValueKind::String)) {
      return call.context.error({"join: invalid input: ", display(element)});
    }
    if (!call.context.charge(element.text().size() + separator.size() + 1)) {
      return call.context.cancelled();
    }
    if (i > 0) result += separator;
    result += element.text();
  }
  return call.context.string(result);
}

Value quote_of(Call& call) {
  if (!call.context.charge(call[0].text().size() * 2)) return call.context.cancelled();
  constexpr std::string_view kSpecial = "\a\b\f\n\r\t\v\\\"";
  constexpr std::string_view kLetters = "abfnrtv\\\"";
  std::string result = "\"";
  for (const char c : call[0].text()) {
    const std::size_t special = kSpecial.find(c);
    if (special == std::string_view::npos) {
      result += c;
    } else {
      result += '\\';
      result += kLetters[special];
    }
  }
  return call.context.string(result + "\"");
}

std::uint64_t char_at_cost(std::span<const Value> arguments, const Value&) {
  return 2 + traversal_cost(size_for_cost(arguments[0]));
}

std::uint64_t transform_cost(std::span<const Value> arguments, const Value& result) {
  return 1 + traversal_cost(size_for_cost(arguments[0])) + size_for_cost(result);
}

std::uint64_t search_cost(std::span<const Value> arguments, const Value&) {
  return 1 + traversal_cost(size_for_cost(arguments[0]) * size_for_cost(arguments[1]));
}

std::uint64_t replace_cost(std::span<const Value> arguments, const Value& result) {
  const std::uint64_t text = std::max<std::uint64_t>(size_for_cost(arguments[0]), 1);
  const std::uint64_t pattern = std::max<std::uint64_t>(size_for_cost(arguments[1]), 1);
  return 1 + traversal_cost(text * pattern) + size_for_cost(result);
}

std::uint64_t split_cost(std::span<const Value> arguments, const Value& result) {
  return 1 + traversal_cost(size_for_cost(arguments[0]) + 1) + size_for_cost(result) + kListCost;
}

std::uint64_t join_cost(std::span<const Value> arguments, const Value& result) {
  return 1 + traversal_cost(size_for_cost(arguments[0]) + 1) + size_for_cost(result);
}

Overload member(std::string id, std::vector<Type> parameters, Type result,
                Implementation implementation, CostFunction cost) {
  return {.id = std::move(id),
          .style = CallStyle::Member,
          .parameters = std::move(parameters),
          .result = std::move(result),
          .implementation = implementation,
          .cost = cost};
}

}  // namespace

void add_strings_library(Environment& environment) {
  environment.add_validator(validate_format_calls);
  const Type strings = Type::list(String);
  const auto add = [&](std::string name, std::vector<Overload> overloads) {
    environment.add_function({.name = std::move(name), .overloads = std::move(overloads)});
  };
  add("charAt", {member("string_char_at_int", {String, Int}, String, char_at, char_at_cost)});
  add("indexOf",
      {member("string_index_of_string", {String, String}, Int, index_of, search_cost),
       member("string_index_of_string_int", {String, String, Int}, Int, index_of, search_cost)});
  add("lastIndexOf",
      {member("string_last_index_of_string", {String, String}, Int, last_index_of, search_cost),
       member("string_last_index_of_string_int", {String, String, Int}, Int, last_index_of,
              search_cost)});
  add("lowerAscii",
      {member("string_lower_ascii", {String}, String, lower_ascii_of, transform_cost)});
  add("upperAscii",
      {member("string_upper_ascii", {String}, String, upper_ascii_of, transform_cost)});
  add("trim", {member("string_trim", {String}, String, trim_of, transform_cost)});
  add("reverse", {member("string_reverse", {String}, String, reverse, transform_cost)});
  add("replace", {member("string_replace_string_string", {String, String, String}, String, replace,
                         replace_cost),
                  member("string_replace_string_string_int", {String, String, String, Int}, String,
                         replace, replace_cost)});
  add("split",
      {member("string_split_string", {String, String}, strings, split_of, split_cost),
       member("string_split_string_int", {String, String, Int}, strings, split_of, split_cost)});
  add("substring",
      {member("string_substring_int", {String, Int}, String, substring, transform_cost),
       member("string_substring_int_int", {String, Int, Int}, String, substring, transform_cost)});
  add("join", {member("list_join", {strings}, String, join_of, join_cost),
               member("list_join_string", {strings, String}, String, join_of, join_cost)});
  add("format",
      {member("string_format", {String, Type::list(Dyn)}, String, format_string, cost_of_first)});
  add("strings.quote", {{.id = "strings_quote",
                         .parameters = {String},
                         .result = String,
                         .implementation = quote_of,
                         .cost = cost_of_first}});
}

}  // namespace berth::cel
