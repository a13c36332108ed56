// Keys: ECDSA on P-256 is what Berth makes; RSA, other NIST curves and Ed25519 are read and
// checked, because others make them.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

struct evp_pkey_st;

namespace berth::pki {

enum class KeyType : std::uint8_t { Ecdsa, Rsa, Ed25519 };

// Immutable and cheap to copy. Signing and verifying may happen on several threads at once.
class PublicKey {
 public:
  // A SubjectPublicKeyInfo in PEM ("PUBLIC KEY").
  static Result<PublicKey> from_pem(std::string_view pem);

  // Refuses what is weak or would take too long to use: RSA outside 2048 to 8192 bits, curves
  // without a name. Takes one reference over.
  static Result<PublicKey> adopt(std::shared_ptr<evp_pkey_st> key);

  KeyType type() const { return type_; }
  int bits() const;
  std::string der() const;
  std::string pem() const;

  // Unpadded base64url of the SHA-256 of the key in DER: what Kubernetes puts into "kid".
  std::string id() const;

  // SHA-256 with ECDSA (the signature in DER) or with RSA (PKCS #1 v1.5).
  bool verifies(std::string_view message, std::string_view signature) const;

  evp_pkey_st* handle() const { return key_.get(); }
  bool operator==(const PublicKey& other) const;

 private:
  PublicKey(std::shared_ptr<evp_pkey_st> key, KeyType type) : key_(std::move(key)), type_(type) {}

  std::shared_ptr<evp_pkey_st> key_;
  KeyType type_;
};

class PrivateKey {
 public:
  // ECDSA on P-256, drawn from OpenSSL's own generator: the one thing here, besides serial numbers
  // and the salt of signatures, that is not a function of its arguments. A seeded key would be no
  // secret.
  static PrivateKey generate();

  // "PRIVATE KEY", "EC PRIVATE KEY" or "RSA PRIVATE KEY"; encrypted ones are refused.
  static Result<PrivateKey> from_pem(std::string_view pem);

  std::string pem() const;  // PKCS #8.
  const PublicKey& public_key() const { return public_; }
  std::string sign(std::string_view message) const;  // As PublicKey::verifies has it.

  evp_pkey_st* handle() const { return key_.get(); }

 private:
  PrivateKey(std::shared_ptr<evp_pkey_st> key, PublicKey public_key)
      : key_(std::move(key)), public_(std::move(public_key)) {}

  std::shared_ptr<evp_pkey_st> key_;
  PublicKey public_;
};

}  // namespace berth::pki
