#include "apiserver/auth/service_account.h"

#include <fmt/format.h>

#include "api/names.h"
#include "base/strings.h"

namespace berth::apiserver {

std::string ServiceAccountName::username() const {
  return fmt::format("{}{}:{}", kServiceAccountPrefix, ns, name);
}

std::vector<std::string> ServiceAccountName::groups() const {
  return {std::string(kServiceAccounts), fmt::format("{}:{}", kServiceAccounts, ns)};
}

std::optional<ServiceAccountName> ServiceAccountName::parse(std::string_view username) {
  if (!username.starts_with(kServiceAccountPrefix)) return std::nullopt;
  const auto parts = split(username.substr(kServiceAccountPrefix.size()), ':');
  if (parts.size() != 2 || !api::check_dns1123_label(parts[0]).empty() ||
      !api::check_dns1123_subdomain(parts[1]).empty()) {
    return std::nullopt;
  }
  return ServiceAccountName{.ns = std::string(parts[0]), .name = std::string(parts[1])};
}

}  // namespace berth::apiserver
