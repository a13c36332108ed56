#include "client/in_cluster.h"

#include <fmt/format.h>

#include "base/strings.h"

namespace berth::client {

Result<ClientConfig> in_cluster_config(const PodEnvironment& environment) {
  if (!environment.in_cluster()) {
    return failure(Code::Invalid,
                   "not inside a cluster: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are "
                   "not set");
  }
  const bool bare_ipv6 =
      environment.service_host.contains(':') && !environment.service_host.starts_with('[');
  const std::string host =
      bare_ipv6 ? fmt::format("[{}]", environment.service_host) : environment.service_host;
  auto url = http::parse_url(fmt::format("https://{}:{}", host, environment.service_port));
  if (!url.ok()) {
    return failure(
        std::move(url).error().in_context("KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT"));
  }
  const std::string ns(trim(environment.ns));
  return ClientConfig{.server = *std::move(url),
                      .tls = {.certificate_authority = {.path = kServiceAccountCa}},
                      .credentials = {.token_file = kServiceAccountToken},
                      .ns = ns.empty() ? "default" : ns,
                      .name = "in-cluster"};
}

}  // namespace berth::client
