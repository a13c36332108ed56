// Whether a CertificateSigningRequest is one that an add-on's agent of a cluster may make.

#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "fleet/addons/addon_registration.h"
#include "fleet/addons/names.h"
#include "json/value.h"

namespace berth::fleet {

// Whose request it says it is; nullopt when it is no request of an add-on, or decided already.
std::optional<AddOnKey> add_on_of_request(const json::Value& request);

// Nothing when it may be approved, else why not: the signer has to be one that the add-on registers
// with, the subject exactly the one that was agreed upon, and the request has to come from the
// agent of this very cluster; cluster1's is not cluster10's.
Status check_add_on_request(const json::Value& request, const AddOnKey& key,
                            const std::vector<AddOnRegistration>& registrations);

// For the subresource "approval".
json::Value with_approval(json::Value request, Time now);

}  // namespace berth::fleet
