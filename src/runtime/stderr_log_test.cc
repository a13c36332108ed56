#include "runtime/stderr_log.h"

#include <gtest/gtest.h>

#include "runtime/system_clock.h"

namespace berth::runtime {
namespace {

TEST(StderrLog, WritesOneLinePerEventInTheChosenFormat) {
  const SystemClock clock;
  ::testing::internal::CaptureStderr();
  StderrLog text(clock, {.level = env::Level::Info});
  text.warn("a.b", {{"key", "{} is no format"}});
  text.debug("not.written");
  StderrLog json(clock, {.format = LogFormat::Json});
  json.info("c.d", {{"n", 1}});
  const std::string written = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(written.find(" warn a.b key=\"{} is no format\"\n"), std::string::npos) << written;
  EXPECT_NE(written.find(R"("level":"info","msg":"c.d","n":1})"
                         "\n"),
            std::string::npos)
      << written;
  EXPECT_EQ(written.find("not.written"), std::string::npos);
}

}  // namespace
}  // namespace berth::runtime
