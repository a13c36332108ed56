// The names under which service accounts act.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace berth::apiserver {

inline constexpr std::string_view kServiceAccountPrefix = "system:serviceaccount:";
inline constexpr std::string_view kServiceAccounts = "system:serviceaccounts";

struct ServiceAccountName {
  std::string ns;
  std::string name;

  std::string username() const;             // "system:serviceaccount:NS:NAME"
  std::vector<std::string> groups() const;  // Without system:authenticated.

  // Nullopt when it is no such user, or when either part could be no name.
  static std::optional<ServiceAccountName> parse(std::string_view username);

  bool operator==(const ServiceAccountName&) const = default;
};

}  // namespace berth::apiserver
