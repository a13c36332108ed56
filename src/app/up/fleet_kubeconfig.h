// A kubeconfig for a fleet: one context for each server, and the same once more under the name that
// kind would give it.

#pragma once

#include <string>

#include "client/kubeconfig.h"
#include "env/tls.h"

namespace berth::app {

class FleetKubeconfig {
 public:
  explicit FleetKubeconfig(std::string authority_pem) : authority_(std::move(authority_pem)) {}

  // The first one is where commands go without a context.
  void add(const std::string& name, const std::string& url, const env::TlsIdentity& identity);

  std::string text() const;  // With secrets in it.

 private:
  std::string authority_;
  client::Kubeconfig kubeconfig_;
};

}  // namespace berth::app
