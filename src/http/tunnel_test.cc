#include "http/tunnel.h"

#include <gtest/gtest.h>

namespace berth::http {
namespace {

TEST(Tunnel, SpeaksTheProtocolOfTheProxy) {
  const TunnelTarget server = {.host = "api", .port = 443};
  for (const ProxyScheme scheme : {ProxyScheme::Http, ProxyScheme::Https}) {
    const auto tunnel = make_tunnel({.scheme = scheme, .host = "p", .port = 1}, server);
    EXPECT_TRUE((*tunnel)->output().starts_with("CONNECT api:443 "));
  }
  const auto socks = make_tunnel({.scheme = ProxyScheme::Socks5, .host = "p", .port = 1}, server);
  EXPECT_TRUE((*socks)->output().starts_with("\x05"));
}

}  // namespace
}  // namespace berth::http
