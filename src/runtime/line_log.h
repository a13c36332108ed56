// Log lines to stderr, or to a file.

#pragma once

#include <memory>
#include <string>

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
  std::string file = {};  // Lines are added at its end. Empty: stderr.
};

class LineLog final : public env::Log {
 public:
  // A file that cannot be written is stderr.
  LineLog(const env::Clock& clock, const LogOptions& options);
  ~LineLog() override;

 protected:
  void write(env::Level level, std::string_view event, std::span<const env::Field> fields) override;

 private:
  const env::Clock& clock_;
  LogFormat format_;
  std::unique_ptr<spdlog::logger> logger_;
};

}  // namespace berth::runtime
