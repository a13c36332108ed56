#include "runtime/line_log.h"

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include "env/log_line.h"

namespace berth::runtime {

namespace {

spdlog::sink_ptr sink_of(const std::string& file) {
  if (file.empty()) return std::make_shared<spdlog::sinks::stderr_sink_mt>();
  try {
    return std::make_shared<spdlog::sinks::basic_file_sink_mt>(file);
  } catch (const spdlog::spdlog_ex&) {
    return sink_of("");
  }
}

}  // namespace

LineLog::LineLog(const env::Clock& clock, const LogOptions& options)
    : Log(options.level), clock_(clock), format_(options.format) {
  logger_ = std::make_unique<spdlog::logger>("berth", sink_of(options.file));
  logger_->set_pattern("%v");  // The line is complete as we format it, in both worlds alike.
  logger_->flush_on(spdlog::level::info);
}

LineLog::~LineLog() = default;

void LineLog::write(env::Level level, std::string_view event, std::span<const env::Field> fields) {
  const env::LogLine line = {
      .time = clock_.now(), .level = level, .event = event, .fields = fields};
  logger_->log(spdlog::level::info,
               spdlog::string_view_t(format_ == LogFormat::Json ? env::format_json(line)
                                                                : env::format_text(line)));
}

}  // namespace berth::runtime
