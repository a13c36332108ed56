// TLS without cryptography: who shows which certificate to whom, and who accepts it.
//
// A chain is accepted if one of its certificates is, byte for byte, one of the authorities'. So in
// the simulator an identity carries its authority's certificate at the end of its own. Names,
// signatures and dates are not looked at; the runtime's tests do that with real certificates.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "env/network.h"

namespace berth::sim {

// What the handshake tells each side about the other.
struct Introduction {
  env::Peer server = {};  // As the client sees it,
  env::Peer client = {};  // and the other way round. Addresses are not filled in.
};

// The error is what the client hears; the server hears nothing of it.
Result<Introduction> introduce(const std::optional<env::TlsClient>& client,
                               const std::optional<env::TlsServer>& server);

// BadRequest if it is half an identity: a key without a certificate, or the other way round.
Status check_identity(const env::TlsIdentity& identity);

// The certificates in a PEM text, decoded; bodies that are no base64 stay as they are.
std::vector<std::string> certificates_in(const std::string& pem);

}  // namespace berth::sim
