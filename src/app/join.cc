// berth join: asks a hub to let this cluster in. berth unjoin: forgets the hub again.

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "app/bootstrap_access.h"
#include "app/calls.h"
#include "app/command.h"
#include "app/embedded_files.h"
#include "app/hub_flags.h"
#include "base/base64.h"
#include "base/strings.h"
#include "client/errors.h"
#include "env/files.h"
#include "fleet/registration/registration_agent_controller.h"
#include "fleet/registration/resources.h"
#include "json/yaml_print.h"
#include "json/yaml_read.h"
#include "runtime/system.h"

namespace berth::app {
namespace {

using json::Value;

constexpr std::size_t kFileMax = std::size_t{1} << 20;
constexpr Duration kPatience = std::chrono::seconds(60);

struct JoinFlags {
  HubFlags cluster = {};
  BootstrapAccess hub = {.server = "", .token = ""};
  std::string authority_data = {};
  std::string authority_file = {};
  std::string kubeconfig_file = {};
  std::string name = {};
  std::string ns = std::string(fleet::kAgentNamespace);
};

struct UnjoinFlags {
  HubFlags cluster = {};
  std::string ns = std::string(fleet::kAgentNamespace);
  bool force = false;
};

int fail(std::string_view message) {
  std::fputs(fmt::format("{}\n", message).c_str(), stderr);
  return 1;
}

Result<client::Kubeconfig> bootstrap_of(const JoinFlags& flags, env::Disk& disk) {
  const bool says_hub = !flags.hub.server.empty() || !flags.hub.token.empty();
  if (says_hub == !flags.kubeconfig_file.empty()) {
    return failure(Code::BadRequest,
                   "say how to reach the hub: either --bootstrap-kubeconfig FILE, or "
                   "--hub-apiserver, --hub-token and --hub-ca-data as \"berth get token\" prints "
                   "them");
  }
  if (!says_hub) {
    ASSIGN_OR_RETURN(const std::string text, env::read_file(disk, flags.kubeconfig_file, kFileMax));
    return client::parse_kubeconfig(text, flags.kubeconfig_file);
  }
  BootstrapAccess access = flags.hub;
  if (!flags.authority_data.empty()) {
    auto pem = decode_base64(flags.authority_data);
    if (!pem.ok()) return failure(std::move(pem).error().in_context("--hub-ca-data"));
    access.authority_pem = *std::move(pem);
  } else if (!flags.authority_file.empty()) {
    ASSIGN_OR_RETURN(access.authority_pem, env::read_file(disk, flags.authority_file, kFileMax));
  }
  return kubeconfig_of(access);
}

// A Secret does not see the files of this machine.
Status put_files_inside(client::Kubeconfig& kubeconfig, env::Disk& disk) {
  const auto inside = [&disk](client::FileOrData& source) -> Status {
    if (source.path.empty() || !source.data.empty()) return {};
    ASSIGN_OR_RETURN(source.data, env::read_file(disk, source.path, kFileMax));
    source.path.clear();
    return {};
  };
  for (auto& [name, cluster] : kubeconfig.clusters) {
    RETURN_IF_ERROR(inside(cluster.certificate_authority));
  }
  for (auto& [name, user] : kubeconfig.users) {
    RETURN_IF_ERROR(inside(user.client_certificate));
    RETURN_IF_ERROR(inside(user.client_key));
  }
  return {};
}

// What an agent needs on its cluster: the kinds of claims and of applied works, and the bootstrap
// kubeconfig.
Status prepare_cluster(Calls& cluster, const JoinFlags& flags, const client::Kubeconfig& hub) {
  for (const EmbeddedFile& file : embedded_files()) {
    const bool is_needed = file.path == "deploy/crds/clusterclaims.yaml" ||
                           file.path == "deploy/crds/appliedmanifestworks.yaml";
    if (!is_needed) continue;
    ASSIGN_OR_RETURN(const Value definition, json::read_one_yaml(file.text));
    RETURN_IF_ERROR(
        cluster.apply({.resource = {"apiextensions.k8s.io", "v1", "customresourcedefinitions"},
                       .name = api::read_facts(definition).name},
                      definition));
  }
  return store_bootstrap(cluster, flags.ns, hub);
}

struct Asked {
  bool has_asked = false;
  std::string state = {};
};

// The agent itself asks; whoever starts it later goes on with the same key.
Asked ask_once(env::Env& env, const client::ClientConfig& config, const JoinFlags& flags) {
  std::unique_ptr<client::Api> api;
  std::unique_ptr<fleet::KubeSecretStore> store;
  std::unique_ptr<fleet::RegistrationAgent> agent;
  runtime::run_on(env.loop, [&] {
    api = std::make_unique<client::Api>(env, config, client::ApiOptions{});
    store = std::make_unique<fleet::KubeSecretStore>(*api,
                                                     fleet::KubeSecretStore::Place{.ns = flags.ns});
    agent = std::make_unique<fleet::RegistrationAgent>(
        env, *api, *store,
        fleet::bootstrap_from_secret(*api, flags.ns, std::string(fleet::kBootstrapSecret)),
        fleet::RegistrationSettings{.name = {.cluster = flags.name, .agent = ""}},
        fleet::RegistrationAgent::Listener{});
    agent->start();
  });
  Asked asked;
  wait_for(kPatience, [&] {
    runtime::run_on(env.loop,
                    [&] { asked = {.has_asked = agent->has_asked(), .state = agent->state()}; });
    return asked.has_asked;
  });
  runtime::run_on(env.loop, [&] {
    agent.reset();
    store.reset();
    api.reset();
  });
  return asked;
}

int join(const JoinFlags& flags) {
  if (const Status named = fleet::check_cluster_name(flags.name); !named.ok()) {
    return fail("error: --cluster-name: " + named.error().message);
  }
  runtime::System system({.loops = 1, .workers = 1, .log = {.level = env::Level::Error}});
  env::Env& env = system.env(0);
  const auto config = load_hub_config(flags.cluster, env);
  if (!config.ok()) return fail("error: the cluster that is to join: " + config.error().message);
  auto hub = bootstrap_of(flags, env.disk);
  if (!hub.ok()) return fail("error: " + hub.error().message);
  if (const Status inside = put_files_inside(*hub, env.disk); !inside.ok()) {
    return fail("error: bootstrap kubeconfig: " + inside.error().message);
  }
  const auto endpoint = fleet::endpoint_of(*hub);
  if (!endpoint.ok()) return fail("error: " + endpoint.error().message);
  Calls cluster(env, *config);
  if (const Status prepared = prepare_cluster(cluster, flags, *hub); !prepared.ok()) {
    return fail(cluster.text_of(prepared.error()));
  }
  const Asked asked = ask_once(env, *config, flags);
  if (!asked.has_asked) {
    return fail(
        fmt::format("error: the hub at {} has not taken the request: {}\n"
                    "The bootstrap kubeconfig is stored; \"berth agent\" goes on trying.",
                    endpoint->server, asked.state));
  }
  fmt::print("cluster {} asked to join {}\n", flags.name, endpoint->server);
  std::fflush(stdout);
  std::fputs(fmt::format("{}\n\nOn the hub, let it in:\n\n  berth accept {}\n\n"
                         "For this cluster, run its agent:\n\n  berth agent --cluster-name {}\n",
                         asked.state, flags.name, flags.name)
                 .c_str(),
             stderr);
  return 0;
}

// Works that are still applied would lose their owner.
Status check_no_works(Calls& cluster) {
  const auto works = cluster.list({.resource = fleet::applied_manifest_works()});
  if (!works.ok() && client::is_not_found(works.error())) return {};
  if (!works.ok()) return failure(works.error());
  if (works->empty()) return {};
  return failure(Code::Unknown,
                 fmt::format("{} works of the hub are still applied here: run \"berth detach\" on "
                             "the hub first, or leave what they made in place with --force",
                             works->size()));
}

int unjoin(const UnjoinFlags& flags) {
  runtime::System system({.loops = 1, .workers = 1, .log = {.level = env::Level::Error}});
  env::Env& env = system.env(0);
  const auto config = load_hub_config(flags.cluster, env);
  if (!config.ok()) return fail("error: " + config.error().message);
  Calls cluster(env, *config);
  if (!flags.force) {
    if (const Status free = check_no_works(cluster); !free.ok()) {
      return fail(cluster.text_of(free.error()));
    }
  }
  for (const std::string_view name : {fleet::kBootstrapSecret, fleet::kHubSecret}) {
    const auto removed =
        cluster.remove({.resource = fleet::secrets(), .ns = flags.ns, .name = std::string(name)});
    if (!removed.ok() && !client::is_not_found(removed.error())) {
      return fail(cluster.text_of(removed.error()));
    }
    fmt::print("secret/{} {}\n", name, removed.ok() ? "deleted" : "was not there");
  }
  return 0;
}

void add_join_flags(CLI::App& command, JoinFlags& flags) {
  command.add_option("--cluster-name", flags.name, "The cluster's name on the hub")->required();
  command.add_option("--hub-apiserver", flags.hub.server, "The hub's address");
  command.add_option("--hub-token", flags.hub.token, "The token with which to ask");
  command.add_option("--hub-ca-data", flags.authority_data, "The hub's authority, in base64");
  command.add_option("--hub-ca-file", flags.authority_file, "The same as a file in PEM");
  command.add_option("--bootstrap-kubeconfig", flags.kubeconfig_file,
                     "A kubeconfig for the hub instead of all these");
  command.add_option("--agent-namespace", flags.ns, "Where the agent keeps its secrets")
      ->capture_default_str();
  add_hub_flags(command, flags.cluster);
}

}  // namespace

void add_join(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("join", "Ask a hub to let this cluster in");
  command->footer(
      "Examples:\n"
      "  # As \"berth get token\" on the hub prints it\n"
      "  berth join --hub-apiserver https://hub:6443 --hub-token TOKEN --hub-ca-data CA "
      "--cluster-name cluster1\n"
      "  # With a kubeconfig for the hub\n"
      "  berth join --bootstrap-kubeconfig hub.kubeconfig --cluster-name cluster1\n\n"
      "--kubeconfig and the other connection flags are for the cluster that joins. The request is\n"
      "made once and stored there; \"berth agent\" waits for the answer and does the rest.");
  const auto flags = std::make_shared<JoinFlags>();
  add_join_flags(*command, *flags);
  command->callback([&action, flags] { action = [flags] { return join(*flags); }; });
}

void add_unjoin(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("unjoin", "Make this cluster forget its hub");
  command->footer(
      "Examples:\n"
      "  # After \"berth detach\" on the hub, and when the agent has ended\n  berth unjoin\n\n"
      "Deletes the secrets with which the agent reaches the hub.");
  const auto flags = std::make_shared<UnjoinFlags>();
  command->add_option("--agent-namespace", flags->ns, "Where the agent keeps its secrets")
      ->capture_default_str();
  command->add_flag("--force", flags->force, "Even if works of the hub are still applied");
  add_hub_flags(*command, flags->cluster);
  command->callback([&action, flags] { action = [flags] { return unjoin(*flags); }; });
}

}  // namespace berth::app
