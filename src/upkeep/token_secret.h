// Secrets that hold a token of a ServiceAccount: whose they are, and what they have to contain.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "json/value.h"

namespace berth::upkeep {

inline constexpr std::string_view kTokenSecretType = "kubernetes.io/service-account-token";

bool is_token_secret(const json::Value& secret);

// Of a token secret: the account's name, "" when it names none.
std::string account_of(const json::Value& secret);

// Whether this very account is meant: a secret that names a uid means no later namesake.
bool belongs_to(const json::Value& secret, const json::Value& account);

bool lacks_token(const json::Value& secret);

// The secret as it has to be, equal to it if all is well. `token` is used where none is there.
json::Value filled(json::Value secret, const json::Value& account, std::string_view ca_pem,
                   const std::optional<std::string>& token);

}  // namespace berth::upkeep
