#include "pki/key.h"

#include <array>
#include <optional>

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/obj_mac.h>

#include "base/check.h"
#include "pki/digest.h"
#include "pki/openssl.h"
#include "pki/pem.h"

namespace berth::pki {
namespace {

std::shared_ptr<evp_pkey_st> own(EVP_PKEY* key) { return {key, EVP_PKEY_free}; }

bool is_nist_curve(EVP_PKEY* key) {
  std::array<char, 64> name{};
  std::size_t length = 0;
  if (EVP_PKEY_get_group_name(key, name.data(), name.size(), &length) != 1) return false;
  const int curve = OBJ_txt2nid(name.data());
  return curve == NID_X9_62_prime256v1 || curve == NID_secp384r1 || curve == NID_secp521r1;
}

Result<KeyType> check_type(EVP_PKEY* key) {
  constexpr int kRsaMin = 2048;
  constexpr int kRsaMax = 8192;
  switch (EVP_PKEY_get_base_id(key)) {
    case EVP_PKEY_EC:
      if (is_nist_curve(key)) return KeyType::Ecdsa;
      return failure(Code::BadRequest, "ECDSA key on a curve other than P-256, P-384 and P-521");
    case EVP_PKEY_RSA:
      if (const int bits = EVP_PKEY_get_bits(key); bits < kRsaMin || bits > kRsaMax) {
        return failure(Code::BadRequest, fmt::format("RSA key of {} bits; {} to {} are accepted",
                                                     bits, kRsaMin, kRsaMax));
      }
      return KeyType::Rsa;
    case EVP_PKEY_ED25519:
      return KeyType::Ed25519;
    default:
      return failure(Code::BadRequest, "key that is neither ECDSA nor RSA nor Ed25519");
  }
}

// Ed25519 brings its own hash.
const EVP_MD* digest_for(KeyType type) { return type == KeyType::Ed25519 ? nullptr : EVP_sha256(); }

}  // namespace

Result<PublicKey> PublicKey::adopt(std::shared_ptr<evp_pkey_st> key) {
  if (key == nullptr) return failure(openssl_error("the public key cannot be read"));
  const Result<KeyType> type = check_type(key.get());
  ERR_clear_error();
  if (!type.ok()) return failure(type.error());
  return PublicKey(std::move(key), *type);
}

Result<PublicKey> PublicKey::from_pem(std::string_view pem) {
  ASSIGN_OR_RETURN(const std::vector<PemBlock> blocks, parse_pem(pem));
  for (const PemBlock& block : blocks) {
    if (block.label != "PUBLIC KEY") continue;
    const unsigned char* at = bytes_of(block.bytes);
    return adopt(own(d2i_PUBKEY(nullptr, &at, static_cast<long>(block.bytes.size()))));
  }
  return failure(Code::BadRequest, "no PEM block \"PUBLIC KEY\"");
}

int PublicKey::bits() const { return EVP_PKEY_get_bits(key_.get()); }

std::string PublicKey::der() const { return encode_der(key_.get(), i2d_PUBKEY); }

std::string PublicKey::pem() const { return encode_pem("PUBLIC KEY", der()); }

std::string PublicKey::id() const { return encode_base64url(sha256(der())); }

bool PublicKey::verifies(std::string_view message, std::string_view signature) const {
  const DigestPointer context(EVP_MD_CTX_new());
  CHECK(context != nullptr);
  const bool right =
      EVP_DigestVerifyInit(context.get(), nullptr, digest_for(type_), nullptr, key_.get()) == 1 &&
      EVP_DigestVerify(context.get(), bytes_of(signature), signature.size(), bytes_of(message),
                       message.size()) == 1;
  ERR_clear_error();
  return right;
}

bool PublicKey::operator==(const PublicKey& other) const {
  return EVP_PKEY_eq(key_.get(), other.key_.get()) == 1;
}

PrivateKey PrivateKey::generate() {
  auto key = own(EVP_EC_gen("P-256"));
  CHECK(key != nullptr);  // Only when there is no memory or no entropy.
  return {key, PublicKey::adopt(key).value()};
}

Result<PrivateKey> PrivateKey::from_pem(std::string_view pem) {
  ASSIGN_OR_RETURN(const std::vector<PemBlock> blocks, parse_pem(pem));
  for (const PemBlock& block : blocks) {
    if (!block.label.ends_with("PRIVATE KEY")) continue;
    if (block.has_headers || block.label.starts_with("ENCRYPTED")) {
      return failure(Code::BadRequest, "the private key is encrypted; only plain ones are read");
    }
    const unsigned char* at = bytes_of(block.bytes);
    auto key = own(d2i_AutoPrivateKey(nullptr, &at, static_cast<long>(block.bytes.size())));
    if (key == nullptr) return failure(openssl_error("the private key cannot be read"));
    ASSIGN_OR_RETURN(PublicKey public_key, PublicKey::adopt(key));
    return PrivateKey(std::move(key), std::move(public_key));
  }
  return failure(Code::BadRequest, "no PEM block \"PRIVATE KEY\"");
}

std::string PrivateKey::pem() const {
  const std::unique_ptr<PKCS8_PRIV_KEY_INFO, Freeing<&PKCS8_PRIV_KEY_INFO_free>> info(
      EVP_PKEY2PKCS8(key_.get()));
  CHECK(info != nullptr);
  return encode_pem("PRIVATE KEY", encode_der(info.get(), i2d_PKCS8_PRIV_KEY_INFO));
}

std::string PrivateKey::sign(std::string_view message) const {
  const DigestPointer context(EVP_MD_CTX_new());
  CHECK(context != nullptr);
  CHECK(EVP_DigestSignInit(context.get(), nullptr, digest_for(public_.type()), nullptr,
                           key_.get()) == 1);
  std::size_t length = 0;
  CHECK(EVP_DigestSign(context.get(), nullptr, &length, bytes_of(message), message.size()) == 1);
  std::string signature(length, '\0');
  CHECK(EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &length,
                       bytes_of(message), message.size()) == 1);
  signature.resize(length);  // ECDSA's are of different lengths.
  return signature;
}

}  // namespace berth::pki
