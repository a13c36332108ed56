#include "runtime/tls_channel.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <utility>

#include <arpa/inet.h>
#include <fmt/core.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include "base/check.h"
#include "runtime/channel_bio.h"
#include "runtime/system_error.h"

namespace berth::runtime {
namespace {

constexpr std::size_t kRecordBytes = SSL3_RT_MAX_PLAIN_LENGTH;
// As much as the loopback interface and most network cards take at once.
constexpr std::size_t kGatheredBytes = 4 * kRecordBytes;

bool is_numeric(const std::string& host) {
  in6_addr address;
  return ::inet_pton(AF_INET, host.c_str(), &address) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), &address) == 1;
}

// The alerts by which a peer says that it does not accept our certificate.
bool is_rejection(int reason) {
  switch (reason) {
    case SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED:
    case SSL_R_SSLV3_ALERT_BAD_CERTIFICATE:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_REVOKED:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN:
    case SSL_R_SSLV3_ALERT_NO_CERTIFICATE:
    case SSL_R_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE:
    case SSL_R_TLSV1_ALERT_ACCESS_DENIED:
    case SSL_R_TLSV1_ALERT_UNKNOWN_CA:
      return true;
    default:
      return false;
  }
}

std::string der_of(X509* certificate) {
  const int length = ::i2d_X509(certificate, nullptr);
  CHECK(length > 0);
  std::string der(static_cast<std::size_t>(length), '\0');
  auto* out = reinterpret_cast<unsigned char*>(der.data());
  ::i2d_X509(certificate, &out);
  return der;
}

class TlsChannel final : public Channel {
 public:
  TlsChannel(std::shared_ptr<const TlsContext> context, std::unique_ptr<Channel> below,
             const std::string& server_name)
      : context_(std::move(context)), below_(std::move(below)), ssl_(::SSL_new(context_->get())) {
    CHECK(ssl_ != nullptr);
    SSL_set_app_data(ssl_, this);
    BIO* bio = below_.make();
    ::SSL_set_bio(ssl_, bio, bio);
    if (context_->is_server) {
      ::SSL_set_accept_state(ssl_);
      if (context_->client_certificate == env::ClientCertificate::Request) {
        ::SSL_set_verify(ssl_, SSL_VERIFY_PEER, &note_and_go_on);
      }
    } else {
      ::SSL_set_connect_state(ssl_);
      expect(server_name);
    }
  }
  ~TlsChannel() override { ::SSL_free(ssl_); }

  Progress handshake() override {
    ::ERR_clear_error();
    const int result = ::SSL_do_handshake(ssl_);
    return result == 1 ? Progress{} : trouble(result, "TLS handshake");
  }

  Progress read(std::span<char> into) override {
    ::ERR_clear_error();
    const int received = ::SSL_read(ssl_, into.data(), clamp(into.size()));
    if (received > 0) return {.bytes = static_cast<std::size_t>(received)};
    return trouble(received, "receive");
  }

  // Whoever is told to wait comes again with the same bytes, and perhaps more.
  Progress write(std::string_view bytes) override {
    if (sealed_ == 0 && bytes.size() <= kRecordBytes) return write_record(bytes);
    const Progress sealing = sealed_ == 0 ? seal(bytes) : Progress{};
    const Progress sent = below_.send();
    if (sealed_ == 0) return sealing;
    if (sent.need != Need::Nothing) return sent;
    return {.bytes = std::exchange(sealed_, 0)};
  }

  Progress end() override {
    ::ERR_clear_error();
    const int result = ::SSL_shutdown(ssl_);
    if (result < 0) {
      Progress progress = trouble(result, "end");
      if (progress.need != Need::Failure) return progress;
    }
    return below_.below().end();
  }

  // Records are read one by one, so nothing but the rest of one is ever inside.
  bool has_pending() const override {
    return ::SSL_pending(ssl_) > 0 || below_.below().has_pending();
  }

  void describe(env::Peer& peer) const override {
    const unsigned char* protocol = nullptr;
    unsigned int length = 0;
    ::SSL_get0_alpn_selected(ssl_, &protocol, &length);
    if (length > 0) peer.protocol.assign(reinterpret_cast<const char*>(protocol), length);

    peer.certificate_error = certificate_error_;
    const bool verified = (::SSL_get_verify_mode(ssl_) & SSL_VERIFY_PEER) != 0 &&
                          ::SSL_get_verify_result(ssl_) == X509_V_OK && certificate_error_.empty();
    STACK_OF(X509)* chain = verified ? ::SSL_get0_verified_chain(ssl_) : nullptr;
    for (int i = 0; chain && i < sk_X509_num(chain); ++i) {
      peer.certificates.push_back(der_of(sk_X509_value(chain, i)));
    }
  }

 private:
  // At most one: partial writes are on.
  Progress write_record(std::string_view bytes) {
    ::ERR_clear_error();
    const int sent = ::SSL_write(ssl_, bytes.data(), clamp(bytes.size()));
    if (sent > 0) return {.bytes = static_cast<std::size_t>(sent)};
    return trouble(sent, "send");
  }

  Progress seal(std::string_view bytes) {
    below_.gather();
    while (sealed_ < std::min(bytes.size(), kGatheredBytes)) {
      Progress progress = write_record(bytes.substr(sealed_));
      if (progress.need != Need::Nothing) return progress;
      sealed_ += progress.bytes;
    }
    return {};
  }

  static int clamp(std::size_t size) {
    return static_cast<int>(std::min<std::size_t>(size, INT_MAX));
  }

  // ClientCertificate::Request: a wrong certificate must not end the handshake, because the server
  // wants to answer "401" instead. The first complaint is kept.
  static int note_and_go_on(int fine, X509_STORE_CTX* store) {
    auto* ssl = static_cast<SSL*>(
        ::X509_STORE_CTX_get_ex_data(store, ::SSL_get_ex_data_X509_STORE_CTX_idx()));
    auto* self = static_cast<TlsChannel*>(SSL_get_app_data(ssl));
    if (!fine && self->certificate_error_.empty()) {
      self->certificate_error_ = ::X509_verify_cert_error_string(::X509_STORE_CTX_get_error(store));
    }
    return 1;
  }

  void expect(const std::string& server_name) {
    X509_VERIFY_PARAM* parameters = ::SSL_get0_param(ssl_);
    // As in Go, only alternative names count, and a wildcard stands for a whole label.
    ::X509_VERIFY_PARAM_set_hostflags(
        parameters, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT);
    if (is_numeric(server_name)) {
      CHECK(::X509_VERIFY_PARAM_set1_ip_asc(parameters, server_name.c_str()) == 1);
      return;  // A numeric address is never sent as server name.
    }
    CHECK(::X509_VERIFY_PARAM_set1_host(parameters, server_name.data(), server_name.size()) == 1);
    CHECK(SSL_set_tlsext_host_name(ssl_, server_name.c_str()) == 1);
  }

  Progress trouble(int result, std::string_view doing) {
    const int kind = ::SSL_get_error(ssl_, result);
    if (kind == SSL_ERROR_WANT_READ) return {.need = Need::Readability};
    if (kind == SSL_ERROR_WANT_WRITE) return {.need = Need::Writability};
    if (kind == SSL_ERROR_ZERO_RETURN) return {.need = Need::End};
    if (kind == SSL_ERROR_SYSCALL) {
      const bool told = !below_.error().message.empty();
      return {.need = Need::Failure,
              .error = told ? below_.error() : network_error(ECONNRESET, doing)};
    }
    return {.need = Need::Failure, .error = library_error(doing)};
  }

  Error library_error(std::string_view doing) {
    const unsigned long code = ::ERR_peek_error();
    const int reason = ERR_GET_REASON(code);
    if (reason == SSL_R_CERTIFICATE_VERIFY_FAILED) {
      const char* why = ::X509_verify_cert_error_string(::SSL_get_verify_result(ssl_));
      return {.code = Code::Unauthorized,
              .message = fmt::format("{}: the peer's certificate: {}", doing, why)};
    }
    const char* text = ::ERR_reason_error_string(code);
    const bool rejected = is_rejection(reason) || reason == SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE;
    return {.code = rejected ? Code::Unauthorized : Code::ServiceUnavailable,
            .message = fmt::format("{}: {}", doing, text ? text : "TLS error")};
  }

  std::shared_ptr<const TlsContext> context_;  // OpenSSL's callbacks point into it.
  ChannelBio below_;
  SSL* ssl_;
  std::size_t sealed_ = 0;  // Bytes whose records are gathered, but not all sent yet.
  std::string certificate_error_;
};

}  // namespace

std::unique_ptr<Channel> TlsContext::open(std::unique_ptr<Channel> below,
                                          const std::string& server_name) const {
  return std::make_unique<TlsChannel>(shared_from_this(), std::move(below), server_name);
}

}  // namespace berth::runtime
