#include "apiserver/validation/port_names.h"

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

TEST(PortNames, SmallLettersDigitsAndSingleHyphens) {
  for (const char* name : {"web", "http-2", "a", "123456789012-ab"}) {
    EXPECT_TRUE(port_name_problems(name).empty()) << name;
  }
  for (const char* name : {"", "Web", "80", "-a", "a-", "a--b", "a_b", "1234567890123-ab"}) {
    EXPECT_FALSE(port_name_problems(name).empty()) << name;
  }
  EXPECT_EQ(port_name_problems("A_Very_Long_Name--").size(), 4);
}

TEST(PortNames, NumbersHaveSixteenBits) {
  EXPECT_TRUE(is_port(1));
  EXPECT_TRUE(is_port(65535));
  EXPECT_FALSE(is_port(0));
  EXPECT_FALSE(is_port(65536));
}

}  // namespace
}  // namespace berth::apiserver
