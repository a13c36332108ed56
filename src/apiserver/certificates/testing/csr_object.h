// CertificateSigningRequest objects for tests.

#pragma once

#include <string>
#include <vector>

#include "base/base64.h"
#include "json/value.h"
#include "pki/request.h"

namespace berth::apiserver::testing {

struct CsrOptions {
  pki::Subject subject = {.common_name = "agent", .organizations = {"agents"}};
  std::string signer = "kubernetes.io/kube-apiserver-client";
  std::vector<std::string> usages = {"digital signature", "key encipherment", "client auth"};
};

inline json::Value csr_object(const CsrOptions& options = {}) {
  const std::string pem = pki::make_request(pki::PrivateKey::generate(), options.subject).value();
  json::Value usages = json::Value::array();
  for (const std::string& usage : options.usages) usages.push_back(usage);
  return json::Value::object({{"metadata", json::Value::object({{"name", "c1"}})},
                              {"spec", json::Value::object({{"request", encode_base64(pem)},
                                                            {"signerName", options.signer},
                                                            {"usages", std::move(usages)}})},
                              {"status", json::Value::object()}});
}

inline json::Value condition(std::string_view type, std::string_view updated = {}) {
  json::Value value = json::Value::object({{"type", type}, {"status", "True"}, {"reason", "Test"}});
  if (!updated.empty()) {
    value.append_member("lastUpdateTime", updated);
    value.append_member("lastTransitionTime", updated);
  }
  return value;
}

inline json::Value with_condition(json::Value csr, std::string_view type,
                                  std::string_view updated = {}) {
  csr["status"]["conditions"].push_back(condition(type, updated));
  return csr;
}

}  // namespace berth::apiserver::testing
