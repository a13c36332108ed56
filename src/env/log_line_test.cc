#include "env/log_line.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace berth::env {
namespace {

using namespace std::chrono_literals;

const Time kNoon = Time::from_unix(1'763'208'000, 123'000);

TEST(LogLine, IsAnEventWithFieldsForPeople) {
  const std::vector<Field> fields = {{"key", "shop/web"}, {"error", "no such object"},
                                     {"tries", 3},        {"took", 1500us},
                                     {"empty", ""},       {"forced", true}};
  EXPECT_EQ(format_text({kNoon, Level::Warn, "placement.write_failed", fields}),
            "2025-11-15T12:00:00.000123Z warn placement.write_failed key=shop/web "
            "error=\"no such object\" tries=3 took=0.0015s empty=\"\" forced=true");
}

TEST(LogLine, IsOneObjectForPrograms) {
  const std::vector<Field> fields = {
      {"error", "a \"quoted\"\nline"}, {"tries", -3}, {"took", 2s}, {"at", kNoon}, {"ok", false}};
  EXPECT_EQ(format_json({kNoon, Level::Info, "x.y", fields}),
            R"({"ts":"2025-11-15T12:00:00.000123Z","level":"info","msg":"x.y",)"
            R"("error":"a \"quoted\"\nline","tries":-3,"took":2,)"
            R"("at":"2025-11-15T12:00:00.000123Z","ok":false})");
}

TEST(LogLine, StaysOneValidLineWhateverTheBytes) {
  const std::vector<Field> fields = {{"bytes", "a\xff\nb"},
                                     {"nan", std::numeric_limits<double>::quiet_NaN()}};
  EXPECT_EQ(format_json({Time{}, Level::Debug, "x", fields}),
            R"({"ts":"1970-01-01T00:00:00.000000Z","level":"debug","msg":"x",)"
            R"("bytes":"a?\nb","nan":"nan"})");
  EXPECT_EQ(format_text({Time{}, Level::Error, "x", std::span(fields).first(1)}),
            R"(1970-01-01T00:00:00.000000Z error x bytes="a?\nb")");
}

}  // namespace
}  // namespace berth::env
