// How a command that runs for long logs: the flags and what they mean.

#pragma once

#include <string>

#include "runtime/line_log.h"

namespace CLI {
class App;
}

namespace berth::app {

struct LogFlags {
  std::string format = "text";
  int verbosity = 2;
};

void add_log_flags(CLI::App& command, LogFlags& flags);
runtime::LogOptions log_options(const LogFlags& flags);

}  // namespace berth::app
