#include "env/log_line.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "base/rfc3339.h"
#include "base/strings.h"

namespace berth::env {
namespace {

std::string_view name_of(Level level) {
  switch (level) {
    case Level::Error:
      return "error";
    case Level::Warn:
      return "warn";
    case Level::Info:
      return "info";
    case Level::Debug:
      return "debug";
  }
  return "";
}

bool needs_quotes(std::string_view text) {
  return text.empty() || std::ranges::any_of(text, [](char letter) {
           return letter <= ' ' || letter == '"' || letter == '=' || letter == 0x7f;
         });
}

// Bytes that are no UTF-8 would break the reader of the line.
std::string readable(std::string_view text) {
  std::string result(text);
  if (is_valid_utf8(text)) return result;
  std::ranges::replace_if(result, [](char letter) { return letter < 0; }, '?');
  return result;
}

// Seconds, as Prometheus counts them: 0.0015 rather than 1.5ms, so that columns can be compared.
std::string seconds(Duration length) {
  return fmt::format("{}", std::chrono::duration<double>(length).count());
}

struct TextValue {
  std::string operator()(std::string_view text) const {
    const std::string clean = readable(text);
    return needs_quotes(clean) ? quote(clean) : clean;
  }
  std::string operator()(Duration length) const { return seconds(length) + "s"; }
  std::string operator()(Time time) const { return format_micros(time); }
  std::string operator()(auto number) const { return fmt::format("{}", number); }
};

struct JsonValue {
  std::string operator()(std::string_view text) const { return quote(readable(text)); }
  std::string operator()(double number) const {
    return std::isfinite(number) ? fmt::format("{}", number) : quote(fmt::format("{}", number));
  }
  std::string operator()(Duration length) const { return seconds(length); }
  std::string operator()(Time time) const { return quote(format_micros(time)); }
  std::string operator()(auto number) const { return fmt::format("{}", number); }
};

}  // namespace

std::string format_text(const LogLine& line) {
  std::string text =
      fmt::format("{} {} {}", format_micros(line.time), name_of(line.level), line.event);
  for (const Field& field : line.fields) {
    fmt::format_to(std::back_inserter(text), " {}={}", field.key,
                   std::visit(TextValue{}, field.value));
  }
  return text;
}

std::string format_json(const LogLine& line) {
  std::string text = fmt::format(R"({{"ts":"{}","level":"{}","msg":{})", format_micros(line.time),
                                 name_of(line.level), quote(readable(line.event)));
  for (const Field& field : line.fields) {
    fmt::format_to(std::back_inserter(text), ",{}:{}", quote(readable(field.key)),
                   std::visit(JsonValue{}, field.value));
  }
  return text + "}";
}

}  // namespace berth::env
