#include "sim/memory_log.h"

#include <utility>

#include "env/log_line.h"

namespace berth::sim {

void LogTail::add(std::string line) {
  if (lines_.size() == lines_max_) lines_.pop_front();
  lines_.push_back(std::move(line));
}

MemoryLog::MemoryLog(env::Level level, std::string node, const env::Clock& clock, LogTail& tail,
                     Trace& trace)
    : Log(level), node_(std::move(node)), clock_(clock), tail_(tail), trace_(trace) {}

void MemoryLog::write(env::Level level, std::string_view event,
                      std::span<const env::Field> fields) {
  std::string line =
      node_ + " " +
      env::format_text({.time = clock_.now(), .level = level, .event = event, .fields = fields});
  trace_.add("log", std::string_view(line));
  tail_.add(std::move(line));
}

}  // namespace berth::sim
