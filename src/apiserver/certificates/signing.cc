#include "apiserver/certificates/signing.h"

#include <algorithm>
#include <string>

#include "api/metadata.h"
#include "apiserver/certificates/csr_validation.h"
#include "base/base64.h"
#include "base/rfc3339.h"

namespace berth::apiserver {
namespace {

using namespace std::chrono_literals;

constexpr Duration kAnsweredLife = 1h;
constexpr Duration kPendingLife = 24h;

std::string_view certificate_of(const json::Value& csr) {
  const json::Value* certificate = csr.find_path({"status", "certificate"});
  return certificate == nullptr ? "" : certificate->string_or_empty();
}

// Why this signer does not sign it; empty if it does.
std::string objection(const json::Value& csr) {
  bool is_for_clients = false;
  for (const std::string& usage : csr_usages(csr)) {
    if (usage == "client auth") {
      is_for_clients = true;
    } else if (usage != "digital signature" && usage != "key encipherment") {
      return "invalid usage for client certificate: " + usage;
    }
  }
  return is_for_clients ? "" : "missing required usage for client certificate: client auth";
}

json::Value failed(json::Value csr, std::string_view why, Time now) {
  csr["status"]["conditions"].push_back(
      json::Value::object({{"type", "Failed"},
                           {"status", "True"},
                           {"reason", "SignerValidationFailure"},
                           {"message", why},
                           {"lastUpdateTime", format_seconds(now)},
                           {"lastTransitionTime", format_seconds(now)}}));
  return csr;
}

Duration life_of(const json::Value& csr, Duration life_max) {
  const json::Value* field = csr.find_path({"spec", "expirationSeconds"});
  const auto seconds = field == nullptr ? std::nullopt : field->as_int();
  if (!seconds) return life_max;
  constexpr std::int64_t kTenYears = 315'360'000;  // Keeps the product within a Duration.
  const Duration wanted = std::chrono::seconds(std::clamp<std::int64_t>(*seconds, 600, kTenYears));
  return std::min(wanted, life_max);
}

// The earliest of what the conditions of that type say.
std::optional<Time> update_time(const json::Value& csr, std::string_view type) {
  std::optional<Time> earliest;
  for (const json::Value* condition : csr_conditions(csr, type)) {
    const json::Value* field = condition->find("lastUpdateTime");
    const auto time = parse_rfc3339(field == nullptr ? "" : field->string_or_empty());
    if (time.ok() && (!earliest || *time < *earliest)) earliest = *time;
  }
  return earliest;
}

std::optional<Time> certificate_end(const json::Value& csr) {
  const auto pem = decode_base64(certificate_of(csr));
  if (!pem.ok()) return std::nullopt;
  const auto certificate = pki::Certificate::from_pem(*pem);
  return certificate.ok() ? std::optional(certificate->not_after) : std::nullopt;
}

}  // namespace

Result<std::optional<json::Value>> sign_csr(json::Value csr, const SigningPolicy& policy,
                                            Time now) {
  const bool is_ours = csr_signer(csr) == kClientSigner &&
                       !csr_conditions(csr, "Approved").empty() &&
                       csr_conditions(csr, "Denied").empty() &&
                       csr_conditions(csr, "Failed").empty() && certificate_of(csr).empty();
  if (!is_ours) return std::nullopt;
  const auto request = read_csr_request(csr);
  if (!request.ok()) return failed(std::move(csr), request.error().message, now);
  if (const std::string why = objection(csr); !why.empty()) {
    return failed(std::move(csr), why, now);
  }
  // Admission refuses it; this is the last door.
  const auto& groups = request->subject.organizations;
  if (std::ranges::find(groups, "system:masters") != groups.end()) {
    return failed(std::move(csr), "certificates for system:masters are not signed", now);
  }
  ASSIGN_OR_RETURN(const pki::Certificate certificate,
                   pki::sign_request(policy.authority, *request, csr_usages(csr),
                                     {.now = now, .life = life_of(csr, policy.life_max)}));
  csr["status"]["certificate"] = encode_base64(certificate.pem());
  return csr;
}

std::optional<Time> csr_removal_time(const json::Value& csr) {
  std::optional<Time> removal;
  const auto consider = [&](std::optional<Time> since, Duration life) {
    if (since && (!removal || *since + life < *removal)) removal = *since + life;
  };
  const json::Value* conditions = csr.find_path({"status", "conditions"});
  if (conditions == nullptr || conditions->size() == 0) {
    consider(api::Metadata(csr).creation_time(), kPendingLife);
  }
  consider(update_time(csr, "Denied"), kAnsweredLife);
  consider(update_time(csr, "Failed"), kAnsweredLife);
  const auto approved = update_time(csr, "Approved");
  if (certificate_of(csr).empty()) {
    consider(approved, kPendingLife);
  } else if (!csr_conditions(csr, "Approved").empty()) {
    consider(approved, kAnsweredLife);
    consider(certificate_end(csr), 0s);
  }
  return removal;
}

}  // namespace berth::apiserver
