#include "apiserver/auth/impersonation.h"

#include <map>
#include <string>

#include "apiserver/auth/service_account.h"
#include "base/strings.h"
#include "http/percent.h"

namespace berth::apiserver {
namespace {

constexpr std::string_view kUserHeader = "impersonate-user";
constexpr std::string_view kUidHeader = "impersonate-uid";
constexpr std::string_view kGroupHeader = "impersonate-group";
constexpr std::string_view kExtraHeader = "impersonate-extra-";
constexpr std::string_view kGroup = "authentication.k8s.io";

// What the headers say, before anything is made of it.
User read_user(const http::Headers& headers) {
  User user{.name = std::string(headers.find(kUserHeader).value_or("")),
            .uid = std::string(headers.find(kUidHeader).value_or(""))};
  for (std::size_t i = 0; i < headers.size(); ++i) {
    const auto [name, value] = headers[i];
    if (name == kGroupHeader) {
      user.groups.emplace_back(value);
    } else if (name.starts_with(kExtraHeader)) {
      const std::string_view encoded = name.substr(kExtraHeader.size());
      // What was not encoded right is taken as it is, as the reference does.
      user.extra[http::percent_decode(encoded).value_or(std::string(encoded))].emplace_back(value);
    }
  }
  return user;
}

std::vector<Attributes> checks_for(const User& user,
                                   const std::optional<ServiceAccountName>& account) {
  std::vector<Attributes> checks;
  const std::string verb = "impersonate";
  if (account) {
    checks.push_back({.verb = verb,
                      .version = "v1",
                      .resource = "serviceaccounts",
                      .ns = account->ns,
                      .name = account->name});
  } else {
    checks.push_back({.verb = verb, .version = "v1", .resource = "users", .name = user.name});
  }
  for (const std::string& group : user.groups) {
    checks.push_back({.verb = verb, .version = "v1", .resource = "groups", .name = group});
  }
  for (const auto& [key, values] : user.extra) {
    for (const std::string& value : values) {
      checks.push_back({.verb = verb,
                        .group = std::string(kGroup),
                        .version = "v1",
                        .resource = "userextras",
                        .subresource = key,
                        .name = value});
    }
  }
  if (!user.uid.empty()) {
    checks.push_back({.verb = verb,
                      .group = std::string(kGroup),
                      .version = "v1",
                      .resource = "uids",
                      .name = user.uid});
  }
  return checks;
}

// The groups that everybody of that kind has, unless the headers say something about them.
void complete_groups(User& user, const std::optional<ServiceAccountName>& account) {
  if (account && user.groups.empty()) user.groups = account->groups();
  if (user.name == kAnonymous) {
    if (!user.is_in(kUnauthenticated)) user.groups.emplace_back(kUnauthenticated);
  } else if (!user.is_in(kAuthenticated) && !user.is_in(kUnauthenticated)) {
    user.groups.emplace_back(kAuthenticated);
  }
}

}  // namespace

Result<std::optional<Impersonation>> read_impersonation(const http::Headers& headers) {
  User user = read_user(headers);
  if (user.name.empty()) {
    if (user.uid.empty() && user.groups.empty() && user.extra.empty()) return std::nullopt;
    return failure(Code::BadRequest,
                   "requested to impersonate a uid, groups or extras without impersonating a user");
  }
  const auto account = ServiceAccountName::parse(user.name);
  std::vector<Attributes> checks = checks_for(user, account);
  complete_groups(user, account);
  return Impersonation{.user = std::move(user), .checks = std::move(checks)};
}

}  // namespace berth::apiserver
