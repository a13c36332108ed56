// Tested by tests/kube/up_test.cc.
#include "app/up/fleet_kubeconfig.h"

#include "json/yaml_print.h"

namespace berth::app {

void FleetKubeconfig::add(const std::string& name, const std::string& url,
                          const env::TlsIdentity& identity) {
  kubeconfig_.clusters[name] = {.server = url, .certificate_authority = {.data = authority_}};
  kubeconfig_.users[name] = {.client_certificate = {.data = identity.certificates_pem},
                             .client_key = {.data = identity.key_pem}};
  for (const std::string& context : {name, "kind-" + name}) {
    kubeconfig_.contexts[context] = {.cluster = name, .user = name};
  }
  if (kubeconfig_.current_context.empty()) kubeconfig_.current_context = name;
}

std::string FleetKubeconfig::text() const {
  return json::print_yaml(client::document_of(kubeconfig_));
}

}  // namespace berth::app
