#include "http/percent.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace berth::http {
namespace {

TEST(Percent, EncodesEverythingThatHasAMeaningInAUrl) {
  EXPECT_EQ(percent_encode("az09-._~"), "az09-._~");
  EXPECT_EQ(percent_encode("a/b?c=d&e f+%"), "a%2Fb%3Fc%3Dd%26e%20f%2B%25");
  EXPECT_EQ(percent_encode("\xc3\xa4"), "%C3%A4");
}

TEST(Percent, DecodesWhatItEncoded) {
  EXPECT_TRUE(rc::check([](const std::string& text) {
    RC_ASSERT(percent_decode(percent_encode(text)).value() == text);
  }));
}

TEST(Percent, DecodesBothCasesAndLeavesThePlusAlone) {
  EXPECT_EQ(percent_decode("%2f%2F+").value(), "//+");
}

TEST(Percent, RefusesABrokenEscapeAndNamesItsPlace) {
  for (const std::string_view text : {"ab%", "ab%4", "ab%g1", "ab%1g", "ab%%41"}) {
    SCOPED_TRACE(text);
    const auto decoded = percent_decode(text);
    ASSERT_FALSE(decoded.ok());
    EXPECT_EQ(decoded.error().code, Code::BadRequest);
    EXPECT_NE(decoded.error().message.find("at byte 2"), std::string::npos);
  }
}

}  // namespace
}  // namespace berth::http
