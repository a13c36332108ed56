// berth scheduler: a second scheduler, for pods that name it. Room that is held for a pod being
// rebuilt is given to nobody else.

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/command.h"
#include "app/election_flags.h"
#include "app/flag_values.h"
#include "app/hub_flags.h"
#include "app/lasting_program.h"
#include "app/log_flags.h"
#include "app/operations_flags.h"
#include "app/scheduler_program.h"
#include "env/files.h"
#include "env/random.h"
#include "nodes/scheduler_config.h"

namespace berth::app {
namespace {

constexpr std::size_t kConfigBytesMax = 1 << 20;

struct SchedulerFlags {
  HubFlags cluster = {};
  std::string scheduler_name = {};
  std::string config = {};
  double qps = 0;
  double burst = 0;
  ElectionFlags election = {};
  bool profiling = false;
  std::string authentication_kubeconfig = {};
  std::string authorization_kubeconfig = {};
  OperationsFlags operations = {.health = "127.0.0.1:8083", .metrics = "127.0.0.1:8082"};
  LogFlags log = {};

  // Whether the command line says so: then it wins over the file.
  std::function<bool(const std::string& flag)> is_given;
};

Result<nodes::SchedulerConfig> read_config(const SchedulerFlags& flags, env::Env& env) {
  if (flags.config.empty()) return nodes::SchedulerConfig();
  auto text = env::read_file(env.disk, flags.config, kConfigBytesMax);
  if (!text.ok()) return failure(std::move(text).error().in_context("--config"));
  auto config = nodes::parse_scheduler_config(*text);
  if (!config.ok()) {
    return failure(std::move(config).error().in_context("--config " + flags.config));
  }
  return config;
}

// The file's profiles, of which the flag may choose one; without any, all that Berth has.
Result<std::vector<nodes::Profile>> profiles_of(const SchedulerFlags& flags,
                                                std::vector<nodes::Profile> profiles) {
  const std::string& name = flags.scheduler_name;
  if (profiles.empty()) {
    profiles.push_back(nodes::default_profile());
    if (!name.empty()) profiles.front().scheduler_name = name;
    return profiles;
  }
  if (name.empty()) return profiles;
  const auto chosen = std::ranges::find(profiles, name, &nodes::Profile::scheduler_name);
  if (chosen == profiles.end()) {
    return failure(
        Code::BadRequest,
        fmt::format("--scheduler-name: no profile of {} is called \"{}\"", flags.config, name));
  }
  return std::vector<nodes::Profile>{*chosen};
}

Result<std::optional<control::LeaderElectionOptions>> election_of(
    const SchedulerFlags& flags, const nodes::LeaderElectionConfig& config, std::string identity) {
  const bool elects =
      flags.is_given("--leader-elect") ? flags.election.is_on : config.leader_elect.value_or(true);
  if (!elects) return std::nullopt;
  ASSIGN_OR_RETURN(auto options, election_options(flags.election, std::move(identity)));
  const auto choose = [&flags](const char* flag, const auto& in_file, auto& into) {
    if (in_file && !flags.is_given(flag)) into = *in_file;
  };
  choose("--leader-elect-lease-duration", config.lease_duration, options.lease_duration);
  choose("--leader-elect-renew-deadline", config.renew_deadline, options.renew_deadline);
  choose("--leader-elect-retry-period", config.retry_period, options.retry_period);
  choose("--leader-elect-resource-name", config.resource_name, options.lease_name);
  choose("--leader-elect-resource-namespace", config.resource_namespace, options.lease_namespace);
  RETURN_IF_ERROR(control::check_leader_election_options(options));
  return options;
}

Result<SchedulerSettings> settings_of(SchedulerFlags flags, env::Env& env) {
  ASSIGN_OR_RETURN(nodes::SchedulerConfig config, read_config(flags, env));
  if (flags.cluster.kubeconfig.flag.empty() && config.kubeconfig) {
    flags.cluster.kubeconfig.flag = *config.kubeconfig;
  }
  ASSIGN_OR_RETURN(auto cluster, load_hub_config(flags.cluster, env));
  ASSIGN_OR_RETURN(auto profiles, profiles_of(flags, std::move(config.profiles)));
  // Schedulers of different names do not stand in each other's way.
  if (flags.election.lease_name.empty()) flags.election.lease_name = profiles[0].scheduler_name;
  const std::string host = host_name();
  ASSIGN_OR_RETURN(auto election,
                   election_of(flags, config.election, host + "_" + env::new_uuid(env.entropy)));
  ASSIGN_OR_RETURN(auto operations, operations_addresses(flags.operations));
  const double qps = flags.is_given("--kube-api-qps") ? flags.qps : config.qps.value_or(flags.qps);
  const double burst =
      flags.is_given("--kube-api-burst") ? flags.burst : config.burst.value_or(flags.burst);
  return SchedulerSettings{
      .cluster = std::move(cluster),
      .rate = {.per_second = qps, .burst = burst > 0 ? burst : 2 * qps},
      .scheduler = {.scheduling = {.profiles = std::move(profiles), .queue = config.queue},
                    .instance = host},
      .election = std::move(election),
      .operations = operations,
      .warnings = std::move(config.warnings)};
}

// So that what starts kube-scheduler starts this one.
void add_kube_scheduler_flags(CLI::App& command, SchedulerFlags& flags) {
  command.add_flag("--profiling", flags.profiling, "Accepted; there is nothing to switch")
      ->group("Accepted for kube-scheduler's sake");
  command
      .add_option("--authentication-kubeconfig", flags.authentication_kubeconfig,
                  "Accepted; health and metrics are served on the loopback address, to everybody")
      ->group("Accepted for kube-scheduler's sake");
  command
      .add_option("--authorization-kubeconfig", flags.authorization_kubeconfig,
                  "Accepted, like the one before")
      ->group("Accepted for kube-scheduler's sake");
}

}  // namespace

void add_scheduler(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("scheduler", "Run a second scheduler, for pods that name it");
  command->footer(
      "Examples:\n"
      "  # For pods with schedulerName: berth-scheduler\n  berth scheduler\n"
      "  # With profiles as kube-scheduler has them\n"
      "  berth scheduler --config scheduler-config.yaml\n\n"
      "Room that a PodReservation or an annotation of a node keeps for a pod which is being\n"
      "rebuilt is given to nobody else. What Berth cannot weigh yet is refused on the pod, by "
      "name.\n"
      "Health is served at /livez and /readyz, numbers at /metrics under kube-scheduler's names.");
  const auto flags = std::make_shared<SchedulerFlags>();
  flags->is_given = [command](const std::string& flag) {
    return command->get_option(flag)->count() > 0;
  };
  add_hub_flags(*command, flags->cluster);
  command->add_option("--scheduler-name", flags->scheduler_name,
                      "Whose pods: their spec.schedulerName; with --config, one of its profiles. "
                      "Default: berth-scheduler, or all profiles");
  command->add_option("--config", flags->config, "A file with a KubeSchedulerConfiguration");
  command->add_option("--kube-api-qps", flags->qps, "Requests a second; 0: no limit")
      ->capture_default_str();
  command->add_option("--kube-api-burst", flags->burst, "Requests at once; 0: twice the rate");
  add_election_flags(*command, flags->election);
  add_kube_scheduler_flags(*command, *flags);
  add_operations_flags(*command, flags->operations, "metrics");
  add_log_flags(*command, flags->log);
  command->callback([&action, flags] {
    action = [flags] {
      return run_lasting_program<SchedulerProgram>(
          flags->log, [&flags](env::Env& env) { return settings_of(*flags, env); });
    };
  });
}

}  // namespace berth::app
