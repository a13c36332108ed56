#include "apiserver/validation/percentages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/validation/testing/findings.h"

namespace berth::apiserver {
namespace {

using testing::found_in;
using ::testing::IsEmpty;
using testing::yaml_object;

void check_both(const Place& root, Complaints& complaints) {
  check_number_or_percent(root["a"], complaints);
  check_at_most_100_percent(root["a"], complaints);
}

TEST(Percentages, AreNumbersWithASign) {
  for (const char* good : {"{a: 0}", "{a: 7}", "{a: 25%}", "{a: 100%}"}) {
    EXPECT_THAT(found_in(check_both, good), IsEmpty()) << good;
  }
  for (const char* bad :
       {"{a: -1}", "{a: '7'}", "{a: '%'}", "{a: -5%}", "{a: half}", "{a: 101%}"}) {
    EXPECT_EQ(found_in(check_both, bad).size(), 1) << bad;
  }
}

TEST(Percentages, CountAsTheirNumber) {
  const json::Value object = yaml_object("{a: 25%, b: 3, c: many}");
  const Place root(object);
  EXPECT_EQ(number_or_percent(root["a"]), 25);
  EXPECT_EQ(number_or_percent(root["b"]), 3);
  EXPECT_EQ(number_or_percent(root["c"]), 0);
  EXPECT_EQ(number_or_percent(root["d"]), 0);
}

}  // namespace
}  // namespace berth::apiserver
