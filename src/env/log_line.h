// How a log line is written, for people and for programs. Both worlds use it.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/time.h"
#include "env/log.h"

namespace berth::env {

struct LogLine {
  Time time;
  Level level;
  std::string_view event;
  std::span<const Field> fields;
};

// 2026-11-15T22:08:41.000123Z warn placement.write_failed key=shop/web error="no such object"
std::string format_text(const LogLine& line);

// {"ts":"2026-11-15T22:08:41.000123Z","level":"warn","msg":"placement.write_failed","key":...}
// Always one line of valid JSON, whatever bytes the fields have.
std::string format_json(const LogLine& line);

}  // namespace berth::env
