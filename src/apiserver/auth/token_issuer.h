// TokenRequests: tokens for service accounts, valid for a while and bound to what they are for.

#pragma once

#include <string>
#include <vector>

#include "apiserver/auth/service_account.h"
#include "apiserver/auth/token_objects.h"
#include "apiserver/refusal.h"
#include "base/time.h"
#include "json/value.h"
#include "pki/key.h"

namespace berth::apiserver {

struct TokenIssuer {
  std::string issuer;
  std::vector<std::string> audiences;  // Of requests that name none.
  pki::PrivateKey key;
};

struct TokenQuestion {
  ServiceAccountName account;  // Of the request's path.
  const json::Value& request;  // A TokenRequest.
  std::string id;              // The token's own, unique: a new UUID.
  Time now;
};

// The TokenRequest with its status: the token and when it ends.
Attempt<json::Value> issue_token(const TokenIssuer& issuer, const TokenQuestion& question,
                                 const TokenObjects& objects);

}  // namespace berth::apiserver
