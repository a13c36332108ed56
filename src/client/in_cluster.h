// How a pod reaches the server of its own cluster: from the variables and files that the kubelet
// gives it.

#pragma once

#include <string>

#include "base/result.h"
#include "client/client_config.h"

namespace berth::client {

inline constexpr const char* kServiceAccountToken =
    "/var/run/secrets/kubernetes.io/serviceaccount/token";
inline constexpr const char* kServiceAccountCa =
    "/var/run/secrets/kubernetes.io/serviceaccount/ca.crt";
inline constexpr const char* kServiceAccountNamespace =
    "/var/run/secrets/kubernetes.io/serviceaccount/namespace";

struct PodEnvironment {
  std::string service_host = {};  // $KUBERNETES_SERVICE_HOST
  std::string service_port = {};  // $KUBERNETES_SERVICE_PORT
  std::string ns = {};  // The contents of kServiceAccountNamespace, as far as it is there.

  bool in_cluster() const { return !service_host.empty() && !service_port.empty(); }
};

Result<ClientConfig> in_cluster_config(const PodEnvironment& environment);

}  // namespace berth::client
