// What a shell tells the operator: one line = a stable event name and fields.

#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "base/time.h"

namespace berth::env {

enum class Level {
  Error,  // A human must act.
  Warn,   // Degraded.
  Info,   // State changed.
  Debug,  // The rest.
};

// A key with a value that lives at least as long as the call that writes the line.
struct Field {
  using Value =
      std::variant<std::string_view, std::int64_t, std::uint64_t, double, bool, Duration, Time>;

  std::string_view key;
  Value value;

  Field(std::string_view name, std::string_view text) : key(name), value(text) {}
  Field(std::string_view name, const std::string& text)
      : key(name), value(std::string_view(text)) {}
  Field(std::string_view name, const char* text) : key(name), value(std::string_view(text)) {}
  Field(std::string_view name, std::same_as<bool> auto yes) : key(name), value(yes) {}
  Field(std::string_view name, std::signed_integral auto number)
      : key(name), value(std::int64_t{number}) {}
  Field(std::string_view name, std::unsigned_integral auto number)
    requires(!std::same_as<decltype(number), bool>)
      : key(name), value(std::uint64_t{number}) {}
  Field(std::string_view name, double number) : key(name), value(number) {}
  Field(std::string_view name, Duration length) : key(name), value(length) {}
  Field(std::string_view name, Time time) : key(name), value(time) {}
};

using Fields = std::initializer_list<Field>;

// Thread-safe. A level that is off costs one comparison; compute nothing for a debug line without
// asking enabled() first. No secrets, no object dumps above debug.
class Log {
 public:
  explicit Log(Level most) : most_(most) {}
  virtual ~Log() = default;

  bool enabled(Level level) const { return level <= most_; }

  // log.warn("placement.write_failed", {{"key", key}, {"error", error.message}})
  void error(std::string_view event, Fields fields = {}) { line(Level::Error, event, fields); }
  void warn(std::string_view event, Fields fields = {}) { line(Level::Warn, event, fields); }
  void info(std::string_view event, Fields fields = {}) { line(Level::Info, event, fields); }
  void debug(std::string_view event, Fields fields = {}) { line(Level::Debug, event, fields); }

 protected:
  virtual void write(Level level, std::string_view event, std::span<const Field> fields) = 0;

 private:
  void line(Level level, std::string_view event, Fields fields) {
    if (enabled(level)) write(level, event, fields);
  }

  Level most_;  // The chattiest level that is written.
};

}  // namespace berth::env
