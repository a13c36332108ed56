#include "cel/string_format.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/rfc3339.h"
#include "base/strings.h"
#include "cel/display.h"

namespace berth::cel {
namespace {

constexpr int kPrecisionDefault = 6;
constexpr int kPrecisionMax = 100;

struct Clause {
  char verb = 's';
  int precision = kPrecisionDefault;
};

// What a verb accepts and how messages call it.
struct Verb {
  char name;
  std::string_view complaint;
  std::vector<TypeKind> kinds;
};

using enum TypeKind;

const Verb& verb_of(char name) {
  static const Verb kVerbs[] = {
      {'s',
       "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, "
       "types, durations, and timestamps, was given ",
       {String, Bool, Bytes, Int, Uint, Double, Map, List, Meta, TypeKind::Duration, Timestamp,
        Null}},
      {'d',
       "decimal clause can only be used on ints, uints, and doubles, was given ",
       {Int, Uint, Double}},
      {'f',
       "fixed-point clause can only be used on ints, uints, and doubles, was given ",
       {Int, Uint, Double}},
      {'e',
       "scientific clause can only be used on ints, uints, and doubles, was given ",
       {Int, Uint, Double}},
      {'b',
       "only ints, uints, and bools can be formatted as binary, was given ",
       {Bool, Int, Uint}},
      {'o', "octal clause can only be used on ints and uints, was given ", {Int, Uint}},
      {'x',
       "only ints, uints, bytes, and strings can be formatted as hex, was given ",
       {Int, Uint, String, Bytes}},
  };
  const char lower = name == 'X' ? 'x' : name;
  return *std::ranges::find(kVerbs, lower, &Verb::name);
}

// Reads a template piece by piece: text, clause, text, ...
class TemplateReader {
 public:
  explicit TemplateReader(std::string_view text) : rest_(text) {}

  // The text up to the next clause or the end, with %% as %.
  std::string take_text();
  bool at_end() const { return rest_.empty(); }

  // The clause that takes argument `index` of `argument_count`.
  Result<Clause> take_clause(std::size_t index, std::size_t argument_count);

 private:
  Result<int> take_precision();

  std::string_view rest_;
};

std::string TemplateReader::take_text() {
  std::string text;
  while (!rest_.empty()) {
    if (rest_.starts_with("%%")) {
      text += '%';
      rest_.remove_prefix(2);
    } else if (rest_[0] == '%') {
      break;
    } else {
      text += rest_[0];
      rest_.remove_prefix(1);
    }
  }
  return text;
}

Result<int> TemplateReader::take_precision() {
  if (!rest_.starts_with('.')) return kPrecisionDefault;
  rest_.remove_prefix(1);
  const auto end = std::ranges::find_if_not(rest_, [](char c) { return c >= '0' && c <= '9'; });
  const std::string digits(rest_.begin(), end);
  rest_.remove_prefix(digits.size());
  if (rest_.empty()) {
    return failure(Code::Invalid, "could not find end of precision specifier");
  }
  const auto precision = parse_int64(digits);
  if (!precision) {
    return failure(
        Code::Invalid,
        fmt::format("error while converting precision to integer: strconv.Atoi: "
                    "parsing {}: {}",
                    quote(digits), digits.empty() ? "invalid syntax" : "value out of range"));
  }
  if (*precision > kPrecisionMax) {
    return failure(Code::Invalid, fmt::format("precision {} exceeds maximum allowed precision {}",
                                              *precision, kPrecisionMax));
  }
  return static_cast<int>(*precision);
}

Result<Clause> TemplateReader::take_clause(std::size_t index, std::size_t argument_count) {
  rest_.remove_prefix(1);
  if (rest_.empty()) return failure(Code::Invalid, "unexpected end of string");
  if (index >= argument_count) {
    return failure(Code::Invalid, fmt::format("index {} out of range", index));
  }
  auto precision = take_precision();
  if (!precision.ok()) {
    return failure(std::move(precision).error().in_context(
        "could not parse formatting clause: error while parsing precision"));
  }
  const char verb = rest_[0];
  rest_.remove_prefix(1);
  if (std::string_view("sdfebxXo").find(verb) == std::string_view::npos) {
    return failure(
        Code::Invalid,
        fmt::format("could not parse formatting clause: unrecognized formatting clause \"{}\"",
                    verb));
  }
  return Clause{.verb = verb, .precision = *precision};
}

berth::Error wrong_kind(const Clause& clause, std::string_view type_name) {
  return {.code = Code::Invalid,
          .message = fmt::format("error during formatting: {}{}", verb_of(clause.verb).complaint,
                                 type_name)};
}

std::string plain_double(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number < 0 ? "-Infinity" : "Infinity";
  char buffer[512];
  const auto end =
      std::to_chars(buffer, buffer + sizeof(buffer), number, std::chars_format::fixed).ptr;
  return {buffer, end};
}

std::string with_precision(double number, const Clause& clause) {
  if (!std::isfinite(number)) return plain_double(number);
  return clause.verb == 'f' ? fmt::format("{:.{}f}", number, clause.precision)
                            : fmt::format("{:.{}e}", number, clause.precision);
}

double as_double(const Value& value) {
  if (value.is(ValueKind::Int)) return static_cast<double>(value.as_int());
  if (value.is(ValueKind::Uint)) return static_cast<double>(value.as_uint());
  return value.as_double();
}

std::string in_base(const Value& value, char verb) {
  const auto text = [&](auto number) {
    switch (verb) {
      case 'b':
        return fmt::format("{:b}", number);
      case 'o':
        return fmt::format("{:o}", number);
      case 'X':
        return fmt::format("{:X}", number);
      default:
        return fmt::format("{:x}", number);
    }
  };
  if (value.is(ValueKind::Bool)) return value.as_bool() ? "1" : "0";
  return value.is(ValueKind::Int) ? text(value.as_int()) : text(value.as_uint());
}

std::string hex_bytes(std::string_view bytes, char verb) {
  std::string text;
  for (const char byte : bytes) {
    const auto number = static_cast<unsigned char>(byte);
    text += verb == 'X' ? fmt::format("{:02X}", number) : fmt::format("{:02x}", number);
  }
  return text;
}

class Formatter {
 public:
  explicit Formatter(Context& context) : context_(context) {}

  Result<std::string> format(const Clause& clause, const Value& value);

 private:
  Result<std::string> as_string(const Clause& clause, const Value& value);
  Result<std::string> list_as_string(const Clause& clause, const Value& list);
  Result<std::string> map_as_string(const Clause& clause, const Value& map);

  Context& context_;
};

Result<std::string> Formatter::format(const Clause& clause, const Value& value) {
  const bool is_number = value.is(ValueKind::Int) || value.is(ValueKind::Uint);
  const bool is_text = value.is(ValueKind::String) || value.is(ValueKind::Bytes);
  switch (clause.verb) {
    case 's':
      return as_string(clause, value);
    case 'd':
      if (is_number) return as_string(clause, value);
      if (value.is(ValueKind::Double)) return plain_double(value.as_double());
      break;
    case 'f':
    case 'e':
      if (is_number || value.is(ValueKind::Double)) return with_precision(as_double(value), clause);
      break;
    case 'b':
      if (is_number || value.is(ValueKind::Bool)) return in_base(value, clause.verb);
      break;
    case 'o':
      if (is_number) return in_base(value, clause.verb);
      break;
    default:
      if (is_number) return in_base(value, clause.verb);
      if (!is_text) break;
      if (!context_.charge(value.text().size() * 2)) break;
      return hex_bytes(value.text(), clause.verb);
  }
  return failure(wrong_kind(clause, value.type_name()));
}

Result<std::string> Formatter::as_string(const Clause& clause, const Value& value) {
  switch (value.kind()) {
    case ValueKind::String:
    case ValueKind::Bytes:
    case ValueKind::Type:
      if (!context_.charge(value.text().size())) break;
      return std::string(value.text());
    case ValueKind::Null:
    case ValueKind::Bool:
    case ValueKind::Int:
      return display(value);
    case ValueKind::Uint:
      return std::to_string(value.as_uint());
    case ValueKind::Double:
      return plain_double(value.as_double());
    case ValueKind::Duration:
      return display_duration(value.as_duration());
    case ValueKind::Timestamp:
      return format_nanos(value.as_timestamp());
    case ValueKind::List:
      return list_as_string(clause, value);
    case ValueKind::Map:
      return map_as_string(clause, value);
    default:
      break;
  }
  return failure(wrong_kind(clause, value.type_name()));
}

Result<std::string> Formatter::list_as_string(const Clause& clause, const Value& list) {
  std::string text = "[";
  for (std::size_t i = 0; i < list.size() && context_.charge(3); ++i) {
    if (i > 0) text += ", ";
    ASSIGN_OR_RETURN(const std::string element, as_string(clause, list.element(i)));
    text += element;
  }
  return text + "]";
}

Result<std::string> Formatter::map_as_string(const Clause& clause, const Value& map) {
  std::vector<std::pair<std::string, std::string>> entries;
  for (std::size_t i = 0; i < map.size() && context_.charge(3); ++i) {
    const MapEntry entry = map.entry(i);
    ASSIGN_OR_RETURN(std::string key, as_string(clause, entry.key));
    ASSIGN_OR_RETURN(std::string value, as_string(clause, entry.value));
    entries.emplace_back(std::move(key), std::move(value));
  }
  std::ranges::sort(entries);
  std::string text = "{";
  for (const auto& [key, value] : entries) {
    if (text.size() > 1) text += ", ";
    text += key + ": " + value;
  }
  return text + "}";
}

// The expression at fault and its type's name, if something in it cannot be printed.
std::optional<ExprIndex> unprintable(const Ast& ast, const Checked& checked, ExprIndex index,
                                     const Clause& clause) {
  const Type& type = checked.types[index];
  if (!type.is_dyn() && std::ranges::find(verb_of(clause.verb).kinds, type.kind()) ==
                            verb_of(clause.verb).kinds.end()) {
    return index;
  }
  const Expr& expr = ast[index];
  if (clause.verb != 's' || (expr.kind != ExprKind::List && expr.kind != ExprKind::Map)) {
    return std::nullopt;
  }
  for (const ExprIndex child : expr.children) {
    if (const auto found = unprintable(ast, checked, child, clause)) return found;
  }
  return std::nullopt;
}

void validate_call(const Ast& ast, const Checked& checked, const Expr& call, Issues& issues) {
  const auto& arguments = ast[call.children[1]].children;
  TemplateReader reader(std::get<std::string>(ast[call.children[0]].literal));
  std::size_t used = 0;
  for (reader.take_text(); !reader.at_end(); reader.take_text()) {
    const auto clause = reader.take_clause(used, arguments.size());
    if (!clause.ok()) {
      issues.add(call.position, clause.error().message);
      return;
    }
    if (const auto culprit = unprintable(ast, checked, arguments[used], *clause)) {
      const std::string_view type = checked.types[*culprit].runtime_name();
      issues.add(ast[*culprit].position, wrong_kind(*clause, type).message);
      return;
    }
    ++used;
  }
  if (used < arguments.size()) {
    issues.add(call.position, fmt::format("too many arguments supplied to string.format (expected "
                                          "{}, got {})",
                                          used, arguments.size()));
  }
}

}  // namespace

Value format_string(Call& call) {
  const Value& arguments = call[1];
  if (!call.context.charge(call[0].text().size())) return call.context.cancelled();
  TemplateReader reader(call[0].text());
  Formatter formatter(call.context);
  std::string result = reader.take_text();
  for (std::size_t used = 0; !reader.at_end(); ++used) {
    if (used >= arguments.size()) {
      return call.context.error({"index ", std::to_string(used), " out of range"});
    }
    const auto clause = reader.take_clause(used, arguments.size());
    if (!clause.ok()) return call.context.error(clause.error().message);
    const auto text = formatter.format(*clause, arguments.element(used));
    if (call.context.is_cancelled()) return call.context.cancelled();
    if (!text.ok()) return call.context.error(text.error().message);
    result += *text;
    result += reader.take_text();
  }
  return call.context.string(result);
}

void validate_format_calls(const Ast& ast, const Checked& checked, Issues& issues) {
  for (ExprIndex index = 0; index < ast.size(); ++index) {
    const Expr& call = ast[index];
    const bool is_format = call.kind == ExprKind::Call && call.is_member && call.name == "format" &&
                           call.children.size() == 2;
    if (!is_format) continue;
    const Expr& target = ast[call.children[0]];
    const bool is_literal = target.kind == ExprKind::Literal &&
                            std::holds_alternative<std::string>(target.literal) &&
                            ast[call.children[1]].kind == ExprKind::List;
    if (is_literal) validate_call(ast, checked, call, issues);
  }
}

}  // namespace berth::cel
