#include "app/hub_flags.h"

#include <cstdlib>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/strings.h"
#include "cel/time_arithmetic.h"
#include "http/proxy.h"

namespace berth::app {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

void add_hub_flags(CLI::App& command, HubFlags& flags) {
  client::ConfigOverrides& overrides = flags.overrides;
  const auto add = [&command](const char* name, std::string& into, const char* help) {
    command.add_option(name, into, help)->group("Connection");
  };
  add("--kubeconfig", flags.kubeconfig.flag, "The kubeconfig file");
  add("--context", overrides.context, "The context of the kubeconfig to use");
  add("--cluster", overrides.cluster, "The cluster of the kubeconfig to use");
  add("--user", overrides.user, "The user of the kubeconfig to use");
  add("-s,--server", overrides.server, "The address of the API server");
  add("-n,--namespace", overrides.ns, "The namespace");
  add("--token", overrides.token, "A bearer token");
  add("--certificate-authority", overrides.certificate_authority, "A file with authorities");
  add("--client-certificate", overrides.client_certificate, "A file with our certificate");
  add("--client-key", overrides.client_key, "A file with its key");
  add("--tls-server-name", overrides.tls_server_name, "The name that the server has to prove");
  add("--as", overrides.impersonation.user, "Act as this user");
  add("--as-uid", overrides.impersonation.uid, "Act with this uid");
  add("--request-timeout", flags.request_timeout, "How long one request may take; 0: no limit");
  command.add_option("--as-group", overrides.impersonation.groups, "Act as member of this group")
      ->group("Connection");
  command
      .add_option("--insecure-skip-tls-verify", overrides.insecure_skip_tls_verify,
                  "Trust any server: only for tests")
      ->expected(0, 1)
      ->default_str("true")
      ->group("Connection");
}

Result<Duration> parse_length(std::string_view flag, std::string_view text) {
  if (const auto number = parse_int64(text)) return std::chrono::seconds(*number);
  if (const auto length = cel::parse_duration(text)) return *length;
  return failure(Code::BadRequest,
                 fmt::format("{}: \"{}\" is no length of time; say 30s, 5m or 1h", flag, text));
}

Result<client::ConfigSources> config_sources(const HubFlags& flags) {
  client::ConfigSources sources{.kubeconfig = flags.kubeconfig, .overrides = flags.overrides};
  sources.kubeconfig.kubeconfig = environment("KUBECONFIG");
  sources.kubeconfig.home = environment("HOME");
  sources.pod = {.service_host = environment("KUBERNETES_SERVICE_HOST"),
                 .service_port = environment("KUBERNETES_SERVICE_PORT")};
  sources.proxies = http::read_proxy_environment(
      [](std::string_view name) { return environment(std::string(name).c_str()); });
  ASSIGN_OR_RETURN(sources.overrides.request_timeout,
                   parse_length("--request-timeout", flags.request_timeout));
  return sources;
}

}  // namespace berth::app
