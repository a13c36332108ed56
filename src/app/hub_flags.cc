#include "app/hub_flags.h"

#include <cstdint>
#include <cstdlib>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/advice.h"
#include "base/strings.h"
#include "cel/time_arithmetic.h"
#include "http/proxy.h"

namespace berth::app {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
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

bool is_said(const client::ConfigSources& sources) {
  return !sources.kubeconfig.flag.empty() || !sources.overrides.server.empty() ||
         !sources.overrides.context.empty() || !sources.overrides.cluster.empty() ||
         sources.pod.in_cluster();
}

// Nothing says where the hub is: then the user has to.
Status check_that_somebody_says(const client::ConfigSources& sources, env::Disk& disk) {
  if (is_said(sources)) return {};
  const client::KubeconfigFiles files = client::kubeconfig_files(sources.kubeconfig);
  for (const std::string& path : files.paths) {
    const auto exists = disk.exists(path);
    if (!exists.ok() || *exists) return {};  // Reading it tells what is wrong.
  }
  return failure(Code::Invalid, fmt::format("no kubeconfig found (looked for {})\n"
                                            "Say which hub to use with one of:\n"
                                            "  --kubeconfig FILE\n"
                                            "  the environment variable KUBECONFIG\n"
                                            "  a file ~/.kube/config\n"
                                            "  --server URL --token TOKEN",
                                            join(files.paths, ", ")));
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
  add("--request-timeout", flags.request_timeout,
      "How long one request may take; 0: the default of 60s");
  // Neither of the two may swallow a name that follows it.
  command.add_option("--as-group", overrides.impersonation.groups, "Act as member of this group")
      ->allow_extra_args(false)
      ->group("Connection");
  // Not bound to the optional itself: CLI11 takes that for a counter, and an absent flag for no.
  command
      .add_flag_function(
          "--insecure-skip-tls-verify",
          [&overrides](std::int64_t count) { overrides.insecure_skip_tls_verify = count > 0; },
          "Trust any server: only for tests")
      ->group("Connection");
}

Result<Duration> parse_length(std::string_view flag, std::string_view text) {
  if (const auto number = parse_int64(text)) return std::chrono::seconds(*number);
  if (const auto length = cel::parse_duration(text)) return *length;
  return failure(Code::BadRequest,
                 fmt::format("{}: \"{}\" is no length of time; say 30s, 5m or 1h", flag, text));
}

Result<client::ClientConfig> load_hub_config(const HubFlags& flags, const env::Env& env) {
  ASSIGN_OR_RETURN(const client::ConfigSources sources, config_sources(flags));
  RETURN_IF_ERROR(check_that_somebody_says(sources, env.disk));
  auto config = client::load_config(sources, env.disk, env.log);
  if (!config.ok()) return failure(with_kubeconfig_advice(std::move(config).error()));
  return config;
}

}  // namespace berth::app
