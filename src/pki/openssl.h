// What the files of this folder share about OpenSSL: owners for its objects and its errors as ours.

#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include "base/result.h"
#include "base/time.h"

namespace berth::pki {

template <auto Free>
struct Freeing {
  template <typename T>
  void operator()(T* object) const {
    Free(object);
  }
};

using BignumPointer = std::unique_ptr<BIGNUM, Freeing<&BN_free>>;
using DigestPointer = std::unique_ptr<EVP_MD_CTX, Freeing<&EVP_MD_CTX_free>>;
using ExtensionPointer = std::unique_ptr<X509_EXTENSION, Freeing<&X509_EXTENSION_free>>;
using GeneralNamesPointer = std::unique_ptr<GENERAL_NAMES, Freeing<&GENERAL_NAMES_free>>;
using RequestPointer = std::unique_ptr<X509_REQ, Freeing<&X509_REQ_free>>;
using SignaturePointer = std::unique_ptr<ECDSA_SIG, Freeing<&ECDSA_SIG_free>>;
using X509Pointer = std::unique_ptr<X509, Freeing<&X509_free>>;
using X509NamePointer = std::unique_ptr<X509_NAME, Freeing<&X509_NAME_free>>;

// "WHAT: the library's reason". Empties the library's queue of errors, so that nobody else on this
// thread finds ours.
Error openssl_error(std::string_view what);

// The bytes of anything that has an i2d function.
template <typename T, typename Encode>
std::string encode_der(T* object, Encode encode) {
  const int length = encode(object, nullptr);
  if (length <= 0) return {};
  std::string bytes(static_cast<std::size_t>(length), '\0');
  auto* at = reinterpret_cast<unsigned char*>(bytes.data());
  encode(object, &at);
  return bytes;
}

inline const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

Result<Time> read_asn1_time(const ASN1_TIME* moment);

}  // namespace berth::pki
