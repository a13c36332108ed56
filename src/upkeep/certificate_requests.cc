#include "upkeep/certificate_requests.h"

#include <algorithm>
#include <array>
#include <chrono>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "base/base64.h"
#include "base/rfc3339.h"
#include "pki/certificate.h"

namespace berth::upkeep {
namespace {

using json::Value;

constexpr std::array<std::string_view, 3> kSigners = {"kubernetes.io/kube-apiserver-client",
                                                      "kubernetes.io/kube-apiserver-client-kubelet",
                                                      "kubernetes.io/kubelet-serving"};

constexpr Duration kAnswered = std::chrono::hours(1);
constexpr Duration kPending = std::chrono::hours(24);

std::span<const Value> conditions_of(const Value& request) {
  return api::elements_field(api::field(request, "status"), "conditions");
}

const Value* find_condition(const Value& request, std::string_view type) {
  for (const Value& condition : conditions_of(request)) {
    if (api::text_field(condition, "type") == type) return &condition;
  }
  return nullptr;
}

std::string certificate_of(const Value& request) {
  return api::text_field(api::field(request, "status"), "certificate");
}

// When the condition was last touched.
std::optional<Time> time_of(const Value& condition) {
  if (const auto time = api::time_field(condition, "lastUpdateTime")) return time;
  return api::time_field(condition, "lastTransitionTime");
}

std::optional<Time> expiry_of(const Value& request) {
  const auto pem = decode_base64(certificate_of(request));
  if (!pem.ok()) return std::nullopt;
  const auto certificate = pki::Certificate::from_pem(*pem);
  if (!certificate.ok()) return std::nullopt;
  return certificate->not_after;
}

std::optional<Time> earlier(std::optional<Time> a, std::optional<Time> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

}  // namespace

bool awaits_signature(const Value& request) {
  const std::string signer = api::text_field(api::field(request, "spec"), "signerName");
  return std::ranges::count(kSigners, signer) > 0 && find_condition(request, "Approved") &&
         !find_condition(request, "Denied") && !find_condition(request, "Failed") &&
         certificate_of(request).empty() && !api::Metadata(request).is_being_deleted();
}

Value with_certificate(Value request, std::string_view certificate_pem) {
  request["status"]["certificate"] = encode_base64(certificate_pem);
  return request;
}

Value with_failure(Value request, std::string_view message, Time now) {
  const std::string time = format_seconds(now);
  request["status"]["conditions"].push_back(Value::object({{"type", "Failed"},
                                                           {"status", "True"},
                                                           {"reason", "SignerValidationFailure"},
                                                           {"message", message},
                                                           {"lastUpdateTime", time},
                                                           {"lastTransitionTime", time}}));
  return request;
}

std::optional<Time> cleanup_time(const Value& request) {
  const bool issued = !certificate_of(request).empty();
  std::optional<Time> due;
  for (const Value& condition : conditions_of(request)) {
    const std::string type = api::text_field(condition, "type");
    const bool answered = type == "Denied" || type == "Failed" || (type == "Approved" && issued);
    const std::optional<Time> time = time_of(condition);
    if (answered && time) due = earlier(due, *time + kAnswered);
    if (type == "Approved" && issued) due = earlier(due, expiry_of(request));
  }
  if (conditions_of(request).empty()) {
    if (const auto created = api::Metadata(request).creation_time()) due = *created + kPending;
  }
  return due;
}

}  // namespace berth::upkeep
