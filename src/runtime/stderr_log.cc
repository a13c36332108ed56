#include "runtime/stderr_log.h"

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>

#include "env/log_line.h"

namespace berth::runtime {

StderrLog::StderrLog(const env::Clock& clock, LogOptions options)
    : Log(options.level), clock_(clock), format_(options.format) {
  auto sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  logger_ = std::make_unique<spdlog::logger>("berth", std::move(sink));
  logger_->set_pattern("%v");  // The line is complete as we format it, in both worlds alike.
}

StderrLog::~StderrLog() = default;

void StderrLog::write(env::Level level, std::string_view event,
                      std::span<const env::Field> fields) {
  const env::LogLine line = {
      .time = clock_.now(), .level = level, .event = event, .fields = fields};
  logger_->log(spdlog::level::info,
               spdlog::string_view_t(format_ == LogFormat::Json ? env::format_json(line)
                                                                : env::format_text(line)));
}

}  // namespace berth::runtime
