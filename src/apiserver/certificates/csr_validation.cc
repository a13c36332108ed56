#include "apiserver/certificates/csr_validation.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "api/names.h"
#include "apiserver/schema/field_errors.h"
#include "base/base64.h"
#include "base/strings.h"
#include "json/text_of.h"
#include "pki/certificate.h"
#include "pki/usage.h"

namespace berth::apiserver {
namespace {

constexpr std::string_view kConditions = "status.conditions";

std::span<const json::Value> list_at(const json::Value& object,
                                     std::initializer_list<std::string_view> path) {
  const json::Value* member = object.find_path(path);
  return member == nullptr ? std::span<const json::Value>{} : member->elements();
}

void validate_usages(const json::Value& csr, std::vector<Cause>& causes) {
  const auto usages = list_at(csr, {"spec", "usages"});
  if (usages.empty()) causes.push_back(required("spec.usages", ""));
  std::vector<std::string> known;
  for (const pki::UsageName& usage : pki::known_usages()) known.emplace_back(usage.kubernetes);
  std::vector<Cause> duplicates;
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < usages.size(); ++i) {
    const std::string field = fmt::format("spec.usages[{}]", i);
    if (pki::find_usage(usages[i].string_or_empty()) == nullptr) {
      causes.push_back(not_supported(field, usages[i], known));
    }
    if (!seen.insert(usages[i].string_or_empty()).second) {
      duplicates.push_back(duplicate(field, usages[i]));
    }
  }
  causes.insert(causes.end(), duplicates.begin(), duplicates.end());
}

// The first label with a problem, and its problems.
template <typename Check>
void validate_labels(std::string_view segment, Check check, std::vector<Cause>& causes) {
  for (const std::string_view label : split(segment, '.')) {
    const api::Problems problems = check(label);
    for (const std::string& problem : problems) {
      causes.push_back(invalid("spec.signerName", segment,
                               fmt::format("validating label {}: {}", quote(label), problem)));
    }
    if (!problems.empty()) return;
  }
}

void validate_signer_name(std::string_view name, std::vector<Cause>& causes) {
  constexpr std::string_view kField = "spec.signerName";
  constexpr std::size_t kDomainMax = 253;
  constexpr std::size_t kNameMax = kDomainMax + 1 + kDomainMax + 63 + 1;
  const auto longer_than = [&](std::size_t max) {
    return too_long(kField, static_cast<std::int64_t>(max));
  };
  const auto segments = split(name, '/');
  if (name.empty()) {
    causes.push_back(required(std::string(kField), ""));
  } else if (name == "kubernetes.io/legacy-unknown") {
    causes.push_back(invalid(std::string(kField), name,
                             "the legacy signerName is not allowed via this API version"));
  } else if (segments.size() != 2) {
    causes.push_back(
        invalid(std::string(kField), name,
                "must be a fully qualified domain and path of the form 'example.com/signer-name'"));
  } else {
    if (segments[0].size() > kDomainMax) causes.push_back(longer_than(kDomainMax));
    validate_labels(segments[0], api::check_dns1123_label, causes);
    if (segments[0].find('.') == std::string_view::npos) {
      causes.push_back(invalid(std::string(kField), segments[0],
                               "should be a domain with at least two segments separated by dots"));
    }
    validate_labels(segments[1], api::check_dns1123_subdomain, causes);
    if (name.size() > kNameMax) causes.push_back(longer_than(kNameMax));
  }
}

void validate_condition_status(const json::Value& condition, const std::string& field,
                               std::vector<Cause>& causes) {
  const std::string_view type = text_at(condition, {"type"});
  const std::string_view status = text_at(condition, {"status"});
  const bool only_true = type == "Approved" || type == "Denied" || type == "Failed";
  const std::vector<std::string> allowed =
      only_true ? std::vector<std::string>{"True"}
                : std::vector<std::string>{"False", "True", "Unknown"};
  if (status.empty()) {
    causes.push_back(required(field + ".status", ""));
  } else if (std::ranges::find(allowed, status) == allowed.end()) {
    causes.push_back(not_supported(field + ".status", status, allowed));
  }
}

void validate_conditions(const json::Value& csr, std::vector<Cause>& causes) {
  const auto conditions = list_at(csr, {"status", "conditions"});
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const std::string field = fmt::format("{}[{}]", kConditions, i);
    const std::string_view type = text_at(conditions[i], {"type"});
    if (type.empty()) causes.push_back(required(field + ".type", ""));
    validate_condition_status(conditions[i], field, causes);
    if ((type == "Approved" && seen.contains("Denied")) ||
        (type == "Denied" && seen.contains("Approved"))) {
      causes.push_back(invalid(std::string(kConditions), type,
                               "Approved and Denied conditions are mutually exclusive"));
    }
    if (!seen.insert(type).second) causes.push_back(duplicate(field + ".type", type));
  }
}

void validate_certificate(const json::Value& csr, std::vector<Cause>& causes) {
  const std::string_view encoded = text_at(csr, {"status", "certificate"});
  if (encoded.empty()) return;
  const auto pem = decode_base64(encoded);
  const auto read = pem.ok() ? pki::parse_certificates(*pem) : failure(pem.error());
  if (!read.ok()) {
    causes.push_back(invalid("status.certificate", "<certificate data>", read.error().message));
  }
}

bool same_conditions(const std::vector<const json::Value*>& a,
                     const std::vector<const json::Value*>& b) {
  return std::ranges::equal(
      a, b, [](const json::Value* one, const json::Value* other) { return *one == *other; });
}

}  // namespace

Result<pki::Request> read_csr_request(const json::Value& csr) {
  ASSIGN_OR_RETURN(const std::string pem, decode_base64(text_at(csr, {"spec", "request"})));
  return pki::Request::from_pem(pem);
}

std::vector<std::string> csr_usages(const json::Value& csr) {
  std::vector<std::string> usages;
  for (const json::Value& usage : list_at(csr, {"spec", "usages"})) {
    usages.emplace_back(usage.string_or_empty());
  }
  return usages;
}

std::string_view csr_signer(const json::Value& csr) { return text_at(csr, {"spec", "signerName"}); }

std::vector<const json::Value*> csr_conditions(const json::Value& csr, std::string_view type) {
  std::vector<const json::Value*> found;
  for (const json::Value& condition : list_at(csr, {"status", "conditions"})) {
    if (text_at(condition, {"type"}) == type) found.push_back(&condition);
  }
  return found;
}

std::vector<Cause> validate_csr(const json::Value& csr) {
  std::vector<Cause> causes;
  if (const auto request = read_csr_request(csr); !request.ok()) {
    causes.push_back(
        invalid("spec.request", text_at(csr, {"spec", "request"}), request.error().message));
  }
  validate_usages(csr, causes);
  validate_signer_name(csr_signer(csr), causes);
  const json::Value* seconds = csr.find_path({"spec", "expirationSeconds"});
  if (seconds != nullptr && !seconds->is_null() && seconds->as_int().value_or(0) < 600) {
    causes.push_back(invalid("spec.expirationSeconds", *seconds,
                             "may not specify a duration less than 600 seconds (10 minutes)"));
  }
  validate_conditions(csr, causes);
  validate_certificate(csr, causes);
  return causes;
}

std::vector<Cause> validate_csr_update(CsrEndpoint endpoint, const json::Value& before,
                                       const json::Value& after) {
  std::vector<Cause> causes = validate_csr(after);
  const auto forbid = [&](std::string_view verb, std::string_view type) {
    causes.push_back(
        forbidden(std::string(kConditions),
                  fmt::format("updates may not {} a condition of type {}", verb, quote(type))));
  };
  for (const std::string_view type : {"Approved", "Denied", "Failed"}) {
    const auto old = csr_conditions(before, type);
    const auto now = csr_conditions(after, type);
    if (now.size() < old.size()) {
      forbid("remove", type);
    } else if (endpoint != CsrEndpoint::Approval && type != "Failed") {
      if (now.size() > old.size()) {
        forbid("add", type);
      } else if (!same_conditions(old, now)) {
        forbid("modify", type);
      }
    }
  }
  const std::string_view old_certificate = text_at(before, {"status", "certificate"});
  if (old_certificate != text_at(after, {"status", "certificate"})) {
    if (endpoint != CsrEndpoint::Status) {
      causes.push_back(forbidden("status.certificate", "updates may not set certificate content"));
    } else if (!old_certificate.empty()) {
      causes.push_back(
          forbidden("status.certificate", "updates may not modify existing certificate content"));
    }
  }
  return causes;
}

}  // namespace berth::apiserver
