#include "runtime/tls_channel.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include "runtime/fd.h"
#include "runtime/testing/certificates.h"

namespace berth::runtime {
namespace {

using testing::Authority;

struct Pair {
  Pair() {
    int ends[2];
    CHECK(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) == 0);
    client = Fd(ends[0]);
    server = Fd(ends[1]);
  }
  Fd client;
  Fd server;
};

// Lets both sides work in turn until neither can go on; what each of them needs then.
std::pair<Progress, Progress> shake(Channel& client, Channel& server) {
  Progress ours;
  Progress theirs;
  for (int turn = 0; turn < 10; ++turn) {
    ours = client.handshake();
    theirs = server.handshake();
  }
  return {ours, theirs};
}

TEST(TlsChannel, ShakesHandsCarriesBytesAndEnds) {
  const Authority authority("ca");
  const auto server_context =
      *TlsContext::for_server({.identity = authority.issue("hub", "DNS:hub.test")});
  const auto client_context = *TlsContext::for_client({.authorities_pem = authority.pem()});
  const Pair pair;
  const auto client = client_context->open(make_plain_channel(pair.client.number()), "hub.test");
  const auto server = server_context->open(make_plain_channel(pair.server.number()), "");
  const auto [ours, theirs] = shake(*client, *server);
  ASSERT_EQ(ours.need, Need::Nothing) << ours.error.message;
  ASSERT_EQ(theirs.need, Need::Nothing) << theirs.error.message;

  EXPECT_EQ(client->write("hello").bytes, 5u);
  std::string buffer(100, '\0');
  EXPECT_EQ(server->read(buffer).bytes, 5u);
  EXPECT_EQ(buffer.substr(0, 5), "hello");
  EXPECT_EQ(server->read(buffer).need, Need::Readability);
  EXPECT_EQ(client->end().need, Need::Nothing);
  EXPECT_EQ(server->read(buffer).need, Need::End);
}

TEST(TlsChannel, SaysWhatIsWrongWithSettings) {
  const Authority authority("ca");
  const env::TlsIdentity good = authority.issue("hub", "");
  const auto message = [](const auto& context) {
    return context.ok() ? std::string("ok") : context.error().message;
  };
  EXPECT_EQ(message(TlsContext::for_client({.authorities_pem = "nonsense"})),
            "the certificate authorities: no start line");
  EXPECT_EQ(message(TlsContext::for_server({.identity = {.certificates_pem = "", .key_pem = ""}})),
            "our certificate: no start line");
  EXPECT_TRUE(message(TlsContext::for_server(
                          {.identity = {.certificates_pem = good.certificates_pem,
                                        .key_pem = authority.issue("other", "").key_pem}}))
                  .starts_with("our private key"));
  EXPECT_EQ(message(TlsContext::for_client({.protocols = {""}})),
            "an ALPN protocol has 1 to 255 bytes");
}

TEST(TlsChannel, RefusesGarbage) {
  const Authority authority("ca");
  const auto context = *TlsContext::for_server({.identity = authority.issue("hub", "")});
  const Pair pair;
  const auto server = context->open(make_plain_channel(pair.server.number()), "");
  ASSERT_GT(::send(pair.client.number(), "GET / HTTP/1.1\r\n\r\n", 18, 0), 0);
  const Progress progress = server->handshake();
  EXPECT_EQ(progress.need, Need::Failure);
  EXPECT_EQ(progress.error.message, "TLS handshake: http request");
}

}  // namespace
}  // namespace berth::runtime
