// What a certificate may be used for, by the names that CertificateSigningRequests use.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace berth::pki {

struct UsageName {
  std::string_view kubernetes;  // "client auth"
  std::string_view openssl;     // "clientAuth"
  bool is_extended = false;     // Of the extended key usages.
};

// All that Kubernetes knows, sorted by its name.
std::span<const UsageName> known_usages();
const UsageName* find_usage(std::string_view kubernetes_name);

// The two extensions in OpenSSL's notation: "digitalSignature,keyEncipherment" and "clientAuth".
struct UsageExtensions {
  std::string key_usage = {};
  std::string extended_key_usage = {};
};

// Fails on a name that is not known. Names that mean the same count once.
Result<UsageExtensions> usage_extensions(const std::vector<std::string>& kubernetes_names);

}  // namespace berth::pki
