#include "app/log_flags.h"

#include <CLI/CLI.hpp>

namespace berth::app {

void add_log_flags(CLI::App& command, LogFlags& flags) {
  command.add_option("--logging-format", flags.format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command.add_option("-v,--v", flags.verbosity, "How much to log: 2 is usual, 4 is everything")
      ->capture_default_str();
}

runtime::LogOptions log_options(const LogFlags& flags) {
  return {.level = flags.verbosity >= 4 ? env::Level::Debug : env::Level::Info,
          .format = flags.format == "json" ? runtime::LogFormat::Json : runtime::LogFormat::Text};
}

}  // namespace berth::app
