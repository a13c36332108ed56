#include "fleet/registration/hub_identity.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/base64.h"
#include "base/rfc3339.h"
#include "base/strings.h"
#include "json/yaml_print.h"

namespace berth::fleet {
namespace {

using json::Value;

constexpr std::string_view kContext = "default-context";
constexpr std::string_view kUser = "default-auth";

std::string find(const HubSecret& secret, const char* key) {
  const auto found = secret.find(key);
  return found == secret.end() ? "" : found->second;
}

Result<pki::PrivateKey> key_for(const HubSecret& secret, const pki::Certificate& certificate) {
  ASSIGN_OR_RETURN(const pki::PublicKey wanted, certificate.public_key());
  for (const char* name : {kTlsKey, kPendingKey}) {
    auto key = pki::PrivateKey::from_pem(find(secret, name));
    if (key.ok() && key->public_key() == wanted) return key;
  }
  return failure(Code::Invalid, "there is no key that belongs to the certificate");
}

}  // namespace

Value hub_kubeconfig(const HubEndpoint& endpoint) {
  Value cluster = Value::object({{"server", endpoint.server}});
  if (!endpoint.authority_pem.empty()) {
    cluster["certificate-authority-data"] = encode_base64(endpoint.authority_pem);
  } else if (!endpoint.authority_file.empty()) {
    cluster["certificate-authority"] = endpoint.authority_file;
  }
  if (!endpoint.proxy_url.empty()) cluster["proxy-url"] = endpoint.proxy_url;
  if (!endpoint.tls_server_name.empty()) cluster["tls-server-name"] = endpoint.tls_server_name;
  if (endpoint.insecure) cluster["insecure-skip-tls-verify"] = true;
  return Value::object(
      {{"apiVersion", "v1"},
       {"kind", "Config"},
       {"clusters",
        Value::array({Value::object({{"name", endpoint.entry}, {"cluster", std::move(cluster)}})})},
       {"users", Value::array({Value::object(
                     {{"name", kUser},
                      {"user", Value::object({{"client-certificate", kTlsCertificate},
                                              {"client-key", kTlsKey}})}})})},
       {"contexts", Value::array({Value::object(
                        {{"name", kContext},
                         {"context", Value::object({{"cluster", endpoint.entry},
                                                    {"user", kUser},
                                                    {"namespace", "configuration"}})}})})},
       {"current-context", kContext}});
}

Result<HubIdentity> read_identity(const HubSecret& secret, const AgentName& name, Time now) {
  std::string pem = find(secret, kTlsCertificate);
  if (pem.empty()) return failure(Code::NotFound, "there is no certificate yet");
  ASSIGN_OR_RETURN(const std::vector<pki::Certificate> chain, pki::parse_certificates(pem));
  if (chain.empty()) return failure(Code::Invalid, "there is no certificate in tls.crt");
  for (const pki::Certificate& certificate : chain) {
    if (certificate.not_after <= now) {
      return failure(Code::Expired, fmt::format("the certificate expired at {}",
                                                format_seconds(certificate.not_after)));
    }
  }
  const pki::Certificate& own = chain.front();
  if (agent_of(own.subject.common_name) != name) {
    return failure(Code::Invalid,
                   fmt::format("the certificate is for {}, not for {}",
                               quote(own.subject.common_name), quote(user_of(name))));
  }
  ASSIGN_OR_RETURN(pki::PrivateKey key, key_for(secret, own));
  return HubIdentity{
      .name = name, .certificate = own, .certificate_pem = std::move(pem), .key = std::move(key)};
}

Status check_same_hub(const HubEndpoint& bootstrap, const HubEndpoint& stored) {
  const auto differs = [](std::string_view what, std::string_view now, std::string_view before) {
    return failure(Code::Conflict, fmt::format("the bootstrap kubeconfig has another {}: {}, it "
                                               "was {}",
                                               what, quote(now), quote(before)));
  };
  if (bootstrap.server != stored.server) return differs("server", bootstrap.server, stored.server);
  if (bootstrap.proxy_url != stored.proxy_url) {
    return differs("proxy", bootstrap.proxy_url, stored.proxy_url);
  }
  if (bootstrap.entry != stored.entry) {
    return differs("cluster entry", bootstrap.entry, stored.entry);
  }
  if (bootstrap.tls_server_name != stored.tls_server_name) {
    return differs("tls-server-name", bootstrap.tls_server_name, stored.tls_server_name);
  }
  if (bootstrap.insecure != stored.insecure) {
    const auto text = [](bool insecure) { return insecure ? "true" : "false"; };
    return differs("insecure-skip-tls-verify", text(bootstrap.insecure), text(stored.insecure));
  }
  if (bootstrap != stored) {
    return failure(Code::Conflict, "the bootstrap kubeconfig has another certificate authority");
  }
  return {};
}

HubSecret with_certificate(HubSecret secret, const HubEndpoint& endpoint, const AgentName& name,
                           std::string certificate_pem) {
  const auto pending = secret.find(kPendingKey);
  if (pending != secret.end()) {
    secret[kTlsKey] = pending->second;
    secret.erase(pending);
  }
  secret[kTlsCertificate] = std::move(certificate_pem);
  secret[kKubeconfig] = json::print_yaml(hub_kubeconfig(endpoint));
  secret[kClusterNameKey] = name.cluster;
  secret[kAgentNameKey] = name.agent;
  return secret;
}

AgentName choose_names(const AgentName& given, const HubSecret& secret, const AgentName& invented) {
  const auto choose = [&secret](const std::string& first, const char* key,
                                const std::string& last) {
    if (!first.empty()) return first;
    const std::string stored(trim(find(secret, key)));
    return stored.empty() ? last : stored;
  };
  return {.cluster = choose(given.cluster, kClusterNameKey, invented.cluster),
          .agent = choose(given.agent, kAgentNameKey, invented.agent)};
}

}  // namespace berth::fleet
