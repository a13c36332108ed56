// Tested by tests/kube/join_command_test.cc.
#include "app/bootstrap_access.h"

#include <fmt/format.h>

#include "base/base64.h"
#include "env/files.h"
#include "fleet/registration/registration_agent_controller.h"
#include "fleet/registration/resources.h"
#include "json/yaml_print.h"

namespace berth::app {
namespace {

using json::Value;

constexpr std::size_t kFileMax = std::size_t{1} << 20;

}  // namespace

client::Kubeconfig kubeconfig_of(const BootstrapAccess& access) {
  client::Kubeconfig kubeconfig;
  kubeconfig.clusters["hub"] = {.server = access.server,
                                .certificate_authority = {.data = access.authority_pem}};
  kubeconfig.users["bootstrap"] = {.token = access.token};
  kubeconfig.contexts["bootstrap"] = {.cluster = "hub", .user = "bootstrap"};
  kubeconfig.current_context = "bootstrap";
  return kubeconfig;
}

std::vector<BootstrapWrite> bootstrap_writes(const std::string& ns, const client::Kubeconfig& hub) {
  const std::string text = json::print_yaml(client::document_of(hub));
  return {{.path = {.resource = fleet::namespaces(), .name = ns},
           .object = Value::object({{"apiVersion", "v1"},
                                    {"kind", "Namespace"},
                                    {"metadata", Value::object({{"name", ns}})}})},
          {.path = {.resource = fleet::secrets(),
                    .ns = ns,
                    .name = std::string(fleet::kBootstrapSecret)},
           .object = Value::object(
               {{"apiVersion", "v1"},
                {"kind", "Secret"},
                {"metadata", Value::object({{"name", fleet::kBootstrapSecret}, {"namespace", ns}})},
                {"type", "Opaque"},
                {"data", Value::object({{"kubeconfig", encode_base64(text)}})}})}};
}

Status store_bootstrap(Calls& cluster, const std::string& ns, const client::Kubeconfig& hub) {
  for (const BootstrapWrite& write : bootstrap_writes(ns, hub)) {
    RETURN_IF_ERROR(cluster.apply(write.path, write.object));
  }
  return {};
}

Result<BootstrapAccess> access_of(const client::ClientConfig& hub, env::Disk& disk) {
  BootstrapAccess access{.server = hub.server.text(), .token = ""};
  if (!hub.tls.certificate_authority.data.empty()) {
    access.authority_pem = hub.tls.certificate_authority.data;
  } else if (!hub.tls.certificate_authority.path.empty()) {
    ASSIGN_OR_RETURN(access.authority_pem,
                     env::read_file(disk, hub.tls.certificate_authority.path, kFileMax));
  }
  return access;
}

std::string join_command(const BootstrapAccess& access, const std::string& cluster) {
  std::string command =
      fmt::format("berth join --hub-apiserver {} --hub-token {}", access.server, access.token);
  if (!access.authority_pem.empty()) {
    command += " --hub-ca-data " + encode_base64(access.authority_pem);
  }
  return command + " --cluster-name " + (cluster.empty() ? "<cluster_name>" : cluster);
}

}  // namespace berth::app
