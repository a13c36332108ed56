// What an agent keeps about its hub: where it is, and the certificate with which it is known there.
// In OCM's own layout, as the keys of a Secret or the files of a folder.

#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "fleet/registration/names.h"
#include "json/value.h"
#include "pki/certificate.h"
#include "pki/key.h"

namespace berth::fleet {

// The data of the Secret, decoded.
using HubSecret = std::map<std::string, std::string>;

inline constexpr const char* kTlsKey = "tls.key";
inline constexpr const char* kTlsCertificate = "tls.crt";
inline constexpr const char* kKubeconfig = "kubeconfig";
inline constexpr const char* kClusterNameKey = "cluster-name";
inline constexpr const char* kAgentNameKey = "agent-name";

// A key whose certificate was asked for and has not come yet. It is kept, so that an agent that
// starts again waits for the same request instead of making another one.
inline constexpr const char* kPendingKey = "pending.key";

// Where a hub is, as a kubeconfig says it.
struct HubEndpoint {
  std::string entry;  // The name of the kubeconfig's cluster entry tells rebuilt hubs apart.
  std::string server;
  std::string proxy_url = {};
  std::string authority_file = {};
  std::string authority_pem = {};
  std::string tls_server_name = {};
  bool insecure = false;  // The kubeconfig says insecure-skip-tls-verify.

  bool operator==(const HubEndpoint&) const = default;
};

// The kubeconfig that goes into the secret: certificate and key are files beside it.
json::Value hub_kubeconfig(const HubEndpoint& endpoint);

struct HubIdentity {
  AgentName name;
  pki::Certificate certificate;
  std::string certificate_pem;  // With its chain.
  pki::PrivateKey key;
};

// The identity in the secret, if it is good for that agent at that time: the error says why not.
// Of the two keys in it the one counts that fits: a new certificate is stored before its key.
Result<HubIdentity> read_identity(const HubSecret& secret, const AgentName& name, Time now);

// Which part of the address differs, for a human; ok when it is the same hub.
Status check_same_hub(const HubEndpoint& bootstrap, const HubEndpoint& stored);

// The secret with a new certificate for its pending key.
HubSecret with_certificate(HubSecret secret, const HubEndpoint& endpoint, const AgentName& name,
                           std::string certificate_pem);

// The names that were given; else those in the secret; else the invented ones.
AgentName choose_names(const AgentName& given, const HubSecret& secret, const AgentName& invented);

}  // namespace berth::fleet
