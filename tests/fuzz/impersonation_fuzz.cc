// The headers by which somebody acts as somebody else.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "apiserver/auth/impersonation.h"
#include "apiserver/auth/service_account.h"
#include "base/check.h"
#include "base/strings.h"

namespace {

using berth::apiserver::Attributes;
using berth::apiserver::Impersonation;
using berth::apiserver::kAuthenticated;
using berth::apiserver::kUnauthenticated;
using berth::apiserver::read_impersonation;
using berth::apiserver::ServiceAccountName;
using berth::apiserver::User;

bool is_checked(const Impersonation& taken, std::string_view resource, std::string_view name) {
  return std::ranges::any_of(taken.checks, [&](const Attributes& check) {
    return check.verb == "impersonate" && check.resource == resource && check.name == name;
  });
}

// Groups that come with the name need no right of their own.
bool comes_with_the_name(const User& user, const std::string& group) {
  if (group == kAuthenticated || group == kUnauthenticated) return true;
  const auto account = ServiceAccountName::parse(user.name);
  return account && std::ranges::count(account->groups(), group) > 0;
}

}  // namespace

// Lines of "name: value". Nobody takes on anything without being asked for the right to it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  berth::http::Headers headers;
  for (const std::string_view line : berth::split(text, '\n')) {
    const std::size_t colon = line.find(": ");
    if (colon != line.npos) headers.add(line.substr(0, colon), line.substr(colon + 2));
  }
  const auto taken = read_impersonation(headers);
  CHECK(taken.ok() || taken.error().code == berth::Code::BadRequest);
  if (!taken.ok() || !*taken) return 0;
  const User& user = (*taken)->user;
  CHECK(!user.name.empty());
  const bool is_account = ServiceAccountName::parse(user.name).has_value();
  CHECK(is_account || is_checked(**taken, "users", user.name));
  CHECK(!is_account || is_checked(**taken, "serviceaccounts",
                                  std::string_view(user.name).substr(user.name.rfind(':') + 1)));
  for (const std::string& group : user.groups) {
    CHECK(comes_with_the_name(user, group) || is_checked(**taken, "groups", group));
  }
  CHECK(user.uid.empty() || is_checked(**taken, "uids", user.uid));
  for (const auto& [key, values] : user.extra) {
    for (const std::string& value : values) CHECK(is_checked(**taken, "userextras", value));
  }
  return 0;
}
