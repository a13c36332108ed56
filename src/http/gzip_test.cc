#include "http/gzip.h"

#include <string>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace berth::http {
namespace {

constexpr GunzipLimits kUsual = {};

TEST(AcceptsGzip, FollowsTheHeader) {
  EXPECT_FALSE(accepts_gzip(std::nullopt));
  EXPECT_FALSE(accepts_gzip(""));
  EXPECT_TRUE(accepts_gzip("gzip"));
  EXPECT_TRUE(accepts_gzip("deflate, GZip;q=0.5"));
  EXPECT_TRUE(accepts_gzip("*"));
  EXPECT_FALSE(accepts_gzip("gzip;q=0"));
  EXPECT_FALSE(accepts_gzip("gzip; q=0.000, *"));
  EXPECT_FALSE(accepts_gzip("identity"));
  EXPECT_FALSE(accepts_gzip("*;q=0"));
}

TEST(Gzip, ReadsBackWhatItWroteInPiecesOfAnySize) {
  EXPECT_TRUE(rc::check([](const std::string& text, const std::string& more) {
    const auto step = *rc::gen::inRange<std::size_t>(1, 20);
    GzipEncoder encoder(1);
    std::string bytes = encoder.encode(text);
    bytes += encoder.flush();
    bytes += encoder.encode(more);
    bytes += encoder.finish();
    GzipDecoder decoder(kUsual);
    std::string decoded;
    for (std::size_t i = 0; i < bytes.size(); i += step) {
      decoded += decoder.decode(std::string_view(bytes).substr(i, step)).value();
    }
    RC_ASSERT(decoder.finish().ok());
    RC_ASSERT(decoded == text + more);
  }));
}

TEST(Gzip, MakesAllThatWasPassedReadableOnFlush) {
  GzipEncoder encoder(1);
  std::string bytes = encoder.encode("an event\n");
  bytes += encoder.flush();
  GzipDecoder decoder(kUsual);
  EXPECT_EQ(decoder.decode(bytes).value(), "an event\n");
  EXPECT_FALSE(decoder.finish().ok());
}

TEST(Gzip, TakesSeveralMembersAsOneText) {
  EXPECT_EQ(gunzip(gzip("one ") + gzip("two"), kUsual).value(), "one two");
}

TEST(Gunzip, RefusesATextAboveTheLimit) {
  const std::string bytes = gzip(std::string(100'000, 'a') + "b");
  EXPECT_TRUE(gunzip(bytes, {.bytes = 100'001}).ok());
  const auto text = gunzip(bytes, {.bytes = 100'000});
  ASSERT_FALSE(text.ok());
  EXPECT_EQ(text.error().code, Code::RequestEntityTooLarge);
  EXPECT_NE(text.error().message.find("limit of 100000 bytes"), std::string::npos);
}

TEST(Gunzip, RefusesABombByItsRatio) {
  const std::string bytes = gzip(std::string(64 << 20, '\0'), 9);
  const auto text = gunzip(bytes, kUsual);
  ASSERT_FALSE(text.ok());
  EXPECT_NE(text.error().message.find("more than 500 times"), std::string::npos);
}

TEST(Gunzip, AcceptsObjectsThatAreNearlyNothing) {
  const std::string text(10 << 20, '\0');
  EXPECT_TRUE(gunzip(gzip(text, 9), kUsual).value() == text);
}

TEST(Gunzip, RefusesBrokenAndUnfinishedStreams) {
  std::string bytes = gzip("a text of some length, so that there is something to break");
  EXPECT_FALSE(gunzip(bytes.substr(0, bytes.size() - 1), kUsual).ok());
  EXPECT_FALSE(gunzip("plain text", kUsual).ok());
  EXPECT_FALSE(gunzip("", kUsual).ok());
  EXPECT_FALSE(gunzip(bytes + "trailing", kUsual).ok());
  bytes[bytes.size() - 6] ^= 1;  // In the checksum.
  const auto text = gunzip(bytes, kUsual);
  ASSERT_FALSE(text.ok());
  EXPECT_NE(text.error().message.find("incorrect data check"), std::string::npos);
}

}  // namespace
}  // namespace berth::http
