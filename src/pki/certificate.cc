#include "pki/certificate.h"

#include <fmt/format.h>
#include <openssl/err.h>

#include "base/check.h"
#include "base/strings.h"
#include "pki/openssl.h"
#include "pki/pem.h"

namespace berth::pki {
namespace {

constexpr std::string_view kLabel = "CERTIFICATE";

Result<X509Pointer> decode(std::string_view der) {
  if (der.size() > kCertificateSizeMax) {
    return failure(Code::BadRequest, fmt::format("certificate of {} bytes, more than {}",
                                                 der.size(), kCertificateSizeMax));
  }
  const unsigned char* at = bytes_of(der);
  X509Pointer x509(d2i_X509(nullptr, &at, static_cast<long>(der.size())));
  if (x509 == nullptr) return failure(openssl_error("the certificate cannot be read"));
  if (at != bytes_of(der) + der.size()) {
    return failure(Code::BadRequest, "bytes follow the end of the certificate");
  }
  return x509;
}

std::string serial_of(const X509* x509) {
  const BignumPointer number(ASN1_INTEGER_to_BN(X509_get0_serialNumber(x509), nullptr));
  if (number == nullptr) return {};
  char* digits = BN_bn2hex(number.get());
  std::string text = digits == nullptr ? "" : digits;
  OPENSSL_free(digits);
  return text;
}

Purpose purpose_of(X509* x509) {
  const std::uint32_t flags = X509_get_extension_flags(x509);
  if ((flags & EXFLAG_XKUSAGE) == 0) return Purpose::Both;
  const std::uint32_t usages = X509_get_extended_key_usage(x509);
  if ((usages & XKU_ANYEKU) != 0) return Purpose::Both;
  return static_cast<Purpose>(((usages & XKU_SSL_SERVER) != 0 ? 1 : 0) |
                              ((usages & XKU_SSL_CLIENT) != 0 ? 2 : 0));
}

Result<AlternativeNames> names_of(const X509* x509) {
  int found = 0;
  const GeneralNamesPointer names(
      static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(x509, NID_subject_alt_name, &found, nullptr)));
  if (names != nullptr) return read_alternative_names(names.get());
  if (found == -1) return AlternativeNames{};  // There are none.
  return failure(openssl_error("the alternative names of the certificate cannot be read"));
}

}  // namespace

Result<Certificate> Certificate::from_der(std::string_view der) {
  ASSIGN_OR_RETURN(const X509Pointer x509, decode(der));
  if ((X509_get_extension_flags(x509.get()) & EXFLAG_INVALID) != 0) {
    return failure(openssl_error("the certificate's extensions cannot be read"));
  }
  ASSIGN_OR_RETURN(Subject subject, read_subject(X509_get_subject_name(x509.get())));
  ASSIGN_OR_RETURN(Subject issuer, read_subject(X509_get_issuer_name(x509.get())));
  ASSIGN_OR_RETURN(const Time not_before, read_asn1_time(X509_get0_notBefore(x509.get())));
  ASSIGN_OR_RETURN(const Time not_after, read_asn1_time(X509_get0_notAfter(x509.get())));
  ASSIGN_OR_RETURN(AlternativeNames names, names_of(x509.get()));
  ERR_clear_error();
  return Certificate{.der = std::string(der),
                     .subject = std::move(subject),
                     .issuer = std::move(issuer),
                     .serial = serial_of(x509.get()),
                     .not_before = not_before,
                     .not_after = not_after,
                     .names = std::move(names),
                     .purpose = purpose_of(x509.get()),
                     .is_authority = X509_check_ca(x509.get()) == 1};
}

Result<Certificate> Certificate::from_pem(std::string_view pem) {
  ASSIGN_OR_RETURN(const std::vector<PemBlock> blocks, parse_pem(pem));
  for (const PemBlock& block : blocks) {
    if (block.label == kLabel) return from_der(block.bytes);
  }
  return failure(Code::BadRequest, "no PEM block \"CERTIFICATE\"");
}

std::string Certificate::pem() const { return encode_pem(kLabel, der); }

Result<PublicKey> Certificate::public_key() const {
  ASSIGN_OR_RETURN(const X509Pointer x509, decode(der));
  return PublicKey::adopt({X509_get_pubkey(x509.get()), EVP_PKEY_free});
}

Result<std::vector<Certificate>> parse_certificates(std::string_view pem) {
  ASSIGN_OR_RETURN(const std::vector<PemBlock> blocks, parse_pem(pem));
  std::vector<Certificate> certificates;
  for (const PemBlock& block : blocks) {
    if (block.label != kLabel) {
      return failure(
          Code::BadRequest,
          fmt::format("only CERTIFICATE PEM blocks are allowed, found {}", quote(block.label)));
    }
    if (block.has_headers) {
      return failure(Code::BadRequest, "no PEM block headers are permitted");
    }
    ASSIGN_OR_RETURN(Certificate certificate, Certificate::from_der(block.bytes));
    certificates.push_back(std::move(certificate));
  }
  if (certificates.empty()) {
    return failure(Code::BadRequest, "must contain at least one CERTIFICATE PEM block");
  }
  return certificates;
}

Status verify_issued_by(const Certificate& certificate, const Certificate& authority, Time now) {
  if (!certificate.is_valid_at(now) || !authority.is_valid_at(now)) {
    return failure(Code::Unauthorized, "the certificate has expired or is not yet valid");
  }
  ASSIGN_OR_RETURN(const X509Pointer leaf, decode(certificate.der));
  ASSIGN_OR_RETURN(const X509Pointer issuer, decode(authority.der));
  ASSIGN_OR_RETURN(const PublicKey key, authority.public_key());
  const bool issued = authority.is_authority &&
                      X509_check_issued(issuer.get(), leaf.get()) == X509_V_OK &&
                      X509_verify(leaf.get(), key.handle()) == 1;
  if (issued) return {};
  Error error = openssl_error("the certificate was not issued by this authority");
  error.code = Code::Unauthorized;
  return failure(std::move(error));
}

Time renewal_time(const Certificate& certificate) {
  const Duration life = certificate.not_after - certificate.not_before;
  return certificate.not_after - life / 5;
}

bool renewal_due(const Certificate& certificate, Time now) {
  return now >= renewal_time(certificate);
}

}  // namespace berth::pki
