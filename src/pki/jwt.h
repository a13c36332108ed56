// JSON Web Tokens in their compact form, signed with ES256 or RS256 (RFC 7515, 7518, 7519).

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "pki/key.h"

namespace berth::pki {

inline constexpr std::size_t kJwtSizeMax = std::size_t{16} << 10;

// The header names the algorithm and the key's id. The key has to be ECDSA on P-256 or RSA.
std::string sign_jwt(const PrivateKey& key, const json::Value& claims);

// What a token says before anybody has checked its signature: to be believed by nobody.
struct UnverifiedJwt {
  std::string algorithm;
  std::string key_id = {};
  json::Value claims;

  // Three parts of unpadded base64url, a header and claims that are JSON objects.
  static Result<UnverifiedJwt> parse(std::string_view token);
};

// The claims, once one of the keys has signed them. The header's algorithm has to fit the key, so
// that nobody chooses a weaker one ("none" least of all). Times and audience are not looked at.
Result<json::Value> verify_jwt(std::string_view token, const std::vector<PublicKey>& keys);

}  // namespace berth::pki
