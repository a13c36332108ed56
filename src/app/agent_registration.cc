// Tested by tests/kube/join_command_test.cc.
#include "app/agent_registration.h"

#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/hub_flags.h"
#include "base/strings.h"

namespace berth::app {
namespace {

constexpr std::int64_t kCertificateSecondsMin = 3600;

}  // namespace

void add_registration_flags(CLI::App& command, RegistrationFlags& flags) {
  const auto add = [&command](const char* name, auto& into, const std::string& help) {
    return command.add_option(name, into, help)->group("Registration");
  };
  add("--bootstrap-kubeconfig", flags.bootstrap_kubeconfig,
      "A kubeconfig file with which to ask the hub; without it the Secret that berth join made");
  add("--hub-kubeconfig-dir", flags.folder,
      "Keep the agent's identity in this folder; without it in a Secret of the cluster");
  add("--agent-namespace", flags.ns, "The namespace of those Secrets")->capture_default_str();
  add("--agent-name", flags.agent, "Names this agent among those of its cluster");
  add("--spoke-external-server-urls", flags.server_urls,
      "Where others reach the cluster: https URLs")
      ->delimiter(',');
  add("--cluster-annotations", flags.annotations,
      "agent.open-cluster-management.io/NAME=VALUE on a ManagedCluster that the agent makes")
      ->delimiter(',');
  add("--max-custom-cluster-claims", flags.claims_max, "So many claims are told to the hub")
      ->capture_default_str();
  add("--reserved-cluster-claim-suffixes", flags.claim_suffixes,
      "Claims whose names end so are told besides")
      ->delimiter(',');
  add("--cluster-healthcheck-period", flags.health_period, "How often to look at the cluster")
      ->capture_default_str();
  add("--client-cert-expiration-seconds", flags.certificate_seconds,
      "How long certificates should be good; 0: what the hub gives");
}

Result<RegistrationOptions> registration_options(const RegistrationFlags& flags,
                                                 const std::string& cluster_name) {
  fleet::RegistrationSettings settings{.name = {.cluster = cluster_name, .agent = flags.agent},
                                       .server_urls = flags.server_urls};
  if (!cluster_name.empty()) {
    if (Status named = fleet::check_cluster_name(cluster_name); !named.ok()) {
      return failure(std::move(named).error().in_context("--cluster-name"));
    }
  }
  for (const std::string& url : flags.server_urls) {
    if (url.starts_with("https://")) continue;
    return failure(Code::BadRequest,
                   fmt::format("--spoke-external-server-urls: {} is no https URL", quote(url)));
  }
  for (const std::string& text : flags.annotations) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) {
      return failure(Code::BadRequest,
                     fmt::format("--cluster-annotations: {} is not NAME=VALUE", quote(text)));
    }
    settings.annotations[text.substr(0, equals)] = text.substr(equals + 1);
  }
  settings.claims = {.custom_max = flags.claims_max, .reserved_suffixes = flags.claim_suffixes};
  ASSIGN_OR_RETURN(settings.health_period,
                   parse_length("--cluster-healthcheck-period", flags.health_period));
  if (settings.health_period <= Duration::zero()) {
    return failure(Code::BadRequest, "--cluster-healthcheck-period must be more than 0");
  }
  if (flags.certificate_seconds != 0 && flags.certificate_seconds < kCertificateSecondsMin) {
    return failure(Code::BadRequest, "--client-cert-expiration-seconds: 3600 at least, or 0");
  }
  settings.certificate_life = std::chrono::seconds(flags.certificate_seconds);
  return RegistrationOptions{.flags = flags, .settings = std::move(settings)};
}

Result<std::unique_ptr<AgentRegistration>> AgentRegistration::start(
    const env::Env& env, client::Api& cluster, const RegistrationOptions& options,
    fleet::RegistrationAgent::Listener listener) {
  const RegistrationFlags& flags = options.flags;
  std::unique_ptr<AgentRegistration> registration(new AgentRegistration);
  if (flags.folder.empty()) {
    registration->store_ = std::make_unique<fleet::KubeSecretStore>(
        cluster, fleet::KubeSecretStore::Place{.ns = flags.ns});
  } else {
    ASSIGN_OR_RETURN(registration->store_,
                     fleet::FolderSecretStore::open(env.disk, env.loop, flags.folder));
  }
  fleet::LoadBootstrap bootstrap =
      flags.bootstrap_kubeconfig.empty()
          ? fleet::bootstrap_from_secret(cluster, flags.ns, std::string(fleet::kBootstrapSecret))
          : fleet::bootstrap_from_file(env.disk, env.loop, flags.bootstrap_kubeconfig);
  registration->agent_ = std::make_unique<fleet::RegistrationAgent>(
      env, cluster, *registration->store_, std::move(bootstrap), options.settings,
      std::move(listener));
  registration->agent_->start();
  return registration;
}

Status AgentRegistration::readiness() const {
  if (agent_->is_joined()) return {};
  return failure(Code::ServiceUnavailable, agent_->state());
}

}  // namespace berth::app
