#include "http/url.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace berth::http {
namespace {

TEST(Url, ReadsEveryPart) {
  const Url url = parse_url("HTTPS://me:secret@Hub.Example:6443/base/path?a=1").value();
  EXPECT_EQ(url.scheme, Scheme::Https);
  EXPECT_EQ(url.userinfo, "me:secret");
  EXPECT_EQ(url.host, "hub.example");
  EXPECT_EQ(url.port, 6443);
  EXPECT_EQ(url.path, "/base/path");
  EXPECT_EQ(url.query, "a=1");
  EXPECT_EQ(url.text(), "https://me:secret@hub.example:6443/base/path?a=1");
}

TEST(Url, KnowsTheUsualPorts) {
  EXPECT_EQ(parse_url("https://a").value().port_or_default(), 443);
  EXPECT_EQ(parse_url("http://a").value().port_or_default(), 80);
  EXPECT_EQ(parse_url("https://a:443").value().authority(), "a");
  EXPECT_EQ(parse_url("http://a:443").value().authority(), "a:443");
}

TEST(Url, UnderstandsIpv6) {
  const Url url = parse_url("https://[::1]:6443").value();
  EXPECT_EQ(url.host, "::1");
  EXPECT_EQ(url.authority(), "[::1]:6443");
}

TEST(Url, JoinsTheBasePathWithOneSlash) {
  EXPECT_EQ(parse_url("https://a/b/").value().target("/api?x"), "/b/api?x");
  EXPECT_EQ(parse_url("https://a").value().target("/api"), "/api");
  EXPECT_EQ(parse_url("https://a/b").value().target("api"), "/b/api");
}

TEST(Url, IsRefusedWithAReason) {
  struct Case {
    std::string_view text;
    std::string_view reason;
  };
  const Case cases[] = {
      {"hub:6443", "http:// or https:// expected"},
      {"ftp://hub", "http:// or https:// expected"},
      {"https://", "a host expected"},
      {"https://:6443", "a host expected"},
      {"https://hub:0", "a port from 1 to 65535"},
      {"https://hub:65536", "a port from 1 to 65535"},
      {"https://hub:", "a port from 1 to 65535"},
      {"https://hub:6443x", "a port from 1 to 65535"},
      {"https://[::1", "']' expected"},
      {"https://[hub]", "an IPv6 address expected"},
      {"https://[::1]x", "a port from 1 to 65535"},
      {"https://h b", "a space, control or non-ASCII character"},
      {"https://h\r\n", "a space, control or non-ASCII character"},
      {"https://hub/#x", "a fragment"},
      {"https://h%41", "no host name has"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    const auto url = parse_url(c.text);
    ASSERT_FALSE(url.ok());
    EXPECT_NE(url.error().message.find(c.reason), std::string::npos) << url.error().message;
  }
}

TEST(Path, IsDecodedSegmentBySegment) {
  using Segments = std::vector<std::string>;
  EXPECT_EQ(split_path("/").value(), Segments{});
  EXPECT_EQ(split_path("/api/v1/").value(), (Segments{"api", "v1"}));
  EXPECT_EQ(split_path("/a%2Fb/c%20d").value(), (Segments{"a/b", "c d"}));
}

TEST(Path, RefusesWhatHasFooledOthers) {
  for (const std::string_view path :
       {"", "api", "//", "/a//b", "/a/../b", "/a/%2e%2E", "/a/.", "/a%00", "/a%"}) {
    SCOPED_TRACE(path);
    EXPECT_FALSE(split_path(path).ok());
  }
}

TEST(Query, IsReadAsGoReadsIt) {
  const auto items = parse_query("watch=true&&labelSelector=a%3Db%2Cc&x+y=1+2&flag&e=").value();
  const std::vector<QueryItem> expected = {
      {"watch", "true"}, {"labelSelector", "a=b,c"}, {"x y", "1 2"}, {"flag", ""}, {"e", ""}};
  EXPECT_EQ(items, expected);
  EXPECT_FALSE(parse_query("a=1;b=2").ok());
  EXPECT_FALSE(parse_query("a=%zz").ok());
}

TEST(Query, ReadsBackWhatItBuilt) {
  EXPECT_TRUE(rc::check([](const std::vector<QueryItem>& items) {
    RC_ASSERT(parse_query(build_query(items)).value() == items);
  }));
}

TEST(Target, SplitsAtTheFirstQuestionMark) {
  EXPECT_EQ(split_target("/a?b?c").path, "/a");
  EXPECT_EQ(split_target("/a?b?c").query, "b?c");
  EXPECT_EQ(split_target("/a").query, "");
}

TEST(Url, ErrorsDoNotRepeatPasswords) {
  const auto url = parse_url("http://anna:secret@host:99999/x");
  ASSERT_FALSE(url.ok());
  EXPECT_EQ(url.error().message,
            "URL \"http://...@host:99999/x\": a port from 1 to 65535 expected after the host");
}

}  // namespace
}  // namespace berth::http
