// Log lines to stderr.

#pragma once

#include <memory>

#include "env/clock.h"
#include "env/log.h"

namespace spdlog {
class logger;
}

namespace berth::runtime {

enum class LogFormat { Text, Json };

struct LogOptions {
  env::Level level = env::Level::Info;
  LogFormat format = LogFormat::Text;
};

class StderrLog final : public env::Log {
 public:
  StderrLog(const env::Clock& clock, LogOptions options);
  ~StderrLog() override;

 protected:
  void write(env::Level level, std::string_view event, std::span<const env::Field> fields) override;

 private:
  const env::Clock& clock_;
  LogFormat format_;
  std::unique_ptr<spdlog::logger> logger_;
};

}  // namespace berth::runtime
