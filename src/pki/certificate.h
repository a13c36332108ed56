// Certificate: what an X.509 certificate says, read from DER or PEM.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "pki/key.h"
#include "pki/subject.h"

namespace berth::pki {

inline constexpr std::size_t kCertificateSizeMax = std::size_t{64} << 10;

// Whether the extended key usages let the holder play the part. A certificate without that
// extension may play both.
enum class Purpose : std::uint8_t { None = 0, Server = 1, Client = 2, Both = 3 };

struct Certificate {
  std::string der;
  Subject subject;
  Subject issuer;
  std::string serial;  // Hexadecimal, upper case.
  Time not_before;
  Time not_after;  // Still valid at this moment.
  AlternativeNames names = {};
  Purpose purpose = Purpose::None;
  bool is_authority = false;

  static Result<Certificate> from_der(std::string_view der);
  static Result<Certificate> from_pem(std::string_view pem);  // The first one in there.

  std::string pem() const;
  Result<PublicKey> public_key() const;
  bool is_valid_at(Time now) const { return not_before <= now && now <= not_after; }
  bool is_for_clients() const { return purpose == Purpose::Client || purpose == Purpose::Both; }
  bool is_for_servers() const { return purpose == Purpose::Server || purpose == Purpose::Both; }
};

// Every certificate in there, in order. Other blocks and blocks with headers are refused.
Result<std::vector<Certificate>> parse_certificates(std::string_view pem);

// Whether the certificate was signed with the authority's key, as of `now`, with nothing in
// between.
Status verify_issued_by(const Certificate& certificate, const Certificate& authority, Time now);

// When to ask for the next certificate: once less than a fifth of its life is left, as OCM's agents
// do at the latest.
Time renewal_time(const Certificate& certificate);
bool renewal_due(const Certificate& certificate, Time now);

}  // namespace berth::pki
