#include "http/socks5_tunnel.h"

#include <gtest/gtest.h>

namespace berth::http {
namespace {

using namespace std::string_literals;

const Proxy kPlain = {.scheme = ProxyScheme::Socks5, .host = "p", .port = 1080};
const Proxy kNamed = {.scheme = ProxyScheme::Socks5,
                      .host = "p",
                      .port = 1080,
                      .username = "me",
                      .password = "secret"};
const TunnelTarget kServer = {.host = "api.example", .port = 6443};

const std::string kRequest =
    "\x05\x01\x00\x03\x0b"
    "api.example\x19\x2b"s;
const std::string kOpened = "\x05\x00\x00\x01\x0a\x00\x00\x01\x00\x50"s;

std::unique_ptr<Tunnel> greeted(const Proxy& proxy = kPlain, const TunnelTarget& target = kServer) {
  auto tunnel = make_socks5_tunnel(proxy, target).value();
  EXPECT_EQ(tunnel->output(), proxy.username.empty() ? "\x05\x01\x00"s : "\x05\x02\x00\x02"s);
  return tunnel;
}

std::unique_ptr<Tunnel> asked() {
  auto tunnel = greeted();
  EXPECT_EQ(tunnel->receive("\x05\x00"s).value(), TunnelState::Talking);
  EXPECT_EQ(tunnel->output(), kRequest);
  return tunnel;
}

TEST(Socks5Tunnel, OpensWithoutALogin) {
  EXPECT_EQ(asked()->receive(kOpened).value(), TunnelState::Open);
  EXPECT_EQ(asked()->receive("\x05\x00\x00\x03\x01x\x00\x50"s).value(), TunnelState::Open);
  EXPECT_EQ(asked()->receive("\x05\x00\x00\x04"s + std::string(18, 'a')).value(),
            TunnelState::Open);
}

TEST(Socks5Tunnel, LogsInWhenTheProxyAsks) {
  const auto tunnel = greeted(kNamed);
  EXPECT_EQ(tunnel->receive("\x05\x02"s).value(), TunnelState::Talking);
  EXPECT_EQ(tunnel->output(), "\x01\x02me\x06secret"s);
  EXPECT_EQ(tunnel->receive("\x01\x00"s).value(), TunnelState::Talking);
  EXPECT_EQ(tunnel->output(), kRequest);
  for (std::size_t i = 0; i < kOpened.size(); ++i) {
    EXPECT_EQ(tunnel->receive(kOpened.substr(i, 1)).value(),
              i + 1 == kOpened.size() ? TunnelState::Open : TunnelState::Talking);
  }
}

TEST(Socks5Tunnel, SendsAddressesAsAddresses) {
  const auto request = [](std::string host) {
    const auto tunnel = greeted(kPlain, {.host = std::move(host), .port = 1});
    EXPECT_TRUE(tunnel->receive("\x05\x00"s).ok());
    return tunnel->output();
  };
  EXPECT_EQ(request("10.1.2.3"), "\x05\x01\x00\x01\x0a\x01\x02\x03\x00\x01"s);
  EXPECT_EQ(request("::1"), "\x05\x01\x00\x04"s + std::string(15, '\0') + "\x01\x00\x01"s);
  EXPECT_FALSE(make_socks5_tunnel(kPlain, {.host = std::string(256, 'x'), .port = 1}).ok());
}

TEST(Socks5Tunnel, SaysWhatTheProxyAnswered) {
  struct Case {
    std::string_view what;
    std::unique_ptr<Tunnel> tunnel;
    std::string answer;
    std::string_view message;
  };
  auto logging_in = greeted(kNamed);
  ASSERT_TRUE(logging_in->receive("\x05\x02"s).ok());
  logging_in->output();
  Case cases[] = {
      {"HTTP", greeted(), "HTTP/1.1 400", "SOCKS5: the proxy speaks another protocol"},
      {"login wanted", greeted(), "\x05\xff"s,
       "SOCKS5: the proxy wants a login, and its URL has no credentials"},
      {"login impossible", greeted(kNamed), "\x05\xff"s,
       "SOCKS5: the proxy accepts no login by user and password"},
      {"not offered", greeted(), "\x05\x02"s,
       "SOCKS5: the proxy chooses a login that was not offered"},
      {"login refused", std::move(logging_in), "\x01\x01"s,
       "SOCKS5: the proxy does not accept the credentials of its URL"},
      {"refused", asked(), "\x05\x05"s, "SOCKS5: the proxy replies 5 (connection refused)"},
      {"unknown", asked(), "\x05\x63"s, "SOCKS5: the proxy replies 99 (unknown)"},
      {"address", asked(), "\x05\x00\x00\x09xxxx"s,
       "SOCKS5: the proxy's reply has an unknown type of address"},
      {"more", asked(), kOpened + "x", "SOCKS5: bytes follow the proxy's reply"},
      {"ahead", greeted(), "\x05\x00\x05"s, "SOCKS5: the proxy answers before it is asked"},
  };
  for (Case& c : cases) {
    SCOPED_TRACE(c.what);
    const auto state = c.tunnel->receive(c.answer);
    ASSERT_FALSE(state.ok());
    EXPECT_EQ(state.error().message, c.message);
  }
}

}  // namespace
}  // namespace berth::http
