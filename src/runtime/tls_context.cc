// Tested by tls_channel_test.cc.

#include <memory>
#include <utility>

#include <fmt/core.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include "base/check.h"
#include "runtime/tls_channel.h"

namespace berth::runtime {
namespace {

constexpr const char* kCiphers =
    "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256";

struct Free {
  void operator()(BIO* bio) const { ::BIO_free(bio); }
  void operator()(X509* certificate) const { ::X509_free(certificate); }
  void operator()(EVP_PKEY* key) const { ::EVP_PKEY_free(key); }
};
using BioPointer = std::unique_ptr<BIO, Free>;
using CertificatePointer = std::unique_ptr<X509, Free>;
using KeyPointer = std::unique_ptr<EVP_PKEY, Free>;

Error bad_setting(std::string_view what) {
  const unsigned long code = ::ERR_peek_last_error();
  const char* reason = code == 0 ? nullptr : ::ERR_reason_error_string(code);
  ::ERR_clear_error();
  return {.code = Code::BadRequest,
          .message = reason ? fmt::format("{}: {}", what, reason) : std::string(what)};
}

BioPointer reader_of(const std::string& pem) {
  return BioPointer(::BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
}

// Encrypted keys are refused rather than asked about on the terminal.
int no_password(char* /*buffer*/, int /*size*/, int /*writing*/, void* /*user*/) { return -1; }

Result<std::vector<CertificatePointer>> parse_certificates(const std::string& pem,
                                                           std::string_view what) {
  ::ERR_clear_error();
  std::vector<CertificatePointer> certificates;
  const BioPointer bio = reader_of(pem);
  while (X509* certificate = ::PEM_read_bio_X509(bio.get(), nullptr, &no_password, nullptr)) {
    certificates.emplace_back(certificate);
  }
  // The end of the text shows as "no start line"; anything else is a broken block.
  const unsigned long code = ::ERR_peek_last_error();
  const bool at_end =
      ERR_GET_LIB(code) == ERR_LIB_PEM && ERR_GET_REASON(code) == PEM_R_NO_START_LINE;
  if (certificates.empty() || !at_end) return failure(bad_setting(what));
  ::ERR_clear_error();
  return certificates;
}

Status use_identity(SSL_CTX* context, const env::TlsIdentity& identity) {
  ASSIGN_OR_RETURN(const auto chain,
                   parse_certificates(identity.certificates_pem, "our certificate"));
  if (::SSL_CTX_use_certificate(context, chain[0].get()) != 1) {
    return failure(bad_setting("our certificate"));
  }
  for (std::size_t i = 1; i < chain.size(); ++i) {
    if (::SSL_CTX_add1_chain_cert(context, chain[i].get()) != 1) {
      return failure(bad_setting("our certificate's chain"));
    }
  }
  const BioPointer bio = reader_of(identity.key_pem);
  const KeyPointer key(::PEM_read_bio_PrivateKey(bio.get(), nullptr, &no_password, nullptr));
  if (!key || ::SSL_CTX_use_PrivateKey(context, key.get()) != 1) {
    return failure(bad_setting("our private key"));
  }
  if (::SSL_CTX_check_private_key(context) != 1) {
    return failure(bad_setting("our private key does not fit our certificate"));
  }
  return {};
}

Status trust(SSL_CTX* context, const std::string& authorities_pem) {
  ASSIGN_OR_RETURN(const auto authorities,
                   parse_certificates(authorities_pem, "the certificate authorities"));
  X509_STORE* store = ::SSL_CTX_get_cert_store(context);
  for (const CertificatePointer& authority : authorities) {
    if (::X509_STORE_add_cert(store, authority.get()) != 1) {
      return failure(bad_setting("the certificate authorities"));
    }
  }
  // As in Go: whatever is in the bundle is an anchor, also an intermediate or a server's own.
  ::X509_STORE_set_flags(store, X509_V_FLAG_PARTIAL_CHAIN);
  return {};
}

Result<std::string> encode_protocols(const std::vector<std::string>& protocols) {
  std::string wire;
  for (const std::string& protocol : protocols) {
    if (protocol.empty() || protocol.size() > 255) {
      return failure(Code::BadRequest, "an ALPN protocol has 1 to 255 bytes");
    }
    wire += static_cast<char>(protocol.size());
    wire += protocol;
  }
  return wire;
}

// The server's order decides; no common protocol means none, and the caller's default applies.
int choose_protocol(SSL* /*ssl*/, const unsigned char** chosen, unsigned char* chosen_length,
                    const unsigned char* offered, unsigned int offered_length, void* context) {
  const std::string& ours = static_cast<const TlsContext*>(context)->protocols;
  unsigned char* out = nullptr;
  const int outcome = ::SSL_select_next_proto(
      &out, chosen_length, reinterpret_cast<const unsigned char*>(ours.data()),
      static_cast<unsigned int>(ours.size()), offered, offered_length);
  *chosen = out;
  return outcome == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
}

std::shared_ptr<TlsContext> make_context(const SSL_METHOD* method) {
  auto context = std::make_shared<TlsContext>(::SSL_CTX_new(method));
  SSL_CTX* raw = context->get();
  CHECK(raw != nullptr);
  CHECK(SSL_CTX_set_min_proto_version(raw, TLS1_2_VERSION) == 1);
  // No renegotiation; no resumption either, so that an identity is proven by every handshake.
  ::SSL_CTX_set_options(raw, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET | SSL_OP_NO_COMPRESSION);
  // The order of Go's servers and clients: the shorter key is enough for everybody, and a third
  // faster. Those without AES in hardware, who put ChaCha20 first, get it.
  CHECK(SSL_CTX_set_ciphersuites(raw, kCiphers) == 1);
  ::SSL_CTX_set_options(raw, SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA);
  ::SSL_CTX_set_num_tickets(raw, 0);
  SSL_CTX_set_session_cache_mode(raw, SSL_SESS_CACHE_OFF);
  // RELEASE_BUFFERS: an idle connection costs 45 KB instead of 58 KB.
  SSL_CTX_set_mode(raw, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                            SSL_MODE_RELEASE_BUFFERS);
  return context;
}

}  // namespace

TlsContext::TlsContext(ssl_ctx_st* context) : context_(context) {}

TlsContext::~TlsContext() { ::SSL_CTX_free(context_); }

Result<std::shared_ptr<const TlsContext>> TlsContext::for_client(const env::TlsClient& settings) {
  auto context = make_context(::TLS_client_method());
  SSL_CTX* raw = context->get();
  if (settings.trust == env::TlsTrust::Verify) {
    ::SSL_CTX_set_verify(raw, SSL_VERIFY_PEER, nullptr);
    if (!settings.authorities_pem.empty()) {
      RETURN_IF_ERROR(trust(raw, settings.authorities_pem));
    } else if (::SSL_CTX_set_default_verify_paths(raw) != 1) {
      return failure(bad_setting("the system's certificate authorities"));
    }
  }
  if (settings.identity != env::TlsIdentity{}) {
    RETURN_IF_ERROR(use_identity(raw, settings.identity));
  }
  ASSIGN_OR_RETURN(context->protocols, encode_protocols(settings.protocols));
  const auto* wire = reinterpret_cast<const unsigned char*>(context->protocols.data());
  if (!settings.protocols.empty()) {
    ::SSL_CTX_set_alpn_protos(raw, wire, static_cast<unsigned int>(context->protocols.size()));
  }
  return context;
}

Result<std::shared_ptr<const TlsContext>> TlsContext::for_server(const env::TlsServer& settings) {
  auto context = make_context(::TLS_server_method());
  SSL_CTX* raw = context->get();
  context->is_server = true;
  context->client_certificate = settings.client_certificate;
  RETURN_IF_ERROR(use_identity(raw, settings.identity));
  if (settings.client_certificate != env::ClientCertificate::Ignore) {
    RETURN_IF_ERROR(trust(raw, settings.client_authorities_pem));
    const bool required = settings.client_certificate == env::ClientCertificate::Require;
    ::SSL_CTX_set_verify(raw, SSL_VERIFY_PEER | (required ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0),
                         nullptr);
  }
  ASSIGN_OR_RETURN(context->protocols, encode_protocols(settings.protocols));
  if (!settings.protocols.empty()) {
    ::SSL_CTX_set_alpn_select_cb(raw, &choose_protocol, context.get());
  }
  return context;
}

}  // namespace berth::runtime
