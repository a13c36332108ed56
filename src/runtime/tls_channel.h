// TLS on top of another channel, by OpenSSL: contexts made of plain settings, and one channel per
// connection.

#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "env/tls.h"
#include "runtime/channel.h"

struct ssl_ctx_st;

namespace berth::runtime {

// Immutable once made, so threads may share it. BadRequest says what is wrong with the settings.
class TlsContext : public std::enable_shared_from_this<TlsContext> {
 public:
  static Result<std::shared_ptr<const TlsContext>> for_client(const env::TlsClient& settings);
  static Result<std::shared_ptr<const TlsContext>> for_server(const env::TlsServer& settings);

  explicit TlsContext(ssl_ctx_st* context);  // Takes it over.
  ~TlsContext();
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;

  // For a client, `server_name` is what the certificate has to be for; servers pass nothing.
  std::unique_ptr<Channel> open(std::unique_ptr<Channel> below,
                                const std::string& server_name) const;

  ssl_ctx_st* get() const { return context_; }

  std::string protocols = {};  // ALPN as it is on the wire.
  env::ClientCertificate client_certificate = env::ClientCertificate::Ignore;
  bool is_server = false;

 private:
  ssl_ctx_st* context_;
};

}  // namespace berth::runtime
