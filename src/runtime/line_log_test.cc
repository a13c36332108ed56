#include "runtime/line_log.h"

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/system_clock.h"

namespace berth::runtime {
namespace {

TEST(LineLog, WritesOneLinePerEventInTheChosenFormat) {
  const SystemClock clock;
  ::testing::internal::CaptureStderr();
  LineLog text(clock, {.level = env::Level::Info});
  text.warn("a.b", {{"key", "{} is no format"}});
  text.debug("not.written");
  LineLog json(clock, {.format = LogFormat::Json});
  json.info("c.d", {{"n", 1}});
  const std::string written = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(written.find(" warn a.b key=\"{} is no format\"\n"), std::string::npos) << written;
  EXPECT_NE(written.find(R"("level":"info","msg":"c.d","n":1})"
                         "\n"),
            std::string::npos)
      << written;
  EXPECT_EQ(written.find("not.written"), std::string::npos);
}

TEST(LineLog, AddsToItsFile) {
  const SystemClock clock;
  const std::string path = ::testing::TempDir() + "line_log_test";
  std::remove(path.c_str());
  for (const char* event : {"first", "second"}) LineLog(clock, {.file = path}).info(event);
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  ASSERT_EQ(lines.size(), 2);
  EXPECT_TRUE(lines[0].ends_with(" info first")) << lines[0];
  EXPECT_TRUE(lines[1].ends_with(" info second")) << lines[1];
}

}  // namespace
}  // namespace berth::runtime
