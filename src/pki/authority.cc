#include "pki/authority.h"

#include <algorithm>
#include <ctime>
#include <optional>

#include "base/check.h"
#include "pki/openssl.h"
#include "pki/usage.h"

namespace berth::pki {
namespace {

Status add_extension(X509* certificate, X509V3_CTX* context, int kind, const std::string& value) {
  const ExtensionPointer extension(X509V3_EXT_conf_nid(nullptr, context, kind, value.c_str()));
  if (extension == nullptr || X509_add_ext(certificate, extension.get(), -1) != 1) {
    return failure(openssl_error("the extension " + value + " cannot be written"));
  }
  return {};
}

Status add_names(X509* certificate, const AlternativeNames& names) {
  if (names.empty()) return {};
  const GeneralNamesPointer stack(GENERAL_NAMES_new());
  RETURN_IF_ERROR(write_alternative_names(stack.get(), names));
  if (X509_add1_ext_i2d(certificate, NID_subject_alt_name, stack.get(), 0, 0) != 1) {
    return failure(openssl_error("the alternative names cannot be written"));
  }
  return {};
}

void set_random_serial(X509* certificate) {
  const BignumPointer number(BN_new());
  // The top bit stays clear, so that the number is positive in every reader's eyes.
  CHECK(number != nullptr && BN_rand(number.get(), 127, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY) == 1);
  CHECK(BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate)) != nullptr);
}

void set_validity(X509* certificate, Time from, Time to) {
  CHECK(ASN1_TIME_set(X509_getm_notBefore(certificate), from.unix_seconds()) != nullptr);
  CHECK(ASN1_TIME_set(X509_getm_notAfter(certificate), to.unix_seconds()) != nullptr);
}

struct Draft {
  const Subject& subject;
  const PublicKey& key;
  Time from;
  Time to;
};

// Everything but issuer, extensions and signature.
Result<X509Pointer> begin(const Draft& draft) {
  X509Pointer certificate(X509_new());
  const X509NamePointer name(X509_NAME_new());
  CHECK(certificate != nullptr && name != nullptr);
  RETURN_IF_ERROR(write_subject(name.get(), draft.subject));
  CHECK(X509_set_version(certificate.get(), X509_VERSION_3) == 1);
  set_random_serial(certificate.get());
  set_validity(certificate.get(), draft.from, draft.to);
  CHECK(X509_set_subject_name(certificate.get(), name.get()) == 1);
  CHECK(X509_set_pubkey(certificate.get(), draft.key.handle()) == 1);
  return certificate;
}

Result<Certificate> finish(X509* certificate, const PrivateKey& key) {
  const EVP_MD* digest = key.public_key().type() == KeyType::Ed25519 ? nullptr : EVP_sha256();
  if (X509_sign(certificate, key.handle(), digest) <= 0) {
    return failure(openssl_error("the certificate cannot be signed"));
  }
  return Certificate::from_der(encode_der(certificate, i2d_X509));
}

}  // namespace

Result<Authority> Authority::from_pem(const std::string& certificate_pem,
                                      const std::string& key_pem) {
  ASSIGN_OR_RETURN(Certificate certificate, Certificate::from_pem(certificate_pem));
  ASSIGN_OR_RETURN(PrivateKey key, PrivateKey::from_pem(key_pem));
  if (!certificate.is_authority) {
    return failure(Code::BadRequest, "the certificate is not an authority's");
  }
  ASSIGN_OR_RETURN(const PublicKey expected, certificate.public_key());
  if (!(expected == key.public_key())) {
    return failure(Code::BadRequest, "the key does not belong to the authority's certificate");
  }
  return Authority{.certificate = std::move(certificate), .key = std::move(key)};
}

Authority Authority::make(const std::string& common_name, Time now, Duration life) {
  const PrivateKey key = PrivateKey::generate();
  const Subject subject{.common_name = common_name};
  const X509Pointer certificate =
      begin(
          {.subject = subject, .key = key.public_key(), .from = now - kBackdate, .to = now + life})
          .value();
  X509V3_CTX context{};
  X509V3_set_ctx(&context, certificate.get(), certificate.get(), nullptr, nullptr, 0);
  CHECK(X509_set_issuer_name(certificate.get(), X509_get_subject_name(certificate.get())) == 1);
  CHECK(add_extension(certificate.get(), &context, NID_basic_constraints, "critical,CA:TRUE").ok());
  CHECK(add_extension(certificate.get(), &context, NID_key_usage,
                      "critical,digitalSignature,keyEncipherment,keyCertSign")
            .ok());
  CHECK(add_extension(certificate.get(), &context, NID_subject_key_identifier, "hash").ok());
  return {.certificate = finish(certificate.get(), key).value(), .key = key};
}

Result<Certificate> issue(const Authority& authority, const Order& order) {
  const Time end = std::min(order.now + order.life, authority.certificate.not_after);
  if (end <= order.now) return failure(Code::InternalError, "the authority has expired");
  ASSIGN_OR_RETURN(const UsageExtensions usages, usage_extensions(order.usages));
  ASSIGN_OR_RETURN(
      const X509Pointer certificate,
      begin(
          {.subject = order.subject, .key = order.key, .from = order.now - kBackdate, .to = end}));
  const unsigned char* at = bytes_of(authority.certificate.der);
  const X509Pointer issuer(
      d2i_X509(nullptr, &at, static_cast<long>(authority.certificate.der.size())));
  CHECK(issuer != nullptr);  // It was read before.
  CHECK(X509_set_issuer_name(certificate.get(), X509_get_subject_name(issuer.get())) == 1);

  X509V3_CTX context{};
  X509V3_set_ctx(&context, issuer.get(), certificate.get(), nullptr, nullptr, 0);
  X509* into = certificate.get();
  RETURN_IF_ERROR(add_extension(into, &context, NID_basic_constraints, "critical,CA:FALSE"));
  if (!usages.key_usage.empty()) {
    RETURN_IF_ERROR(add_extension(into, &context, NID_key_usage, "critical," + usages.key_usage));
  }
  if (!usages.extended_key_usage.empty()) {
    RETURN_IF_ERROR(add_extension(into, &context, NID_ext_key_usage, usages.extended_key_usage));
  }
  RETURN_IF_ERROR(add_extension(into, &context, NID_authority_key_identifier, "keyid"));
  RETURN_IF_ERROR(add_names(into, order.names));
  return finish(into, authority.key);
}

Result<Identity> issue_serving(const Authority& authority, const std::string& common_name,
                               const AlternativeNames& names, Validity validity) {
  PrivateKey key = PrivateKey::generate();
  ASSIGN_OR_RETURN(Certificate certificate,
                   issue(authority, {.subject = {.common_name = common_name},
                                     .names = names,
                                     .usages = {"digital signature", "server auth"},
                                     .key = key.public_key(),
                                     .now = validity.now,
                                     .life = validity.life}));
  return Identity{.certificate = std::move(certificate), .key = std::move(key)};
}

Result<Identity> issue_client(const Authority& authority, const Subject& subject,
                              Validity validity) {
  PrivateKey key = PrivateKey::generate();
  ASSIGN_OR_RETURN(Certificate certificate,
                   issue(authority, {.subject = subject,
                                     .usages = {"digital signature", "client auth"},
                                     .key = key.public_key(),
                                     .now = validity.now,
                                     .life = validity.life}));
  return Identity{.certificate = std::move(certificate), .key = std::move(key)};
}

Result<Certificate> sign_request(const Authority& authority, const Request& request,
                                 const std::vector<std::string>& usages, Validity validity) {
  return issue(authority, {.subject = request.subject,
                           .names = request.names,
                           .usages = usages,
                           .key = request.key,
                           .now = validity.now,
                           .life = validity.life});
}

}  // namespace berth::pki
