#include "sim/sim_tls.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/base64.h"
#include "base/strings.h"

namespace berth::sim {
namespace {

constexpr std::string_view kBegin = "-----BEGIN CERTIFICATE-----";
constexpr std::string_view kEnd = "-----END CERTIFICATE-----";

bool is_accepted(const std::vector<std::string>& chain, const std::string& authorities_pem) {
  const std::vector<std::string> authorities = certificates_in(authorities_pem);
  return std::ranges::any_of(chain, [&](const std::string& certificate) {
    return std::ranges::find(authorities, certificate) != authorities.end();
  });
}

std::string choose_protocol(const std::vector<std::string>& ours,
                            const std::vector<std::string>& offered) {
  for (const std::string& protocol : ours) {
    if (std::ranges::find(offered, protocol) != offered.end()) return protocol;
  }
  return {};
}

// What the server learns about the client, if it lets the client in.
Result<env::Peer> judge_client(const env::TlsClient& client, const env::TlsServer& server) {
  env::Peer peer;
  if (server.client_certificate == env::ClientCertificate::Ignore) return peer;
  const std::vector<std::string> chain = certificates_in(client.identity.certificates_pem);
  if (is_accepted(chain, server.client_authorities_pem)) {
    peer.certificates = chain;
    return peer;
  }
  if (server.client_certificate == env::ClientCertificate::Require) {
    return failure(Code::Unauthorized, chain.empty() ? "TLS handshake: certificate required"
                                                     : "TLS handshake: unknown authority");
  }
  if (!chain.empty()) peer.certificate_error = "unable to get local issuer certificate";
  return peer;
}

}  // namespace

std::vector<std::string> certificates_in(const std::string& pem) {
  std::vector<std::string> certificates;
  std::size_t at = 0;
  for (;;) {
    const std::size_t begin = pem.find(kBegin, at);
    const std::size_t end = pem.find(kEnd, begin);
    if (begin == std::string::npos || end == std::string::npos) return certificates;
    const std::size_t body = begin + kBegin.size();
    const std::string_view text = trim(std::string_view(pem).substr(body, end - body));
    const auto decoded = decode_base64(text);
    certificates.push_back(decoded.ok() ? *decoded : std::string(text));
    at = end + kEnd.size();
  }
}

Status check_identity(const env::TlsIdentity& identity) {
  const bool has_certificate = !certificates_in(identity.certificates_pem).empty();
  if (has_certificate == !identity.key_pem.empty()) return {};
  return failure(Code::BadRequest, "our private key does not fit our certificate");
}

Result<Introduction> introduce(const std::optional<env::TlsClient>& client,
                               const std::optional<env::TlsServer>& server) {
  Introduction introduction;
  if (!client && !server) return introduction;
  if (!client) return failure(Code::ServiceUnavailable, "the server speaks TLS only");
  if (!server) return failure(Code::ServiceUnavailable, "TLS handshake: the peer speaks no TLS");
  const std::vector<std::string> chain = certificates_in(server->identity.certificates_pem);
  if (client->trust == env::TlsTrust::Verify) {
    if (!is_accepted(chain, client->authorities_pem)) {
      return failure(Code::Unauthorized,
                     "TLS handshake: the peer's certificate: unable to get local issuer "
                     "certificate");
    }
    introduction.server.certificates = chain;
  }
  ASSIGN_OR_RETURN(introduction.client, judge_client(*client, *server));
  introduction.server.protocol = choose_protocol(server->protocols, client->protocols);
  introduction.client.protocol = introduction.server.protocol;
  return introduction;
}

}  // namespace berth::sim
