#include "http/http1_head.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/strings.h"

namespace berth::http {
namespace {

using ::testing::HasSubstr;

const Limits kLimits = {.header_bytes = 500, .header_count = 4, .target_bytes = 50};

Result<Http1Request> request(std::string_view text) {
  HeadScanner scanner;
  ASSIGN_OR_RETURN(const auto size, scanner.scan(text, kLimits));
  if (!size) return failure(Code::Unknown, "not complete");
  return parse_http1_request(text.substr(0, *size), kLimits);
}

Result<Http1Response> response(std::string_view text, Method method = Method::Get) {
  HeadScanner scanner;
  ASSIGN_OR_RETURN(const auto size, scanner.scan(text, kLimits));
  if (!size) return failure(Code::Unknown, "not complete");
  return parse_http1_response(text.substr(0, *size), method, kLimits);
}

TEST(Http1Head, ReadsARequest) {
  const auto read =
      request(
          "PATCH /api/v1/pods?limit=5 HTTP/1.1\r\nHost: hub:6443\r\nContent-Length: 12\r\n"
          "X-Padded: \t a b \r\n\r\nbody")
          .value();
  EXPECT_EQ(read.head.method, Method::Patch);
  EXPECT_EQ(read.head.target, "/api/v1/pods?limit=5");
  EXPECT_EQ(read.head.authority, "hub:6443");
  EXPECT_EQ(read.head.headers.find("x-padded"), "a b");
  EXPECT_EQ(read.framing, (BodyFraming{.kind = BodyFraming::Kind::Length, .length = 12}));
  EXPECT_TRUE(read.keep_alive);
  EXPECT_FALSE(read.expects_continue);
}

TEST(Http1Head, FindsItsEndInPiecesOfAnySize) {
  const std::string text = "GET / HTTP/1.1\r\nhost: a\r\n\r\n";
  HeadScanner scanner;
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_EQ(scanner.scan(text.substr(0, size), kLimits).value(), std::nullopt) << size;
  }
  EXPECT_EQ(scanner.scan(text + "rest", kLimits).value(), text.size());
}

TEST(Http1Head, TakesTheTargetApartThatAProxyWrites) {
  const auto read = request("GET http://Hub:80/x?y HTTP/1.1\r\nHost: other\r\n\r\n").value();
  EXPECT_EQ(read.head.target, "/x?y");
  EXPECT_EQ(read.head.authority, "hub");
  EXPECT_EQ(request("GET https://hub HTTP/1.1\r\nHost: hub\r\n\r\n").value().head.target, "/");
  EXPECT_TRUE(request("OPTIONS * HTTP/1.1\r\nHost: hub\r\n\r\n").ok());
}

TEST(Http1Head, KnowsWhenTheConnectionEndsAfterwards) {
  const auto keeps = [](std::string_view lines) {
    return request("GET / HTTP/1.1\r\nHost: a\r\n" + std::string(lines) + "\r\n")
        .value()
        .keep_alive;
  };
  EXPECT_TRUE(keeps(""));
  EXPECT_FALSE(keeps("Connection: Close\r\n"));
  EXPECT_FALSE(keeps("Connection: x\r\nConnection: y, close\r\n"));
  EXPECT_FALSE(keeps("Connection: upgrade\r\nUpgrade: h2c\r\n"));
  EXPECT_FALSE(request("GET / HTTP/1.0\r\n\r\n").value().keep_alive);
}

TEST(Http1Head, RefusesWithAReason) {
  struct Case {
    std::string_view text;
    std::string_view reason;
    Code code = Code::BadRequest;
  };
  const std::string long_target = "GET /" + std::string(50, 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n";
  const std::string long_head = "GET / HTTP/1.1\r\nHost: " + std::string(500, 'a');
  const Case cases[] = {
      {"GET /\r\n\r\n", "method, target and version"},
      {"GET / HTTP/2.0\r\nHost: a\r\n\r\n", "version HTTP/1.1 or HTTP/1.0"},
      {"GET / http/1.1\r\nHost: a\r\n\r\n", "version HTTP/1.1 or HTTP/1.0"},
      {"G@T / HTTP/1.1\r\nHost: a\r\n\r\n", "a method expected"},
      {" / HTTP/1.1\r\nHost: a\r\n\r\n", "a method expected"},
      {"GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", "an invalid character"},
      {"GET /\x01 HTTP/1.1\r\nHost: a\r\n\r\n", "an invalid character"},
      {"GET api HTTP/1.1\r\nHost: a\r\n\r\n", "must begin with '/'"},
      {"CONNECT hub:443 HTTP/1.1\r\nHost: a\r\n\r\n", "must begin with '/'"},
      {"GET / HTTP/1.1\r\n\r\n", "exactly one Host"},
      {"GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", "exactly one Host"},
      {"GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", "a host expected"},
      {"GET / HTTP/1.1\nHost: a\n\n", "must end in CR and LF"},
      {"GET / HTTP/1.1\r\nHost: a\n\r\n", "must end in CR and LF"},
      {"\n", "must end in CR and LF"},
      {"\r\n", "a line of text expected"},
      {"GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n", "a folded header line"},
      {"GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n", "a name and ':'"},
      {"GET / HTTP/1.1\r\nHost : a\r\n\r\n", "a name and ':'"},
      {"GET / HTTP/1.1\r\n: a\r\n\r\n", "a name and ':'"},
      {"GET / HTTP/1.1\r\nHost: a\rb\r\n\r\n", "a control character"},
      {"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
       "both content-length and transfer-encoding"},
      {"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n",
       "one content-length"},
      {"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\n", "one content-length"},
      {"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\n", "one content-length"},
      {"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", "one content-length"},
      {"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n",
       "one content-length"},
      {"GET / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\n", "one content-length"},
      {"GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", "but chunked"},
      {"GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity\r\n\r\n", "but chunked"},
      {"GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", "in HTTP/1.0"},
      {"GET / HTTP/1.1\r\na: 1\r\nb: 2\r\nc: 3\r\nd: 4\r\ne: 5\r\n\r\n", "more than 4 header",
       Code::RequestEntityTooLarge},
      {long_target, "longer than 50", Code::RequestEntityTooLarge},
      {long_head, "larger than 500", Code::RequestEntityTooLarge},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(quote(c.text));
    const auto read = request(c.text);
    ASSERT_FALSE(read.ok());
    EXPECT_THAT(read.error().message, HasSubstr(c.reason));
    EXPECT_EQ(read.error().code, c.code);
  }
}

TEST(Http1Head, ReadsAResponse) {
  const auto read = response("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc").value();
  EXPECT_EQ(read.head.status, 200);
  EXPECT_EQ(read.framing, (BodyFraming{.kind = BodyFraming::Kind::Length, .length = 3}));
  EXPECT_TRUE(read.keep_alive);
  EXPECT_EQ(response("HTTP/1.1 404\r\n\r\n").value().head.status, 404);
}

TEST(Http1Head, FindsTheEndOfAResponseAsTheStandardSays) {
  using Kind = BodyFraming::Kind;
  const auto kind = [](std::string_view text, Method method = Method::Get) {
    return response(text, method).value().framing.kind;
  };
  EXPECT_EQ(kind("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n", Method::Head), Kind::None);
  EXPECT_EQ(kind("HTTP/1.1 204 No Content\r\n\r\n"), Kind::None);
  EXPECT_EQ(kind("HTTP/1.1 304 Not Modified\r\nContent-Length: 3\r\n\r\n"), Kind::None);
  EXPECT_EQ(kind("HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n"), Kind::Chunked);
  const auto endless = response("HTTP/1.1 200 OK\r\n\r\n").value();
  EXPECT_EQ(endless.framing.kind, Kind::UntilClose);
  EXPECT_FALSE(endless.keep_alive);
  EXPECT_FALSE(response("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n").value().keep_alive);
}

TEST(Http1Head, RefusesABrokenStatusLine) {
  for (const std::string_view line :
       {"HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1 20", "HTTP/1.1 2000 OK", "HTTP/1.1 099 x",
        "HTTP/1.1 600 x", "HTTP/3.0 200 OK", "HTTP/1.1  200 OK", "nonsense", "HTTP/1.1x200 OK"}) {
    EXPECT_FALSE(response(std::string(line) + "\r\n\r\n").ok()) << line;
  }
  EXPECT_FALSE(
      response("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n").ok());
}

TEST(Http1Head, WritesWhatItReads) {
  RequestHead head = {.method = Method::Put, .target = "/x", .authority = "hub"};
  head.headers.add("accept", "a/b");
  head.headers.add("connection", "upgrade");
  head.headers.add("content-length", "99");
  OutputBuffer out;
  write_http1_request(head, {.framing = SentFraming::Length, .length = 7}, out);
  EXPECT_EQ(out.view(), "PUT /x HTTP/1.1\r\nhost: hub\r\naccept: a/b\r\ncontent-length: 7\r\n\r\n");
  OutputBuffer answer;
  ResponseHead response_head = {.status = 404};
  response_head.headers.add("content-type", "a/b");
  write_http1_response(response_head, {.framing = SentFraming::Chunked}, Persistence::Close,
                       answer);
  EXPECT_EQ(answer.view(),
            "HTTP/1.1 404 Not Found\r\ncontent-type: a/b\r\ntransfer-encoding: chunked\r\n"
            "connection: close\r\n\r\n");
}

TEST(Http1Head, FramesAPulledBodyInChunks) {
  OutputBuffer out;
  Body body("hello");
  EXPECT_EQ(write_http1_body(body, SentFraming::Chunked, 3, out).state, Pull::State::More);
  EXPECT_EQ(write_http1_body(body, SentFraming::Chunked, 3, out).state, Pull::State::End);
  EXPECT_EQ(out.view(), "0003\r\nhel\r\n0002\r\nlo\r\n0\r\n\r\n");
}

}  // namespace
}  // namespace berth::http
