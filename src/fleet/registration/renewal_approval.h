// Which CertificateSigningRequests the hub approves by itself: those with which an accepted agent
// renews its own certificate, by exact match. Everything else is for an administrator.

#pragma once

#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "fleet/registration/names.h"
#include "json/value.h"

namespace berth::fleet {

// Neither approved nor denied nor failed.
bool is_undecided(const json::Value& request);

// The agent for which the request asks a client certificate, if its label, its signer, its only
// group besides the common one and its user all name the same cluster. The error says which does
// not. Who asks is not looked at.
Result<AgentName> requested_agent(const json::Value& request);

// Whether the requester asks for exactly himself.
bool is_renewal(const json::Value& request);

// The question whether the requester may renew; asked of the server.
json::Value renewal_review(const json::Value& request);
bool is_allowed(const json::Value& review);

// The request with the condition Approved, for its subresource `approval`.
json::Value approved(json::Value request, std::string_view reason, std::string_view message,
                     Time now);

inline constexpr std::string_view kRenewalReason = "AutoApprovedByHubCSRApprovingController";
inline constexpr std::string_view kRenewalMessage =
    "Auto approving Managed cluster agent certificate after SubjectAccessReview.";

}  // namespace berth::fleet
