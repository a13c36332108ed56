#include "pki/digest.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include "base/base64.h"
#include "base/check.h"

namespace berth::pki {

std::string sha256(std::string_view bytes) {
  std::string digest(32, '\0');
  unsigned int length = 0;
  CHECK(EVP_Digest(bytes.data(), bytes.size(), reinterpret_cast<unsigned char*>(digest.data()),
                   &length, EVP_sha256(), nullptr) == 1);
  return digest;
}

bool equal_in_constant_time(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string encode_base64url(std::string_view bytes) {
  std::string text = encode_base64(bytes);
  while (text.ends_with('=')) text.pop_back();
  for (char& letter : text) {
    if (letter == '+') letter = '-';
    if (letter == '/') letter = '_';
  }
  return text;
}

}  // namespace berth::pki
