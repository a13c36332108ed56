#include "api/expressions/url.h"

#include <gtest/gtest.h>

namespace berth::api {
namespace {

TEST(Url, TakesItsPartsFromTheText) {
  const auto url = Url::parse("HTTPS://user:pw@[::1]:8443/a%20b?x=1&x=2&y=%zz#frag");
  ASSERT_TRUE(url.ok());
  EXPECT_EQ(url->scheme, "https");
  EXPECT_EQ(url->host, "[::1]:8443");
  EXPECT_EQ(url->hostname(), "::1");
  EXPECT_EQ(url->port(), "8443");
  EXPECT_EQ(url->escaped_path(), "/a%20b");
  ASSERT_EQ(url->query_values().size(), 1U);
  EXPECT_EQ(url->query_values()[0].second, (std::vector<std::string>{"1", "2"}));
}

TEST(Url, NamesWhatIsWrong) {
  EXPECT_EQ(Url::parse("x").error().message, "parse \"x\": invalid URI for request");
  EXPECT_EQ(Url::parse("").error().message, "parse \"\": empty url");
  EXPECT_EQ(Url::parse("http://a b/").error().message,
            "parse \"http://a b/\": invalid character \" \" in host name");
  EXPECT_EQ(Url::parse("http://a:b/").error().message,
            "parse \"http://a:b/\": invalid port \":b\" after host");
  EXPECT_EQ(Url::parse("/%2").error().message, "parse \"/%2\": invalid URL escape \"%2\"");
}

}  // namespace
}  // namespace berth::api
