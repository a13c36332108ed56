#include "apiserver/discovery/digest.h"

#include <array>
#include <cstddef>
#include <span>

#include <openssl/evp.h>

#include "base/base64.h"
#include "base/check.h"
#include "pki/digest.h"

namespace berth::apiserver {
namespace {

// Of the digest that Kubernetes keeps of a storage version.
constexpr std::size_t kStorageHashBytes = 8;

}  // namespace

std::string document_hash(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest = {};
  unsigned int size = 0;
  CHECK(EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha512(), nullptr) == 1);
  std::string hexadecimal;
  for (const unsigned char byte : std::span(digest).first(size)) {
    hexadecimal += kDigits[byte >> 4];
    hexadecimal += kDigits[byte & 0xf];
  }
  return hexadecimal;
}

std::string storage_version_hash(std::string_view storage_version, std::string_view kind) {
  // The core group has no name, but its slash.
  std::string text = storage_version.contains('/') ? "" : "/";
  text.append(storage_version).append("/").append(kind);
  return encode_base64(pki::sha256(text).substr(0, kStorageHashBytes));
}

}  // namespace berth::apiserver
