#include "pki/request.h"

#include <fmt/format.h>
#include <openssl/err.h>

#include "base/check.h"
#include "pki/openssl.h"
#include "pki/pem.h"

namespace berth::pki {
namespace {

constexpr std::string_view kLabel = "CERTIFICATE REQUEST";

using ExtensionsPointer =
    std::unique_ptr<STACK_OF(X509_EXTENSION), decltype([](STACK_OF(X509_EXTENSION) * list) {
                      sk_X509_EXTENSION_pop_free(list, X509_EXTENSION_free);
                    })>;

Result<AlternativeNames> names_of(X509_REQ* request) {
  const ExtensionsPointer extensions(X509_REQ_get_extensions(request));
  if (extensions == nullptr) return AlternativeNames{};
  int found = 0;
  const GeneralNamesPointer names(static_cast<GENERAL_NAMES*>(
      X509V3_get_d2i(extensions.get(), NID_subject_alt_name, &found, nullptr)));
  if (names != nullptr) return read_alternative_names(names.get());
  if (found == -1) return AlternativeNames{};
  return failure(openssl_error("the alternative names of the request cannot be read"));
}

Status add_names(X509_REQ* request, const AlternativeNames& names) {
  if (names.empty()) return {};
  const GeneralNamesPointer stack(GENERAL_NAMES_new());
  RETURN_IF_ERROR(write_alternative_names(stack.get(), names));
  ExtensionPointer extension(X509V3_EXT_i2d(NID_subject_alt_name, 0, stack.get()));
  const ExtensionsPointer extensions(sk_X509_EXTENSION_new_null());
  CHECK(extension != nullptr && extensions != nullptr);
  CHECK(sk_X509_EXTENSION_push(extensions.get(), extension.get()) > 0);
  (void)extension.release();
  CHECK(X509_REQ_add_extensions(request, extensions.get()) == 1);
  return {};
}

}  // namespace

Result<Request> Request::from_pem(std::string_view pem) {
  if (pem.size() > 2 * kRequestSizeMax) {
    return failure(Code::BadRequest, fmt::format("request of {} bytes", pem.size()));
  }
  ASSIGN_OR_RETURN(const std::vector<PemBlock> blocks, parse_pem(pem));
  if (blocks.empty() || blocks.front().label != kLabel) {
    return failure(Code::BadRequest, "PEM block type must be CERTIFICATE REQUEST");
  }
  return from_der(blocks.front().bytes);
}

Result<Request> Request::from_der(std::string_view der) {
  if (der.size() > kRequestSizeMax) {
    return failure(Code::BadRequest,
                   fmt::format("request of {} bytes, more than {}", der.size(), kRequestSizeMax));
  }
  const unsigned char* at = bytes_of(der);
  const RequestPointer request(d2i_X509_REQ(nullptr, &at, static_cast<long>(der.size())));
  if (request == nullptr) return failure(openssl_error("the certificate request cannot be read"));
  if (at != bytes_of(der) + der.size()) {
    return failure(Code::BadRequest, "bytes follow the end of the certificate request");
  }
  // Before the signature: a key beyond all bounds would take long to verify with.
  ASSIGN_OR_RETURN(PublicKey key,
                   PublicKey::adopt({X509_REQ_get_pubkey(request.get()), EVP_PKEY_free}));
  if (X509_REQ_verify(request.get(), key.handle()) != 1) {
    return failure(openssl_error("the signature of the certificate request is wrong"));
  }
  ASSIGN_OR_RETURN(Subject subject, read_subject(X509_REQ_get_subject_name(request.get())));
  ASSIGN_OR_RETURN(AlternativeNames names, names_of(request.get()));
  ERR_clear_error();
  return Request{.subject = std::move(subject), .names = std::move(names), .key = std::move(key)};
}

Result<std::string> make_request(const PrivateKey& key, const Subject& subject,
                                 const AlternativeNames& names) {
  const RequestPointer request(X509_REQ_new());
  const X509NamePointer name(X509_NAME_new());
  CHECK(request != nullptr && name != nullptr);
  RETURN_IF_ERROR(write_subject(name.get(), subject));
  CHECK(X509_REQ_set_version(request.get(), 0) == 1);
  CHECK(X509_REQ_set_subject_name(request.get(), name.get()) == 1);
  CHECK(X509_REQ_set_pubkey(request.get(), key.handle()) == 1);
  RETURN_IF_ERROR(add_names(request.get(), names));
  const EVP_MD* digest = key.public_key().type() == KeyType::Ed25519 ? nullptr : EVP_sha256();
  if (X509_REQ_sign(request.get(), key.handle(), digest) <= 0) {
    return failure(openssl_error("the certificate request cannot be signed"));
  }
  return encode_pem(kLabel, encode_der(request.get(), i2d_X509_REQ));
}

}  // namespace berth::pki
