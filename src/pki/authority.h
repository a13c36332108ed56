// Authority: a certificate authority in one value, and what it issues.

#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "pki/certificate.h"
#include "pki/key.h"
#include "pki/request.h"

namespace berth::pki {

// Clocks differ: what is issued now has to be valid on a machine that is behind.
inline constexpr Duration kBackdate = std::chrono::minutes(5);

struct Authority {
  Certificate certificate;
  PrivateKey key;

  // Fails if the key does not belong to the certificate, or if that is no authority's.
  static Result<Authority> from_pem(const std::string& certificate_pem, const std::string& key_pem);

  // A new one that trusts itself, with a key of its own.
  static Authority make(const std::string& common_name, Time now, Duration life);
};

// What to write into a certificate. It begins kBackdate before `now` and never outlives the
// authority's own.
struct Order {
  Subject subject;
  AlternativeNames names = {};
  std::vector<std::string> usages;  // As Kubernetes names them.
  PublicKey key;
  Time now;
  Duration life;  // Counted from now.
};

// Serial numbers are 128 random bits from OpenSSL's generator. Fails when the authority has expired
// or the order holds what cannot be written.
Result<Certificate> issue(const Authority& authority, const Order& order);

// An identity that was made in one go: the certificate and its key.
struct Identity {
  Certificate certificate;
  PrivateKey key;
};

struct Validity {
  Time now;
  Duration life;
};

Result<Identity> issue_serving(const Authority& authority, const std::string& common_name,
                               const AlternativeNames& names, Validity validity);
Result<Identity> issue_client(const Authority& authority, const Subject& subject,
                              Validity validity);

// Signs what somebody asked for: subject, names and key are the request's, the rest is ours.
Result<Certificate> sign_request(const Authority& authority, const Request& request,
                                 const std::vector<std::string>& usages, Validity validity);

}  // namespace berth::pki
