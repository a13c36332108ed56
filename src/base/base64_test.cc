#include "base/base64.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace berth {
namespace {

TEST(Base64, EncodesTheVectorsOfTheRfc) {
  const std::pair<std::string_view, std::string_view> cases[] = {{"", ""},
                                                                 {"f", "Zg=="},
                                                                 {"fo", "Zm8="},
                                                                 {"foo", "Zm9v"},
                                                                 {"foob", "Zm9vYg=="},
                                                                 {"fooba", "Zm9vYmE="},
                                                                 {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : cases) {
    EXPECT_EQ(encode_base64(bytes), text);
    EXPECT_EQ(decode_base64(text).value(), bytes);
  }
}

TEST(Base64, SkipsLineBreaks) { EXPECT_EQ(decode_base64("Zm9v\r\nYmFy\n").value(), "foobar"); }

TEST(Base64, SaysWhereItIsBroken) {
  EXPECT_EQ(decode_base64("Zm9v YmFy").error().message, "base64: bad character at offset 4");
  for (const char* bad : {"Z", "Zg", "Zg=", "=", "Zg==Zg==", "Zg=g", "Zm8==", "Zm9v=", "Zg-_"}) {
    EXPECT_FALSE(decode_base64(bad).ok()) << bad;
  }
}

RC_GTEST_PROP(Base64, ReadsBackWhatItWrote, (const std::string& bytes)) {
  RC_ASSERT(decode_base64(encode_base64(bytes)).value() == bytes);
}

}  // namespace
}  // namespace berth
