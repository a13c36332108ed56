#include "fleet/addons/addon_certificate.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "base/base64.h"
#include "json/yaml_print.h"
#include "pki/certificate.h"
#include "pki/digest.h"
#include "pki/request.h"

namespace berth::fleet {
namespace {

using json::Value;
using Kind = AddOnCertificateStep::Kind;

std::string find(const HubSecret& secret, const char* name) {
  const auto found = secret.find(name);
  return found == secret.end() ? "" : found->second;
}

bool is_for(const pki::Certificate& certificate, const pki::Subject& subject) {
  const std::set<std::string> has(certificate.subject.organizations.begin(),
                                  certificate.subject.organizations.end());
  return certificate.subject.common_name == subject.common_name &&
         has == std::set<std::string>(subject.organizations.begin(), subject.organizations.end());
}

// The certificate in the secret, if it is good for what is wanted.
std::optional<pki::Certificate> current_certificate(const AddOnCertificateView& view) {
  auto certificate = pki::Certificate::from_pem(find(view.secret, kTlsCertificate));
  const auto key = pki::PrivateKey::from_pem(find(view.secret, kTlsKey));
  if (!certificate.ok() || !key.ok()) return std::nullopt;
  const auto public_key = certificate->public_key();
  const bool is_good = public_key.ok() && *public_key == key->public_key() &&
                       is_for(*certificate, view.wanted.registration.subject) &&
                       view.now < certificate->not_after;
  if (!is_good) return std::nullopt;
  return *std::move(certificate);
}

HubSecret with_companions(HubSecret secret, const AddOnCredentials& wanted) {
  for (const auto& [name, text] : wanted.companions) secret[name] = text;
  return secret;
}

bool asks_with(const Value& request, const pki::PrivateKey& key) {
  const auto pem = decode_base64(api::text_field(api::field(request, "spec"), "request"));
  if (!pem.ok()) return false;
  const auto parsed = pki::Request::from_pem(*pem);
  return parsed.ok() && parsed->key == key.public_key();
}

bool is_unanswered(const Value& request) {
  const Value& status = api::field(request, "status");
  return api::text_field(status, "certificate").empty() &&
         !api::find_condition(api::field(status, "conditions"), "Denied") &&
         !api::find_condition(api::field(status, "conditions"), "Failed");
}

// Named after its key, so that asking twice is asking once.
std::string request_name(const AddOnKey& key, std::string_view pem) {
  std::string suffix;
  for (const char byte : pki::sha256(pem).substr(0, 5)) {
    suffix += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  }
  return fmt::format("addon-{}-{}-{}", key.cluster, key.name, suffix);
}

Result<Value> make_certificate_request(const AddOnCredentials& wanted, const pki::PrivateKey& key) {
  ASSIGN_OR_RETURN(
      const std::string pem,
      pki::make_request(key, wanted.registration.subject,
                        {.dns = {wanted.key.name + ".addon.open-cluster-management.io"}}));
  return Value::object(
      {{"apiVersion", "certificates.k8s.io/v1"},
       {"kind", "CertificateSigningRequest"},
       {"metadata",
        Value::object({{"name", request_name(wanted.key, key.public_key().pem())},
                       {"labels", Value::object({{kClusterNameLabel, wanted.key.cluster},
                                                 {kAddonNameLabel, wanted.key.name}})}})},
       {"spec", Value::object({{"request", encode_base64(pem)},
                               {"signerName", wanted.registration.signer},
                               {"usages", Value::array({"digital signature", "key encipherment",
                                                        "client auth"})}})}});
}

// What became of the request that was made with the key.
Result<AddOnCertificateStep> follow_request(const AddOnCertificateView& view) {
  const auto own = std::ranges::find_if(
      view.requests, [&](const Value* request) { return asks_with(*request, *view.pending); });
  if (own == view.requests.end()) {
    const auto open = std::ranges::count_if(
        view.requests, [](const Value* request) { return is_unanswered(*request); });
    if (static_cast<std::size_t>(open) >= kAddOnRequestsMax) {
      return AddOnCertificateStep{.kind = Kind::Wait, .why = "too many requests wait on the hub"};
    }
    ASSIGN_OR_RETURN(Value request, make_certificate_request(view.wanted, *view.pending));
    return AddOnCertificateStep{.kind = Kind::Ask, .request = std::move(request)};
  }
  const std::string name = api::read_facts(**own).name;
  const std::string issued = api::text_field(api::field(**own, "status"), "certificate");
  if (issued.empty()) {
    return AddOnCertificateStep{.kind = Kind::Wait,
                                .why = fmt::format("certificate request {} waits", name)};
  }
  ASSIGN_OR_RETURN(const std::string pem, decode_base64(issued));
  const auto certificate = pki::Certificate::from_pem(pem);
  if (!certificate.ok() || !is_for(*certificate, view.wanted.registration.subject)) {
    return AddOnCertificateStep{.kind = Kind::MakeKey,
                                .why = "the certificate that was issued cannot be used"};
  }
  HubSecret secret = with_companions(view.secret, view.wanted);
  secret[kTlsKey] = view.pending->pem();
  secret[kTlsCertificate] = pem;
  return AddOnCertificateStep{.kind = Kind::Save, .secret = std::move(secret)};
}

}  // namespace

AddOnCredentials make_credentials(const AddOnKey& key, const AddOnRegistration& registration,
                                  const HubEndpoint& hub) {
  AddOnCredentials credentials{.key = key, .registration = registration};
  credentials.companions[kClusterNameKey] = key.cluster;
  if (registration.signer == kClientSigner) {
    credentials.companions[kKubeconfig] = json::print_yaml(hub_kubeconfig(hub));
  }
  return credentials;
}

Result<AddOnCertificateStep> next_add_on_certificate_step(const AddOnCertificateView& view) {
  const auto certificate = current_certificate(view);
  if (certificate && view.now < pki::renewal_time(*certificate)) {
    HubSecret complete = with_companions(view.secret, view.wanted);
    if (complete != view.secret) {
      return AddOnCertificateStep{.kind = Kind::Save, .secret = std::move(complete)};
    }
    return AddOnCertificateStep{.kind = Kind::Rest, .until = pki::renewal_time(*certificate)};
  }
  if (!view.pending) {
    return AddOnCertificateStep{
        .kind = Kind::MakeKey,
        .why = certificate ? "it is time to renew" : "there is no good certificate"};
  }
  return follow_request(view);
}

}  // namespace berth::fleet
