#include "fleet/registration/certificate_step.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "base/base64.h"
#include "base/rfc3339.h"
#include "fleet/registration/renewal_approval.h"
#include "pki/request.h"

namespace berth::fleet {
namespace {

using json::Value;
using Kind = CertificateStep::Kind;

pki::Subject subject_of(const AgentName& name) {
  return {.common_name = user_of(name),
          .organizations = {group_of(name.cluster), std::string(kManagedClustersGroup)}};
}

bool asks_for(const Value& request, const pki::PublicKey& key) {
  const auto pem = decode_base64(api::text_field(api::field(request, "spec"), "request"));
  if (!pem.ok()) return false;
  const auto parsed = pki::Request::from_pem(*pem);
  return parsed.ok() && parsed->key == key;
}

std::string issued_pem(const Value& request) {
  const auto pem = decode_base64(api::text_field(api::field(request, "status"), "certificate"));
  return pem.ok() ? *pem : "";
}

// The hub may be wrong, or somebody between it and us.
Status check_issued(const CertificateSituation& situation, const std::string& pem) {
  ASSIGN_OR_RETURN(const pki::Certificate certificate, pki::Certificate::from_pem(pem));
  ASSIGN_OR_RETURN(const pki::PublicKey key, certificate.public_key());
  if (key != situation.pending->public_key()) {
    return failure(Code::Invalid, "it is for another key");
  }
  if (certificate.subject.common_name != user_of(situation.name)) {
    return failure(Code::Invalid, "it is for another user");
  }
  if (certificate.not_after <= situation.now) return failure(Code::Expired, "it has expired");
  return {};
}

// Anybody may put the cluster's label on a request of his: those of other agents must not keep this
// one from renewing, nor those of bootstrap users, once it is known.
bool counts(const Value& request, const CertificateSituation& situation) {
  const std::string user = api::text_field(api::field(request, "spec"), "username");
  return situation.identity ? user == user_of(situation.name) : !agent_of(user);
}

CertificateStep follow_pending(const CertificateSituation& situation) {
  std::vector<const Value*> ours;
  for (const Value* request : situation.requests) {
    if (asks_for(*request, situation.pending->public_key())) ours.push_back(request);
  }
  for (const Value* request : ours) {
    std::string pem = issued_pem(*request);
    if (pem.empty()) continue;
    const Status usable = check_issued(situation, pem);
    if (usable.ok()) return {.kind = Kind::Take, .certificate_pem = std::move(pem)};
    return {.kind = Kind::MakeKey,
            .why = "the certificate that was issued cannot be used: " + usable.error().message};
  }
  if (ours.empty()) {
    const auto made = std::ranges::count_if(
        situation.requests, [&](const Value* request) { return counts(*request, situation); });
    if (static_cast<std::size_t>(made) >= kRequestsMax) {
      return {.kind = Kind::Halt,
              .why = "Stop creating csr since there are too many csr created already on hub"};
    }
    return {.kind = Kind::Ask};
  }
  const std::string name = api::read_facts(*ours.front()).name;
  const bool is_open =
      std::ranges::any_of(ours, [](const Value* request) { return is_undecided(*request); });
  return {.kind = Kind::Wait,
          .why = is_open ? fmt::format("certificate request {} waits for approval", name)
                         : fmt::format("certificate request {} was decided and not issued", name)};
}

}  // namespace

Result<Value> certificate_request(const AgentName& name, const pki::PrivateKey& key,
                                  Duration life) {
  ASSIGN_OR_RETURN(const std::string pem, pki::make_request(key, subject_of(name)));
  Value request = Value::object(
      {{"apiVersion", "certificates.k8s.io/v1"},
       {"kind", "CertificateSigningRequest"},
       {"metadata",
        Value::object({{"generateName", name.cluster + "-"},
                       {"labels", Value::object({{kClusterNameLabel, name.cluster}})}})},
       {"spec", Value::object({{"request", encode_base64(pem)},
                               {"signerName", kClientSigner},
                               {"usages", Value::array({"digital signature", "key encipherment",
                                                        "client auth"})}})}});
  if (life > Duration::zero()) {
    request["spec"]["expirationSeconds"] =
        std::chrono::duration_cast<std::chrono::seconds>(life).count();
  }
  return request;
}

double renewal_share(double draw) { return 0.2 + 0.05 * draw; }

CertificateStep next_certificate_step(const CertificateSituation& situation) {
  const HubIdentity* identity = situation.identity;
  const bool has_open_key = situation.pending && !(identity && identity->key.public_key() ==
                                                                   situation.pending->public_key());
  if (has_open_key) return follow_pending(situation);
  if (!identity) return {.kind = Kind::MakeKey, .why = "there is no good certificate"};

  const Duration life = identity->certificate.not_after - identity->certificate.not_before;
  const auto kept =
      static_cast<std::int64_t>(static_cast<double>(life.count()) * situation.renewal_share);
  const Time due = identity->certificate.not_after - Duration(kept);
  if (situation.now < due) return {.kind = Kind::Rest, .until = due};
  return {.kind = Kind::MakeKey,
          .why = fmt::format("the certificate expires at {}",
                             format_seconds(identity->certificate.not_after))};
}

}  // namespace berth::fleet
