#include "http/connect_tunnel.h"

#include <gtest/gtest.h>

namespace berth::http {
namespace {

const Proxy kPlain = {.host = "p", .port = 3128};
const Proxy kNamed = {.host = "p", .port = 3128, .username = "Aladdin", .password = "open sesame"};
const TunnelTarget kServer = {.host = "api.example", .port = 6443};

Result<TunnelState> answer(std::string_view bytes, const Proxy& proxy = kPlain) {
  const auto tunnel = make_connect_tunnel(proxy, kServer);
  return tunnel->receive(bytes);
}

TEST(ConnectTunnel, AsksForTheServerWithTheCredentialsOfTheProxy) {
  EXPECT_EQ(make_connect_tunnel(kPlain, kServer)->output(),
            "CONNECT api.example:6443 HTTP/1.1\r\nHost: api.example:6443\r\n\r\n");
  const auto tunnel = make_connect_tunnel(kNamed, {.host = "::1", .port = 1});
  EXPECT_EQ(tunnel->output(),
            "CONNECT [::1]:1 HTTP/1.1\r\nHost: [::1]:1\r\n"
            "Proxy-Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\r\n\r\n");
  EXPECT_EQ(tunnel->output(), "") << "once";
}

TEST(ConnectTunnel, OpensOnASuccessHoweverItArrives) {
  for (const std::string_view text :
       {"HTTP/1.1 200 Connection established\r\n\r\n", "HTTP/1.0 200 OK\r\nVia: x\r\n\r\n",
        "HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(answer(text).value(), TunnelState::Open);
    const auto tunnel = make_connect_tunnel(kPlain, kServer);
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool last = i + 1 == text.size();
      EXPECT_EQ(tunnel->receive(text.substr(i, 1)).value(),
                last ? TunnelState::Open : TunnelState::Talking);
    }
  }
}

TEST(ConnectTunnel, SaysWhatTheProxyAnswered) {
  struct Case {
    std::string_view answer;
    std::string_view message;
  };
  const Case cases[] = {
      {"HTTP/1.1 407 Whatever\r\nProxy-Authenticate: Basic\r\n\r\n",
       "the answer to CONNECT is 407 Proxy Authentication Required: its URL has no credentials"},
      {"HTTP/1.1 502 x\r\nContent-Length: 4\r\n\r\noops",
       "the answer to CONNECT is 502 Bad Gateway"},
      {"HTTP/1.1 403 x\r\n\r\n", "the answer to CONNECT is 403 Forbidden"},
      {"HTTP/1.1 301 x\r\nLocation: https://evil\r\n\r\n",
       "the answer to CONNECT is 301 Moved Permanently"},
      {"HTTP/1.1 200 OK\r\n\r\nsurprise", "bytes follow the answer to CONNECT"},
  };
  for (const Case& c : cases) EXPECT_EQ(answer(c.answer).error().message, c.message);
  const Error error = answer("HTTP/1.1 407 x\r\n\r\n", kNamed).error();
  EXPECT_TRUE(error.message.ends_with("it does not accept the credentials of its URL"));
  EXPECT_EQ(answer("SSH-2.0 open sesame\r\n\r\n", kNamed).error().message,
            "the answer to CONNECT is no HTTP/1.1, or too large")
      << "a proxy may repeat our credentials";
}

TEST(ConnectTunnel, AnEndlessAnswerIsGivenUpWithinABound) {
  const auto tunnel = make_connect_tunnel(kPlain, kServer);
  const std::string piece(1000, 'x');
  int pieces = 0;
  while (tunnel->receive(piece).ok()) ASSERT_LT(++pieces, 20);
  std::string interim;
  for (int i = 0; i < 100; ++i) interim += "HTTP/1.1 102 Processing\r\n\r\n";
  EXPECT_FALSE(answer(interim).ok());
}

}  // namespace
}  // namespace berth::http
