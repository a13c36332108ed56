// What is wrong with a CertificateSigningRequest, in kube-apiserver's words.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "json/value.h"
#include "pki/request.h"

namespace berth::apiserver {

inline constexpr std::string_view kCsrGroup = "certificates.k8s.io";
inline constexpr std::string_view kCsrResource = "certificatesigningrequests";
inline constexpr std::string_view kCsrKind = "CertificateSigningRequest";
inline constexpr std::string_view kClientSigner = "kubernetes.io/kube-apiserver-client";

// spec.request: base64 of PEM, with a signature that is right.
Result<pki::Request> read_csr_request(const json::Value& csr);
std::vector<std::string> csr_usages(const json::Value& csr);
std::string_view csr_signer(const json::Value& csr);

// A list of status.conditions, empty for what is none.
std::vector<const json::Value*> csr_conditions(const json::Value& csr, std::string_view type);

// The object by itself: spec and status.
std::vector<Cause> validate_csr(const json::Value& csr);

// What a write through one of the three endpoints may not change about conditions and certificate.
enum class CsrEndpoint { Object, Approval, Status };
std::vector<Cause> validate_csr_update(CsrEndpoint endpoint, const json::Value& before,
                                       const json::Value& after);

}  // namespace berth::apiserver
