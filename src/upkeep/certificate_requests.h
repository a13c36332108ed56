// CertificateSigningRequests as decisions: which of them the hub signs, how the answer is written
// down, and when they have served their purpose.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/time.h"
#include "json/value.h"

namespace berth::upkeep {

// Approved, neither denied nor failed, without a certificate, and for a signer that is the hub's.
// kubernetes.io/legacy-unknown never is: nobody could tell what such a certificate is good for.
bool awaits_signature(const json::Value& request);

json::Value with_certificate(json::Value request, std::string_view certificate_pem);
json::Value with_failure(json::Value request, std::string_view message, Time now);

// From when on the request is of no use to anybody: an hour after the answer, a day after nobody
// answered, or when its certificate has expired.
std::optional<Time> cleanup_time(const json::Value& request);

}  // namespace berth::upkeep
