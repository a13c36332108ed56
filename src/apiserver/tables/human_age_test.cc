#include "apiserver/tables/human_age.h"

#include <string_view>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace berth::apiserver {
namespace {

using namespace std::chrono_literals;

TEST(HumanAge, ShowsTwoOrThreeDigitsThatMatter) {
  struct Case {
    Duration length;
    std::string_view text;
  };
  const Case cases[] = {
      {-2s, "<invalid>"},
      {-2s + 1ns, "0s"},
      {-1s, "0s"},
      {-1ns, "0s"},
      {0s, "0s"},
      {1999ms, "1s"},
      {119s, "119s"},
      {120s, "2m"},
      {121s, "2m1s"},
      {9min + 59s, "9m59s"},
      {10min + 59s, "10m"},
      {179min + 59s, "179m"},
      {180min, "3h"},
      {181min, "3h1m"},
      {7h + 59min, "7h59m"},
      {8h + 59min, "8h"},
      {47h + 59min, "47h"},
      {48h, "2d"},
      {49h, "2d1h"},
      {7 * 24h + 23h, "7d23h"},
      {8 * 24h + 23h, "8d"},
      {24h * 729, "729d"},
      {24h * 730, "2y"},
      {24h * 731, "2y1d"},
      {24h * (8 * 365 - 1), "7y364d"},
      {24h * 8 * 365, "8y"},
      {Duration::max(), "292y"},
      {Duration::min(), "<invalid>"},
  };
  for (const Case& c : cases) EXPECT_EQ(human_duration(c.length), c.text) << c.length.count();
}

TEST(HumanAge, IsUnknownWithoutATime) {
  EXPECT_EQ(human_age(std::nullopt, Time{1h}), "<unknown>");
  EXPECT_EQ(human_age(Time::min(), Time{1h}), "<unknown>");
  EXPECT_EQ(human_age(Time{10s}, Time{70s}), "60s");
}

RC_GTEST_PROP(HumanAge, NeverTakesMoreThanSixCharacters, ()) {
  const auto seconds = *rc::gen::inRange<std::int64_t>(0, 9'000'000'000);
  const std::string text = human_duration(std::chrono::seconds(seconds));
  RC_ASSERT(text.size() <= 6u);
  RC_ASSERT(text.front() >= '0' && text.front() <= '9');
}

}  // namespace
}  // namespace berth::apiserver
