#include "api/expressions/testing/cluster_case.h"

namespace berth::api {
namespace {

using cel::testing::ExpressionCase;
using testing::expect_for_cluster;

TEST(UrlLibrary, TakesUrlsApartAsGoDoes) {
  const ExpressionCase cases[] = {
      {R"(url("https://example.com:80/").getHost())", R"("example.com:80")", 2},
      {R"(url("https://example.com:80/").getHostname())", R"("example.com")", 2},
      {R"(url("https://example.com:80/").getPort())", R"("80")", 2},
      {R"(url("https://example.com:80/").getScheme())", R"("https")", 2},
      {R"(url("https://[::1]:80/").getHost())", R"("[::1]:80")", 2},
      {R"(url("https://[::1]:80/").getHostname())", R"("::1")", 2},
      {R"(url("https://[::1]/").getPort())", R"("")", 2},
      {R"(url("https://example.com/path with spaces/").getEscapedPath())",
       R"("/path%20with%20spaces/")", 2},
      {R"(url("https://example.com/path%20x/a!b").getEscapedPath())", R"("/path%20x/a!b")", 2},
      {R"(url("https://example.com/?k1=a&k2=b&k2=c&k3=a%20b+c&bad;x=1").getQuery()["k2"])",
       R"(["b", "c"])", 4},
      {R"(url("https://example.com/?k3=a%20b+c").getQuery())", R"({"k3": ["a b c"]})", 2},
      {R"(url("/abs/path").getHost())", R"("")", 2},
      {R"(url("/abs/path").getScheme())", R"("")", 2},
      {R"(url("/abs/path?x=1#frag").getEscapedPath())", R"("/abs/path")", 2},
      {R"(url("relative"))",
       R"(!URL parse error during conversion from string: parse "relative": invalid URI for request)",
       1},
      {R"(url(""))", R"(!URL parse error during conversion from string: parse "": empty url)", 1},
      {R"(url("https://a b.com/"))",
       R"(!URL parse error during conversion from string: parse "https://a b.com/": invalid character " " in host name)",
       1},
      {R"(url("https://example.com:x/"))",
       R"(!URL parse error during conversion from string: parse "https://example.com:x/": invalid port ":x" after host)",
       1},
      {R"(url("mailto:a@b").getScheme())", R"("mailto")", 2},
      {R"(url("mailto:a@b").getHost())", R"("")", 2},
      {R"(url("https://user:pw@example.com/").getHost())", R"("example.com")", 2},
      {R"(url("https://exa%zzmple.com/"))",
       R"(!URL parse error during conversion from string: parse "https://exa%zzmple.com/": invalid URL escape "%zz")",
       1},
      {R"(url("https://example.com/%zz"))",
       R"(!URL parse error during conversion from string: parse "https://example.com/%zz": invalid URL escape "%zz")",
       1},
      {R"(url(":foo"))",
       R"(!URL parse error during conversion from string: parse ":foo": missing protocol scheme)",
       1},
      {R"(isURL("https://example.com"))", "true", 1},
      {R"(isURL("../relative"))", "false", 1},
      {R"(isURL("/x"))", "true", 1},
      {R"(isURL("https://a:b:c/"))", "false", 1},
      {R"(isURL("http://::1/"))", "true", 1},
      {R"(isURL("http://[::1]x/"))", "false", 1},
      {R"(isURL("http://[fe80::1%25en0]/"))", "true", 1},
      {R"(url("https://a.com") == url("https://a.com"))", "true", 3},
  };
  expect_for_cluster(cases);
}

}  // namespace
}  // namespace berth::api
