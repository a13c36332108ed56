// berth agent: what Berth does on, or for, one managed cluster.

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/agent_part.h"
#include "app/agent_program.h"
#include "app/agent_registration.h"
#include "app/command.h"
#include "app/config_file.h"
#include "app/flag_values.h"
#include "app/hub_flags.h"
#include "app/lasting_program.h"
#include "app/log_flags.h"
#include "app/operations_flags.h"
#include "base/strings.h"
#include "env/random.h"

namespace berth::app {
namespace {

struct AgentFlags {
  HubFlags cluster = {};
  std::string hub_kubeconfig = {};
  std::string hub_context = {};
  std::string cluster_name = {};
  std::vector<std::string> parts = {"*"};
  RegistrationFlags registration = {};
  OperationsFlags operations = {};
  LogFlags log = {};
  std::vector<std::unique_ptr<AgentPartCommand>> commands = agent_parts();
};

std::string part_names(const AgentFlags& flags) {
  std::vector<std::string> names;
  for (const auto& part : flags.commands) names.emplace_back(part->name());
  return join(names, ", ");
}

Result<std::map<std::string, MakeAgentPart>> chosen_parts(const AgentFlags& flags) {
  std::map<std::string, MakeAgentPart> chosen;
  const auto is_chosen = [&flags](std::string_view name) {
    return std::ranges::any_of(
        flags.parts, [name](const std::string& wanted) { return wanted == name || wanted == "*"; });
  };
  for (const auto& part : flags.commands) {
    if (!is_chosen(part->name())) continue;
    ASSIGN_OR_RETURN(chosen[std::string(part->name())], part->configure());
  }
  for (const std::string& wanted : flags.parts) {
    if (wanted == "*" || chosen.contains(wanted)) continue;
    return failure(Code::BadRequest, fmt::format("--parts: there is no \"{}\"; there are {}, or * "
                                                 "for all",
                                                 wanted, part_names(flags)));
  }
  return chosen;
}

// A kubeconfig says who the agent is; without one it registers itself.
Result<std::optional<client::ClientConfig>> given_hub(const AgentFlags& flags, env::Env& env) {
  if (flags.hub_kubeconfig.empty()) return std::nullopt;
  if (flags.cluster_name.empty()) {
    return failure(Code::BadRequest, "--hub-kubeconfig goes with --cluster-name");
  }
  HubFlags hub;
  hub.kubeconfig.flag = flags.hub_kubeconfig;
  hub.overrides.context = flags.hub_context;
  auto config = load_hub_config(hub, env);
  if (!config.ok()) return failure(std::move(config).error().in_context("the hub"));
  return *std::move(config);
}

Result<AgentSettings> settings_of(const AgentFlags& flags, env::Env& env) {
  auto cluster_config = load_hub_config(flags.cluster, env);
  if (!cluster_config.ok()) {
    return failure(std::move(cluster_config).error().in_context("the managed cluster"));
  }
  AgentSettings settings{.cluster = *std::move(cluster_config),
                         .cluster_name = flags.cluster_name,
                         .host = host_name() + "_" + env::new_uuid(env.entropy)};
  ASSIGN_OR_RETURN(settings.hub, given_hub(flags, env));
  ASSIGN_OR_RETURN(settings.registration,
                   registration_options(flags.registration, flags.cluster_name));
  ASSIGN_OR_RETURN(settings.parts, chosen_parts(flags));
  ASSIGN_OR_RETURN(settings.operations, operations_addresses(flags.operations));
  return settings;
}

void add_agent_flags(CLI::App& command, AgentFlags& flags) {
  command.add_option(
      "--hub-kubeconfig", flags.hub_kubeconfig,
      "A kubeconfig file for the hub: the agent is who it says. Without it the agent "
      "registers the cluster by itself, as berth join asked for it. --kubeconfig and "
      "the others below are for the managed cluster");
  command.add_option("--hub-context", flags.hub_context, "The context in it to use");
  command.add_option("--cluster-name", flags.cluster_name, "The managed cluster's name on the hub");
  command.add_option("--parts", flags.parts, "Which: " + part_names(flags) + ", or * for all")
      ->delimiter(',')
      ->capture_default_str();
  add_operations_flags(command, flags.operations, "metrics");
  add_log_flags(command, flags.log);
}

void add_all_flags(CLI::App& command, AgentFlags& flags) {
  add_config_file(command);
  add_agent_flags(command, flags);
  add_hub_flags(command, flags.cluster);
  add_registration_flags(command, flags.registration);
  for (const auto& part : flags.commands) part->add_flags(command);
}

constexpr const char* kFooter =
    "Examples:\n"
    "  # After \"berth join\": be the cluster's agent, with all that it does\n"
    "  berth agent --cluster-name cluster1\n"
    "  # Publish cpuAvailable and memAvailable of a cluster as resource-usage-score\n"
    "  berth agent --kubeconfig cluster1.kubeconfig --hub-kubeconfig hub.kubeconfig "
    "--cluster-name cluster1\n"
    "  # Inside the cluster, with the names of the newer add-on, too, and other bounds\n"
    "  berth agent --hub-kubeconfig /managed/hub-kubeconfig/kubeconfig --cluster-name cluster1 "
    "--score-sets seed,node,cluster --resource cpu,max=2000 --resource memory,max=16Ti\n"
    "  # How many pods of a certain shape fit on nodes of one pool\n"
    "  berth agent ... --shape web=cpu=500m,memory=1Gi --node-selector pool=web "
    "--allow-taint pool=web\n"
    "  # Carry out score generators only, with plugins and with locations in a private network\n"
    "  berth agent ... --parts generators --plugin-dir /plugins --probe-allow 10.20.0.0/16\n"
    "  # On a hosting cluster: count its hosted clusters and its room\n"
    "  berth agent ... --parts hosting --hosting-max 80 --hosting-threshold 60\n\n"
    "Health is served at /livez and /readyz, numbers at /metrics. The agent is ready while the\n"
    "scores on the hub hold.";

}  // namespace

std::vector<std::unique_ptr<AgentPartCommand>> agent_parts() {
  std::vector<std::unique_ptr<AgentPartCommand>> parts;
  parts.push_back(scores_part());
  parts.push_back(generators_part());
  parts.push_back(work_part());
  parts.push_back(add_ons_part());
  parts.push_back(hosting_part());
  return parts;
}

Result<AgentSettings> agent_settings(const std::vector<std::string>& arguments, env::Env& env) {
  CLI::App command;
  AgentFlags flags;
  add_all_flags(command, flags);
  try {
    command.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ParseError& error) {
    return failure(Code::BadRequest, error.what());
  }
  return settings_of(flags, env);
}

void add_agent(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("agent", "Run Berth's agent of one managed cluster");
  command->footer(kFooter);
  const auto flags = std::make_shared<AgentFlags>();
  add_all_flags(*command, *flags);
  command->callback([&action, flags] {
    action = [flags] {
      return run_lasting_program<AgentProgram>(
          flags->log, [&flags](env::Env& env) { return settings_of(*flags, env); });
    };
  });
}

}  // namespace berth::app
