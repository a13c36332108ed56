// The claims of a service account's token: written by the issuer, checked by the authenticator.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/auth/service_account.h"
#include "apiserver/auth/token_objects.h"
#include "apiserver/user.h"
#include "base/result.h"
#include "base/time.h"
#include "json/value.h"
#include "pki/key.h"

namespace berth::apiserver {

struct BoundObject {
  std::string name;
  std::string uid = {};

  bool operator==(const BoundObject&) const = default;
};

struct AccountToken {
  std::string id = {};  // "jti"
  ServiceAccountName account;
  std::string account_uid;
  std::vector<std::string> audiences;
  Time issued_at = {};
  Time not_before = {};
  Time expires_at = {};
  std::optional<BoundObject> pod = std::nullopt;
  std::optional<BoundObject> node = std::nullopt;  // Of the pod, or the one it is bound to.
  std::optional<BoundObject> secret = std::nullopt;

  json::Value to_claims(std::string_view issuer) const;
  static Result<AccountToken> from_claims(const json::Value& claims);

  bool operator==(const AccountToken&) const = default;
};

struct AccountTokenTrust {
  std::string issuer;
  std::vector<pki::PublicKey> keys;
};

// Signature, issuer and form. Times, audiences and objects are the next three's.
Result<AccountToken> verify_account_token(std::string_view token, const AccountTokenTrust& trust);

// Clocks may differ by a minute.
Status check_times(const AccountToken& token, Time now);
Result<std::vector<std::string>> shared_audiences(const AccountToken& token,
                                                  const std::vector<std::string>& wanted);

// The service account and what the token is bound to exist under the same uid, and are not being
// deleted since more than a minute.
Status check_objects(const AccountToken& token, const TokenObjects& objects, Time now);

User user_of(const AccountToken& token);  // Without system:authenticated.

}  // namespace berth::apiserver
