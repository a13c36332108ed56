#include "http/http1_body.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/strings.h"

namespace berth::http {
namespace {

using ::testing::HasSubstr;
using Kind = BodyFraming::Kind;

const Limits kLimits = {.header_bytes = 100, .body_bytes = 1000};

struct Decoded {
  std::string data;
  std::string rest;
  bool done;
};

Result<Decoded> decode(const BodyFraming& framing, std::string_view input,
                       std::size_t step_max = 1000) {
  Http1BodyDecoder decoder(framing, kLimits);
  std::string data;
  std::string held;
  while (true) {
    const std::size_t more = std::min(step_max, input.size());
    held += input.substr(0, more);
    input.remove_prefix(more);
    std::size_t used = 0;
    while (used < held.size() && !decoder.done()) {
      ASSIGN_OR_RETURN(const auto step,
                       decoder.next(std::string_view(held).substr(used), step_max));
      if (step.consumed == 0) break;
      used += step.consumed;
      data += step.data;
    }
    held.erase(0, used);
    if (more == 0 || decoder.done()) break;
  }
  return Decoded{.data = data, .rest = held + std::string(input), .done = decoder.done()};
}

TEST(Http1Body, EndsAfterItsLength) {
  const auto decoded = decode({.kind = Kind::Length, .length = 5}, "hellorest").value();
  EXPECT_EQ(decoded.data, "hello");
  EXPECT_EQ(decoded.rest, "rest");
  EXPECT_TRUE(decoded.done);
  EXPECT_TRUE(decode({.kind = Kind::Length, .length = 0}, "x").value().done);
  EXPECT_FALSE(decode({.kind = Kind::Length, .length = 5}, "hell").value().done);
}

TEST(Http1Body, ReadsChunksWithExtensionsAndTrailersInAnyPieces) {
  const std::string_view text =
      "5\r\nhello\r\n00A;name=\"v\"\r\n0123456789\r\n1 \r\n!\r\n0\r\nx-t: 1\r\ny: 2\r\n\r\nnext";
  EXPECT_TRUE(rc::check([&] {
    const auto decoded =
        decode({.kind = Kind::Chunked}, text, *rc::gen::inRange<std::size_t>(1, 80)).value();
    RC_ASSERT(decoded.data == "hello0123456789!");
    RC_ASSERT(decoded.rest == "next");
    RC_ASSERT(decoded.done);
  }));
}

TEST(Http1Body, GoesOnUntilTheConnectionEnds) {
  Http1BodyDecoder decoder({.kind = Kind::UntilClose}, kLimits);
  EXPECT_EQ(decoder.next("abc", 100).value().data, "abc");
  EXPECT_FALSE(decoder.done());
  EXPECT_TRUE(decoder.may_end());
  EXPECT_FALSE(Http1BodyDecoder({.kind = Kind::Length, .length = 1}, kLimits).may_end());
  EXPECT_FALSE(Http1BodyDecoder({.kind = Kind::Chunked}, kLimits).may_end());
}

TEST(Http1Body, RefusesBrokenChunks) {
  struct Case {
    std::string text;
    std::string_view reason;
  };
  const Case cases[] = {
      {"x\r\n", "a hexadecimal size"},
      {"\r\n", "a size expected"},
      {";a\r\n", "a hexadecimal size"},
      {"-1\r\n", "a hexadecimal size"},
      {"0x5\r\n", "a hexadecimal size"},
      {"5\nhello", "a hexadecimal size"},
      {"5;a\nhello", "must end in CR and LF"},
      {"5\rhello", "LF expected"},
      {"5\r\nhelloX", "CR expected"},
      {"5\r\nhello\rX", "LF expected"},
      {"1234567890123456\r\n", "too many digits"},
      {"5;" + std::string(300, 'a'), "too long"},
      {"0\r\na: b\n", "must end in CR and LF"},
      {"0\r\n" + std::string(200, 'a'), "trailers are too large"},
      {"0\r\n\rX", "LF expected at the end"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(quote(c.text));
    const auto decoded = decode({.kind = Kind::Chunked}, c.text);
    ASSERT_FALSE(decoded.ok());
    EXPECT_EQ(decoded.error().code, Code::BadRequest);
    EXPECT_THAT(decoded.error().message, HasSubstr(c.reason));
  }
}

TEST(Http1Body, StopsAtTheLimitHoweverTheBodyIsFramed) {
  const std::string large(1001, 'x');
  const auto too_large = [&](const BodyFraming& framing, const std::string& text) {
    const auto decoded = decode(framing, text);
    return !decoded.ok() && decoded.error().code == Code::RequestEntityTooLarge;
  };
  EXPECT_TRUE(too_large({.kind = Kind::Length, .length = 1001}, "x"));
  EXPECT_TRUE(too_large({.kind = Kind::UntilClose}, large));
  EXPECT_TRUE(too_large({.kind = Kind::Chunked}, "3e9\r\nx"));
  EXPECT_TRUE(
      too_large({.kind = Kind::Chunked}, "3e8\r\n" + std::string(1000, 'x') + "\r\n1\r\nx"));
  EXPECT_TRUE(too_large({.kind = Kind::Chunked}, "fffffffffffffff\r\n"));
  EXPECT_FALSE(too_large({.kind = Kind::Length, .length = 1000}, large));
}

}  // namespace
}  // namespace berth::http
