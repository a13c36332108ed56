// The log of a simulated world: all processes write to one, in virtual time, and a failed run shows
// its end.

#pragma once

#include <cstddef>
#include <deque>
#include <string>

#include "env/clock.h"
#include "env/log.h"
#include "sim/trace.h"

namespace berth::sim {

// The last lines of all processes.
class LogTail {
 public:
  explicit LogTail(std::size_t lines_max) : lines_max_(lines_max) {}

  void add(std::string line);
  const std::deque<std::string>& lines() const { return lines_; }

 private:
  std::size_t lines_max_;
  std::deque<std::string> lines_;
};

// One process's way into it.
class MemoryLog final : public env::Log {
 public:
  MemoryLog(env::Level level, std::string node, const env::Clock& clock, LogTail& tail,
            Trace& trace);

 protected:
  void write(env::Level level, std::string_view event, std::span<const env::Field> fields) override;

 private:
  std::string node_;
  const env::Clock& clock_;
  LogTail& tail_;
  Trace& trace_;
};

}  // namespace berth::sim
