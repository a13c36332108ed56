// The signer for client certificates, and when a request has done its duty.

#pragma once

#include <optional>

#include "base/result.h"
#include "base/time.h"
#include "json/value.h"
#include "pki/authority.h"

namespace berth::apiserver {

struct SigningPolicy {
  const pki::Authority& authority;
  Duration life_max;  // A request may ask for less, not for more.
};

// The object as the signer writes it through the status endpoint: with the certificate, or with the
// condition Failed if the request asks for what this signer does not give. Nullopt: nothing is to
// be done (another signer's, not approved, denied, failed or signed already). An error: the
// authority cannot sign now, and it is worth trying again.
Result<std::optional<json::Value>> sign_csr(json::Value csr, const SigningPolicy& policy, Time now);

// Since when a CertificateSigningRequest is not needed any more, judged by what it is at the
// moment: an hour after it was answered, a day after it was made or approved and nobody answered,
// or at the end of its certificate.
std::optional<Time> csr_removal_time(const json::Value& csr);

}  // namespace berth::apiserver
