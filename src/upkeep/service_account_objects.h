// What every namespace has without anybody asking for it: the account that pods use by default,
// and the certificate by which they know the hub.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "json/value.h"

namespace berth::upkeep {

inline constexpr std::string_view kDefaultAccount = "default";
inline constexpr std::string_view kRootCertificates = "kube-root-ca.crt";

// Whether these belong into the namespace: not while it is being deleted.
bool is_active(const json::Value& object);

json::Value default_account(std::string_view ns);

// The ConfigMap as it has to be, from what is there (null: nothing). Equal to it if all is well.
json::Value root_certificates(std::string_view ns, const json::Value* is, std::string_view ca_pem);

}  // namespace berth::upkeep
