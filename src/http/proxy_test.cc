#include "http/proxy.h"

#include <map>

#include <gtest/gtest.h>

namespace berth::http {
namespace {

TEST(Proxy, IsReadFromItsUrl) {
  struct Case {
    std::string_view url;
    Proxy proxy;
    std::string_view name;
  };
  const Case cases[] = {
      {"http://proxy", {.host = "proxy", .port = 80}, "http://proxy:80"},
      {"https://Proxy/", {ProxyScheme::Https, "proxy", 443}, "https://proxy:443"},
      {"socks5://10.0.0.1", {ProxyScheme::Socks5, "10.0.0.1", 1080}, "socks5://10.0.0.1:1080"},
      {"socks5h://p:9050", {ProxyScheme::Socks5, "p", 9050}, "socks5://p:9050"},
      {"HTTP://[::1]:3128", {ProxyScheme::Http, "::1", 3128}, "http://[::1]:3128"},
      {"http://me:s%40crEt%2F@p:1", {ProxyScheme::Http, "p", 1, "me", "s@crEt/"}, "http://p:1"},
      {"http://me@p:1", {ProxyScheme::Http, "p", 1, "me", ""}, "http://p:1"},
      {"http://a:b@c@p:1/x@y", {ProxyScheme::Http, "p", 1, "a", "b@c"}, "http://p:1"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.url);
    const auto proxy = parse_proxy(c.url);
    ASSERT_TRUE(proxy.ok()) << proxy.error().message;
    EXPECT_EQ(*proxy, c.proxy);
    EXPECT_EQ(proxy->name(), c.name);
  }
}

TEST(Proxy, ErrorsNameTheUrlWithoutItsCredentials) {
  struct Case {
    std::string_view url;
    std::string_view message;
  };
  const Case cases[] = {
      {"proxy:3128", "proxy \"proxy:3128\": expected http, https, socks5 or socks5h"},
      {"gopher://me:secret@p", "proxy \"gopher://p\": expected http, https, socks5 or socks5h"},
      {"me:secret@p", "proxy \"p\": expected http, https, socks5 or socks5h"},
      {"http://me:secret@", "proxy \"http://\": expected a host and a port"},
      {"http://me:se/cret@p:1", "proxy \"http://p:1\": expected a host and a port"},
      {"http://me:secret@p:99999", "proxy \"http://p:99999\": expected a host and a port"},
      {"http://me:%zzsecret@p",
       "proxy \"http://p\": user and password expected percent-encoded, each of at most 255 "
       "bytes"},
  };
  for (const Case& c : cases) {
    const auto proxy = parse_proxy(c.url);
    ASSERT_FALSE(proxy.ok()) << c.url;
    EXPECT_EQ(proxy.error().message, c.message);
  }
  const auto long_one = parse_proxy("http://me:" + std::string(256, 'x') + "@p");
  ASSERT_FALSE(long_one.ok());
  EXPECT_FALSE(long_one.error().message.contains("xxx"));
}

// The cases of Go's own table of NO_PROXY, and the corners of its documentation.
TEST(Proxy, ExceptionsAreThoseOfGo) {
  struct Case {
    std::string_view no_proxy;
    std::string_view host;
    std::uint16_t port;
    bool direct;
  };
  const Case cases[] = {
      {"", "api.example.com", 443, false},
      {"", "localhost", 443, true},
      {"", "LOCALHOST", 443, true},
      {"", "127.0.0.1", 443, true},
      {"", "127.8.8.8", 443, true},
      {"", "::1", 443, true},
      {"", "::ffff:127.0.0.1", 443, true},
      {"", "localhost.example.com", 443, false},
      {"", "128.0.0.1", 443, false},
      {"*", "api.example.com", 443, true},
      {"a.b , * ", "10.0.0.1", 443, true},
      {"example.com", "example.com", 443, true},
      {"example.com", "api.example.com", 443, true},
      {"example.com", "notexample.com", 443, false},
      {"EXAMPLE.com", "Api.Example.COM", 443, true},
      {".example.com", "example.com", 443, false},
      {".example.com", "a.b.example.com", 443, true},
      {"*.example.com", "example.com", 443, false},
      {"*.example.com", "api.example.com", 443, true},
      {"api.*", "api.example.com", 443, false},
      {"example.com:6443", "api.example.com", 6443, true},
      {"example.com:6443", "api.example.com", 443, false},
      {":6443", "api.example.com", 6443, false},
      {"10.1.2.3", "10.1.2.3", 443, true},
      {"10.1.2.3:80", "10.1.2.3", 443, false},
      {"10.1.2.3:443", "10.1.2.3", 443, true},
      {"10.0.0.0/8", "10.1.2.3", 443, true},
      {"10.0.0.0/8", "11.1.2.3", 443, false},
      {"10.1.2.128/25", "10.1.2.127", 443, false},
      {"10.1.2.128/25", "10.1.2.200", 443, true},
      {"0.0.0.0/0", "8.8.8.8", 443, true},
      {"0.0.0.0/0", "2001:db8::1", 443, false},
      {"0.0.0.0/0", "api.example.com", 443, false},
      {"10.0.0.0/33", "10.0.0.0", 443, false},
      {"2001:db8::/32", "2001:db8:1::7", 443, true},
      {"2001:db8::/32", "2001:db9::7", 443, false},
      {"2001:db8::7", "2001:db8:0::7", 443, true},
      {"[2001:db8::7]:443", "2001:db8::7", 443, true},
      {"[2001:db8::7]:80", "2001:db8::7", 443, false},
      {"2.3", "10.1.2.3", 443, false},
      {"other.org,,  example.com", "example.com", 443, true},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(goes_direct(c.no_proxy, c.host, c.port), c.direct)
        << c.no_proxy << " | " << c.host << ":" << c.port;
  }
}

TEST(Proxy, CapitalsWinOverSmallLetters) {
  std::map<std::string, std::string, std::less<>> variables = {
      {"http_proxy", "a:1"}, {"HTTPS_PROXY", "b:1"}, {"https_proxy", "c:1"}, {"no_proxy", "d"}};
  const auto read = [&] {
    return read_proxy_environment([&](std::string_view name) {
      const auto found = variables.find(name);
      return found == variables.end() ? std::string() : found->second;
    });
  };
  EXPECT_EQ(read().http_proxy, "a:1");
  EXPECT_EQ(read().https_proxy, "b:1");
  EXPECT_EQ(read().no_proxy, "d");
  variables["REQUEST_METHOD"] = "GET";
  EXPECT_EQ(read().http_proxy, "");
  EXPECT_EQ(read().https_proxy, "b:1");
}

std::string chosen(const ProxyEnvironment& environment, std::string_view server) {
  const auto proxy = choose_proxy(environment, parse_url(server).value());
  if (!proxy.ok()) return proxy.error().message;
  return *proxy ? (*proxy)->name() : "direct";
}

TEST(Proxy, TheVariableOfTheSchemeDecides) {
  const ProxyEnvironment both = {
      .http_proxy = "plain:1", .https_proxy = "socks5://secure", .no_proxy = "near.example"};
  EXPECT_EQ(chosen(both, "https://api.example"), "socks5://secure:1080");
  EXPECT_EQ(chosen(both, "http://api.example"), "http://plain:1");
  EXPECT_EQ(chosen(both, "https://near.example:6443"), "direct");
  EXPECT_EQ(chosen({.http_proxy = "plain:1"}, "https://api.example"), "direct");
  EXPECT_EQ(chosen({}, "https://api.example"), "direct");
}

TEST(Proxy, AVariableThatCannotBeReadIsToldInsteadOfIgnored) {
  const ProxyEnvironment bad = {.https_proxy = "ftp://me:secret@p", .no_proxy = "near"};
  EXPECT_EQ(chosen(bad, "https://api.example"),
            "HTTPS_PROXY: proxy \"ftp://p\": expected http, https, socks5 or socks5h");
  EXPECT_EQ(chosen(bad, "https://near"), "direct");
}

}  // namespace
}  // namespace berth::http
