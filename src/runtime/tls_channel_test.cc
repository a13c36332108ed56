#include "runtime/tls_channel.h"

#include <gtest/gtest.h>
#include <openssl/ssl.h>
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

// Counts what the system would be asked for, and takes so many bytes before it says Writability.
class CountingChannel final : public Channel {
 public:
  struct Tally {
    int writes = 0;
    std::size_t room = 0;  // Bytes until it is full.
  };

  CountingChannel(std::unique_ptr<Channel> below, Tally& tally)
      : below_(std::move(below)), tally_(tally) {}

  Progress handshake() override { return below_->handshake(); }
  Progress read(std::span<char> into) override { return below_->read(into); }
  Progress write(std::string_view bytes) override {
    ++tally_.writes;
    if (tally_.room == 0) return {.need = Need::Writability};
    const Progress progress = below_->write(bytes.substr(0, tally_.room));
    tally_.room -= progress.bytes;
    return progress;
  }
  Progress end() override { return below_->end(); }
  bool has_pending() const override { return below_->has_pending(); }
  void describe(env::Peer& peer) const override { below_->describe(peer); }

 private:
  std::unique_ptr<Channel> below_;
  Tally& tally_;
};

TEST(TlsChannel, ManyRecordsLeaveInOnePieceHoweverLittleThereIsRoomFor) {
  const Authority authority("ca");
  const auto server_context =
      *TlsContext::for_server({.identity = authority.issue("hub", "DNS:hub.test")});
  const auto client_context = *TlsContext::for_client({.authorities_pem = authority.pem()});
  const Pair pair;
  CountingChannel::Tally tally{.room = 1 << 20};
  const auto client = client_context->open(make_plain_channel(pair.client.number()), "hub.test");
  const auto server = server_context->open(
      std::make_unique<CountingChannel>(make_plain_channel(pair.server.number()), tally), "");
  ASSERT_EQ(shake(*client, *server).second.need, Need::Nothing);

  std::string text;
  for (int i = 0; text.size() < 100'000; ++i) text += std::to_string(i) + " ";
  std::string heard;
  std::string buffer(text.size(), '\0');
  const auto hear = [&] {
    for (;;) {
      const Progress progress = client->read(buffer);
      if (progress.bytes == 0) return;
      heard.append(buffer, 0, progress.bytes);
    }
  };
  std::size_t sent = 0;
  tally.writes = 0;
  while (sent < text.size()) {
    const Progress progress = server->write(std::string_view(text).substr(sent));
    ASSERT_EQ(progress.need, Need::Nothing);
    sent += progress.bytes;
    hear();
  }
  EXPECT_EQ(heard, text);
  EXPECT_EQ(tally.writes, 2);  // Seven records.

  // In between both sides may have something else to say: nothing is lost, doubled or turned round.
  heard.clear();
  tally.room = 0;
  EXPECT_EQ(server->write(text).need, Need::Writability);
  EXPECT_EQ(server->read(buffer).need, Need::Readability);
  EXPECT_EQ(client->write("news").bytes, 4u);
  EXPECT_EQ(server->read(buffer).bytes, 4u);
  for (sent = 0; sent < text.size();) {
    tally.room = 5'000;
    const Progress progress = server->write(std::string_view(text).substr(sent));
    ASSERT_NE(progress.need, Need::Failure) << progress.error.message;
    sent += progress.bytes;
    hear();
  }
  EXPECT_EQ(heard, text);
}

TEST(TlsChannel, TheServerChoosesTheCipher) {
  const Authority authority("ca");
  const auto context = *TlsContext::for_server({.identity = authority.issue("hub", "")});
  struct Row {
    const char* offered;
    std::string_view chosen;
  };
  for (const Row& row :
       {Row{"TLS_AES_256_GCM_SHA384:TLS_AES_128_GCM_SHA256", "TLS_AES_128_GCM_SHA256"},
        Row{"TLS_AES_256_GCM_SHA384", "TLS_AES_256_GCM_SHA384"},
        Row{"TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256",
            "TLS_CHACHA20_POLY1305_SHA256"}}) {
    const Pair pair;
    const auto server = context->open(make_plain_channel(pair.server.number()), "");
    SSL_CTX* client_context = ::SSL_CTX_new(::TLS_client_method());
    CHECK(SSL_CTX_set_ciphersuites(client_context, row.offered) == 1);
    SSL* client = ::SSL_new(client_context);
    ::SSL_set_fd(client, pair.client.number());
    for (int turn = 0; turn < 10; ++turn) {
      ::SSL_connect(client);
      server->handshake();
    }
    EXPECT_EQ(SSL_get_cipher_name(client), row.chosen) << row.offered;
    ::SSL_free(client);
    ::SSL_CTX_free(client_context);
  }
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
