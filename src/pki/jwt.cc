#include "pki/jwt.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>
#include <openssl/err.h>

#include "base/base64.h"
#include "base/check.h"
#include "base/strings.h"
#include "json/parse.h"
#include "json/print.h"
#include "pki/digest.h"
#include "pki/openssl.h"

namespace berth::pki {
namespace {

constexpr std::size_t kCoordinate = 32;  // Bytes of r and of s on P-256.

struct Parts {
  std::string_view header;
  std::string_view claims;
  std::string_view signature;
  std::string_view signed_text;  // Header and claims with the dot between them.
};

Result<Parts> split_token(std::string_view token) {
  if (token.size() > kJwtSizeMax) {
    return failure(Code::Unauthorized, fmt::format("token of {} bytes", token.size()));
  }
  const std::size_t first = token.find('.');
  const std::size_t last = token.rfind('.');
  if (first == std::string_view::npos || first == last ||
      token.substr(first + 1, last - first - 1).find('.') != std::string_view::npos) {
    return failure(Code::Unauthorized, "a token has three parts with dots between them");
  }
  return Parts{.header = token.substr(0, first),
               .claims = token.substr(first + 1, last - first - 1),
               .signature = token.substr(last + 1),
               .signed_text = token.substr(0, last)};
}

Result<std::string> decode_part(std::string_view part) {
  std::string text(part);
  for (char& letter : text) {
    const bool is_word = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                         (letter >= '0' && letter <= '9');
    if (!is_word && letter != '-' && letter != '_') {
      return failure(Code::Unauthorized, "a part of the token is no base64url");
    }
    if (letter == '-') letter = '+';
    if (letter == '_') letter = '/';
  }
  text.append((4 - text.size() % 4) % 4, '=');
  auto bytes = decode_base64(text);
  if (!bytes.ok()) return failure(Code::Unauthorized, "a part of the token is no base64url");
  return bytes;
}

Result<json::Value> decode_object(std::string_view part, std::string_view what) {
  ASSIGN_OR_RETURN(const std::string text, decode_part(part));
  const auto value = json::parse(text, {.depth_max = 32});
  if (!value.ok() || !value->is_object()) {
    return failure(Code::Unauthorized, fmt::format("the token's {} are no JSON object", what));
  }
  return *value;
}

// r and s with 32 bytes each, where OpenSSL has DER.
std::string to_raw(std::string_view der) {
  const unsigned char* at = bytes_of(der);
  const SignaturePointer signature(d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size())));
  CHECK(signature != nullptr);
  std::string raw(2 * kCoordinate, '\0');
  auto* into = reinterpret_cast<unsigned char*>(raw.data());
  CHECK(BN_bn2binpad(ECDSA_SIG_get0_r(signature.get()), into, kCoordinate) == kCoordinate);
  CHECK(BN_bn2binpad(ECDSA_SIG_get0_s(signature.get()), into + kCoordinate, kCoordinate) ==
        kCoordinate);
  return raw;
}

std::optional<std::string> to_der(std::string_view raw) {
  if (raw.size() != 2 * kCoordinate) return std::nullopt;
  const SignaturePointer signature(ECDSA_SIG_new());
  BignumPointer r(BN_bin2bn(bytes_of(raw), kCoordinate, nullptr));
  BignumPointer s(BN_bin2bn(bytes_of(raw) + kCoordinate, kCoordinate, nullptr));
  CHECK(signature != nullptr && r != nullptr && s != nullptr);
  CHECK(ECDSA_SIG_set0(signature.get(), r.release(), s.release()) == 1);
  return encode_der(signature.get(), i2d_ECDSA_SIG);
}

std::string_view algorithm_of(const PublicKey& key) {
  if (key.type() == KeyType::Rsa) return "RS256";
  return key.type() == KeyType::Ecdsa && key.bits() == 256 ? "ES256" : "";
}

bool is_signed_by(const PublicKey& key, std::string_view text, const std::string& signature) {
  if (key.type() == KeyType::Rsa) return key.verifies(text, signature);
  const auto der = to_der(signature);
  return der && key.verifies(text, *der);
}

}  // namespace

std::string sign_jwt(const PrivateKey& key, const json::Value& claims) {
  const std::string_view algorithm = algorithm_of(key.public_key());
  CHECK(!algorithm.empty());
  const json::Value header =
      json::Value::object({{"alg", algorithm}, {"kid", key.public_key().id()}});
  std::string token =
      encode_base64url(json::print(header)) + "." + encode_base64url(json::print(claims));
  const std::string signature = key.sign(token);
  const bool is_rsa = key.public_key().type() == KeyType::Rsa;
  return token + "." + encode_base64url(is_rsa ? signature : to_raw(signature));
}

Result<UnverifiedJwt> UnverifiedJwt::parse(std::string_view token) {
  ASSIGN_OR_RETURN(const Parts parts, split_token(token));
  ASSIGN_OR_RETURN(const json::Value header, decode_object(parts.header, "header"));
  ASSIGN_OR_RETURN(json::Value claims, decode_object(parts.claims, "claims"));
  // Whoever demands that an extension is understood gets none: we know of none.
  if (header.find("crit") != nullptr) {
    return failure(Code::Unauthorized, "the token demands extensions");
  }
  const auto text = [&](std::string_view name) {
    const json::Value* member = header.find(name);
    return std::string(member == nullptr ? "" : member->string_or_empty());
  };
  return UnverifiedJwt{
      .algorithm = text("alg"), .key_id = text("kid"), .claims = std::move(claims)};
}

Result<json::Value> verify_jwt(std::string_view token, const std::vector<PublicKey>& keys) {
  ASSIGN_OR_RETURN(const Parts parts, split_token(token));
  ASSIGN_OR_RETURN(UnverifiedJwt unverified, UnverifiedJwt::parse(token));
  ASSIGN_OR_RETURN(const std::string signature, decode_part(parts.signature));
  for (const PublicKey& key : keys) {
    if (algorithm_of(key) != unverified.algorithm || unverified.algorithm.empty()) continue;
    // A key id that names another key spares the work; it is no proof of anything.
    if (!unverified.key_id.empty() && unverified.key_id != key.id()) continue;
    if (is_signed_by(key, parts.signed_text, signature)) return std::move(unverified.claims);
  }
  return failure(Code::Unauthorized, "the token's signature is not by a known key");
}

}  // namespace berth::pki
