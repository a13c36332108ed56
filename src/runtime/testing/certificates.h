// Certificates for tests: an authority, and what it signs. Real keys, made in a millisecond.

#pragma once

#include <memory>
#include <string>

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include "base/check.h"
#include "env/tls.h"

namespace berth::runtime::testing {

using Key = std::unique_ptr<EVP_PKEY, decltype(&::EVP_PKEY_free)>;
using Certificate = std::unique_ptr<X509, decltype(&::X509_free)>;

inline Key make_key() { return {::EVP_EC_gen("P-256"), &::EVP_PKEY_free}; }

template <typename Write>
std::string to_pem(Write write) {
  const std::unique_ptr<BIO, decltype(&::BIO_free)> bio(::BIO_new(::BIO_s_mem()), &::BIO_free);
  CHECK(write(bio.get()) == 1);
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

inline std::string pem_of(X509* certificate) {
  return to_pem([&](BIO* bio) { return ::PEM_write_bio_X509(bio, certificate); });
}

inline std::string pem_of(EVP_PKEY* key) {
  return to_pem([&](BIO* bio) {
    return ::PEM_write_bio_PrivateKey(bio, key, nullptr, nullptr, 0, nullptr, nullptr);
  });
}

inline void add_extension(X509* certificate, int kind, const std::string& value) {
  X509_EXTENSION* extension = ::X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str());
  CHECK(extension != nullptr);
  ::X509_add_ext(certificate, extension, -1);
  ::X509_EXTENSION_free(extension);
}

// Unsigned, valid from an hour ago for a day.
inline Certificate make_certificate(const std::string& common_name, EVP_PKEY* key) {
  Certificate certificate(::X509_new(), &::X509_free);
  ::X509_set_version(certificate.get(), X509_VERSION_3);
  ::ASN1_INTEGER_set(::X509_get_serialNumber(certificate.get()), 1);
  ::X509_gmtime_adj(::X509_getm_notBefore(certificate.get()), -3600);
  ::X509_gmtime_adj(::X509_getm_notAfter(certificate.get()), 24 * 3600);
  const auto* text = reinterpret_cast<const unsigned char*>(common_name.c_str());
  ::X509_NAME_add_entry_by_txt(::X509_get_subject_name(certificate.get()), "CN", MBSTRING_ASC, text,
                               -1, -1, 0);
  ::X509_set_pubkey(certificate.get(), key);
  return certificate;
}

class Authority {
 public:
  explicit Authority(const std::string& name)
      : key_(make_key()), certificate_(make_certificate(name, key_.get())) {
    add_extension(certificate_.get(), NID_basic_constraints, "critical,CA:TRUE");
    ::X509_set_issuer_name(certificate_.get(), ::X509_get_subject_name(certificate_.get()));
    CHECK(::X509_sign(certificate_.get(), key_.get(), ::EVP_sha256()) > 0);
  }

  std::string pem() const { return pem_of(certificate_.get()); }

  // `alternative_names` as OpenSSL writes them: "DNS:hub.test,IP:127.0.0.1"; empty: none.
  env::TlsIdentity issue(const std::string& common_name,
                         const std::string& alternative_names) const {
    const Key key = make_key();
    const Certificate certificate = make_certificate(common_name, key.get());
    if (!alternative_names.empty()) {
      add_extension(certificate.get(), NID_subject_alt_name, alternative_names);
    }
    ::X509_set_issuer_name(certificate.get(), ::X509_get_subject_name(certificate_.get()));
    CHECK(::X509_sign(certificate.get(), key_.get(), ::EVP_sha256()) > 0);
    return {.certificates_pem = pem_of(certificate.get()), .key_pem = pem_of(key.get())};
  }

 private:
  Key key_;
  Certificate certificate_;
};

// The common name inside a certificate in DER.
inline std::string common_name_of(const std::string& der) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(der.data());
  const Certificate certificate(::d2i_X509(nullptr, &bytes, static_cast<long>(der.size())),
                                &::X509_free);
  CHECK(certificate != nullptr);
  char name[256] = "";
  ::X509_NAME_get_text_by_NID(::X509_get_subject_name(certificate.get()), NID_commonName, name,
                              sizeof name);
  return name;
}

}  // namespace berth::runtime::testing
