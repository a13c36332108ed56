// How a stream is to be encrypted and whom it trusts: plain values, no handles of a library.

#pragma once

#include <string>
#include <vector>

namespace berth::env {

// Who we are to the peer. Both empty: nobody.
struct TlsIdentity {
  std::string certificates_pem = {};  // Our certificate first, then the intermediate ones.
  std::string key_pem = {};

  bool operator==(const TlsIdentity&) const = default;
};

enum class TlsTrust {
  Verify,    // The peer's chain and name must be right.
  Anything,  // No check at all; whoever asks for this has to warn the user.
};

// Passed with each connect, so a rotated certificate is simply the next value.
struct TlsClient {
  std::string authorities_pem = {};  // Empty: the authorities of the system.
  std::string server_name = {};      // Sent and verified; empty: the host that is dialled.
  TlsTrust trust = TlsTrust::Verify;
  TlsIdentity identity = {};
  std::vector<std::string> protocols = {};  // ALPN, the preferred one first; empty: none offered.

  bool operator==(const TlsClient&) const = default;
};

enum class ClientCertificate {
  Ignore,   // Not asked for.
  Request,  // Asked for; a missing or wrong one is told in Peer, and the stream opens.
  Require,  // The handshake fails without a right one.
};

// TLS 1.2 is the lowest version on both sides.
struct TlsServer {
  TlsIdentity identity;
  ClientCertificate client_certificate = ClientCertificate::Ignore;
  std::string client_authorities_pem = {};  // Whose signatures make a client's certificate right.
  std::vector<std::string> protocols = {};  // ALPN, the preferred one first; empty: not used.

  bool operator==(const TlsServer&) const = default;
};

}  // namespace berth::env
