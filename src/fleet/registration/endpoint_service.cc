// Tested by registration_agent_controller_test.cc.
#include "fleet/registration/endpoint_service.h"

#include <utility>

#include "api/kinds/fields.h"
#include "base/base64.h"
#include "base/strings.h"
#include "client/errors.h"
#include "env/files.h"
#include "fleet/registration/resources.h"

namespace berth::fleet {
namespace {

constexpr std::size_t kFileMax = std::size_t{1} << 20;

}  // namespace

Result<HubEndpoint> endpoint_of(const client::Kubeconfig& kubeconfig) {
  const auto context = kubeconfig.contexts.find(kubeconfig.current_context);
  if (context == kubeconfig.contexts.end()) {
    return failure(Code::Invalid, "the kubeconfig has no current context");
  }
  const auto cluster = kubeconfig.clusters.find(context->second.cluster);
  if (cluster == kubeconfig.clusters.end()) {
    return failure(Code::Invalid, "the kubeconfig has no cluster " +
                                      quote(context->second.cluster) + " for its current context");
  }
  const client::ClusterEntry& entry = cluster->second;
  return HubEndpoint{.entry = context->second.cluster,
                     .server = entry.server,
                     .proxy_url = entry.proxy_url,
                     .authority_file = entry.certificate_authority.path,
                     .authority_pem = entry.certificate_authority.data,
                     .tls_server_name = entry.tls_server_name,
                     .insecure = entry.insecure_skip_tls_verify};
}

Result<HubEndpoint> endpoint_of(const HubSecret& secret) {
  const auto text = secret.find(kKubeconfig);
  if (text == secret.end()) return failure(Code::NotFound, "there is no kubeconfig yet");
  ASSIGN_OR_RETURN(const client::Kubeconfig kubeconfig,
                   client::parse_kubeconfig(text->second, kKubeconfig));
  return endpoint_of(kubeconfig);
}

Result<client::ClientConfig> config_of(const HubEndpoint& endpoint, const HubIdentity& identity) {
  client::Kubeconfig kubeconfig;
  kubeconfig.clusters["hub"] = {
      .server = endpoint.server,
      .tls_server_name = endpoint.tls_server_name,
      .insecure_skip_tls_verify = endpoint.insecure,
      .certificate_authority = {.path = endpoint.authority_file, .data = endpoint.authority_pem},
      .proxy_url = endpoint.proxy_url};
  kubeconfig.users["agent"] = {.client_certificate = {.data = identity.certificate_pem},
                               .client_key = {.data = identity.key.pem()}};
  kubeconfig.contexts["hub"] = {.cluster = "hub", .user = "agent", .ns = identity.name.cluster};
  kubeconfig.current_context = "hub";
  return client::resolve_config(kubeconfig, {});
}

LoadBootstrap bootstrap_from_secret(client::Api& api, std::string ns, std::string name) {
  const client::ResourcePath path{
      .resource = secrets(), .ns = std::move(ns), .name = std::move(name)};
  return [&api, path](BootstrapLoaded loaded) {
    api.get(path, [path, loaded = std::move(loaded)](const Result<json::Value>& answer) mutable {
      const std::string where = path.ns + "/" + path.name;
      if (!answer.ok() && client::is_not_found(answer.error())) {
        return loaded(failure(Code::NotFound, "there is no secret " + where +
                                                  ": \"berth join\" makes it, with what \"berth "
                                                  "get token\" prints on the hub"));
      }
      if (!answer.ok()) return loaded(failure(answer.error()));
      const std::string encoded = api::text_field(api::field(*answer, "data"), kKubeconfig);
      const auto text = decode_base64(encoded);
      if (!text.ok() || text->empty()) {
        return loaded(failure(Code::Invalid, "secret " + where + " has no key \"kubeconfig\""));
      }
      loaded(client::parse_kubeconfig(*text, "secret " + where));
    });
  };
}

LoadBootstrap bootstrap_from_file(env::Disk& disk, env::Loop& loop, std::string path) {
  return [&disk, &loop, path = std::move(path)](BootstrapLoaded loaded) {
    loop.post([&disk, path, loaded = std::move(loaded)]() mutable {
      const auto text = env::read_file(disk, path, kFileMax);
      if (!text.ok()) return loaded(failure(Error(text.error()).in_context(path)));
      loaded(client::parse_kubeconfig(*text, path));
    });
  };
}

}  // namespace berth::fleet
