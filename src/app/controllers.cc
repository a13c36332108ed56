// berth controllers: Berth's controllers on any Kubernetes hub.

#include <cstdio>
#include <future>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "app/command.h"
#include "app/controller_program.h"
#include "app/hub_flags.h"
#include "base/strings.h"
#include "env/random.h"
#include "runtime/signals.h"
#include "runtime/system.h"

namespace berth::app {
namespace {

const std::vector<std::string> kControllers = {"clustersets", "placement"};

struct ControllerFlags {
  HubFlags hub = {};
  std::vector<std::string> controllers = {"*"};
  double qps = 0;
  double burst = 0;
  bool leader_elect = true;
  std::string lease_duration = "15s";
  std::string renew_deadline = "10s";
  std::string retry_period = "2s";
  std::string lease_name = "berth-controllers";
  std::string lease_namespace = "kube-system";
  std::string placements = "all";
  std::string missing_scores = {};
  std::vector<std::string> gates = {};
  bool ocm_exact = false;
  bool takes_over = false;
  std::string health = "127.0.0.1:8081";
  std::string metrics = "127.0.0.1:8080";
  std::string log_format = "text";
  int verbosity = 2;
};

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

// "0" is none; "host:port", ":port" and "[::1]:port" are addresses.
Result<std::optional<env::Address>> parse_bind_address(std::string_view flag,
                                                       const std::string& text) {
  if (text == "0") return std::nullopt;
  const std::size_t colon = text.rfind(':');
  const auto port = colon == std::string::npos ? std::nullopt : parse_int64(text.substr(colon + 1));
  if (!port || *port < 0 || *port > 65535) {
    return failure(
        Code::BadRequest,
        fmt::format("{}: \"{}\" is no address; say HOST:PORT, or 0 for none", flag, text));
  }
  std::string host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return env::Address{.host = host, .port = static_cast<std::uint16_t>(*port)};
}

Result<std::set<std::string>> parse_controllers(const std::vector<std::string>& names) {
  std::set<std::string> chosen;
  for (const std::string& name : names) {
    if (name == "*") {
      chosen.insert(kControllers.begin(), kControllers.end());
    } else if (std::ranges::find(kControllers, name) != kControllers.end()) {
      chosen.insert(name);
    } else {
      return failure(Code::BadRequest,
                     fmt::format("--controllers: there is no \"{}\"; there are {}", name,
                                 join(kControllers, ", ")));
    }
  }
  return chosen;
}

Status set_gate(placement::Options& options, const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  const std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
  if (value != "true" && value != "false") {
    return failure(Code::BadRequest, fmt::format("--feature-gates: \"{}\" is not NAME=true or "
                                                 "NAME=false",
                                                 text));
  }
  const std::pair<std::string_view, bool placement::Options::*> gates[] = {
      {"DecisionScore", &placement::Options::decision_score},
      {"PreferNoSelect", &placement::Options::prefer_no_select},
      {"SortBy", &placement::Options::sort_by},
      {"SpreadPolicy", &placement::Options::spread_policy}};
  for (const auto& [known, member] : gates) {
    if (name != known) continue;
    options.*member = value == "true";
    return {};
  }
  return failure(Code::BadRequest,
                 fmt::format("--feature-gates: there is no \"{}\"; there are DecisionScore, "
                             "PreferNoSelect, SortBy, SpreadPolicy",
                             name));
}

Result<placement::Options> engine_options(const ControllerFlags& flags) {
  placement::Options options = flags.ocm_exact ? placement::ocm_exact() : placement::Options();
  if (flags.placements == "handed-over") {
    options.responsibility = placement::Responsibility::HandedOver;
  }
  if (!flags.missing_scores.empty()) {
    options.missing_scores = *placement::missing_scores_of_name(flags.missing_scores);
  }
  for (const std::string& gate : flags.gates) RETURN_IF_ERROR(set_gate(options, gate));
  return options;
}

Result<control::LeaderElectionOptions> election_options(const ControllerFlags& flags,
                                                        std::string identity) {
  control::LeaderElectionOptions options{.identity = std::move(identity),
                                         .lease_name = flags.lease_name,
                                         .lease_namespace = flags.lease_namespace};
  ASSIGN_OR_RETURN(options.lease_duration,
                   parse_length("--leader-elect-lease-duration", flags.lease_duration));
  ASSIGN_OR_RETURN(options.renew_deadline,
                   parse_length("--leader-elect-renew-deadline", flags.renew_deadline));
  ASSIGN_OR_RETURN(options.retry_period,
                   parse_length("--leader-elect-retry-period", flags.retry_period));
  RETURN_IF_ERROR(control::check_leader_election_options(options));
  return options;
}

Result<ControllerSettings> settings_of(const ControllerFlags& flags, env::Env& env) {
  ControllerSettings settings;
  ASSIGN_OR_RETURN(settings.hub, load_hub_config(flags.hub, env));
  ASSIGN_OR_RETURN(settings.controllers, parse_controllers(flags.controllers));
  ASSIGN_OR_RETURN(settings.placement.engine, engine_options(flags));
  ASSIGN_OR_RETURN(settings.health,
                   parse_bind_address("--health-probe-bind-address", flags.health));
  ASSIGN_OR_RETURN(settings.metrics, parse_bind_address("--metrics-bind-address", flags.metrics));
  settings.rate = {.per_second = flags.qps, .burst = flags.burst > 0 ? flags.burst : 2 * flags.qps};
  settings.host = host_name();
  settings.takes_over = flags.takes_over;
  if (flags.leader_elect) {
    ASSIGN_OR_RETURN(settings.election,
                     election_options(flags, settings.host + "_" + env::new_uuid(env.entropy)));
  }
  return settings;
}

int complain(const Error& error) {
  std::fputs(fmt::format("error: {}\n", error.message).c_str(), stderr);
  return 1;
}

int run_controllers(const ControllerFlags& flags) {
  runtime::Signals signals;
  const bool is_json = flags.log_format == "json";
  runtime::System system(
      {.loops = 1,
       .workers = 1,
       .log = {.level = flags.verbosity >= 4 ? env::Level::Debug : env::Level::Info,
               .format = is_json ? runtime::LogFormat::Json : runtime::LogFormat::Text}});
  env::Env& env = system.env(0);
  auto settings = settings_of(flags, env);
  if (!settings.ok()) return complain(settings.error());

  std::promise<Status> ended;
  std::unique_ptr<ControllerProgram> program;
  runtime::run_on(env.loop, [&] {
    program = std::make_unique<ControllerProgram>(
        env, *std::move(settings), [&ended](const Status& status) { ended.set_value(status); });
    program->start();
  });
  signals.handle(env.loop, {.drain = [&program] { program->stop(); }, .reload = [] {}});
  const Status status = ended.get_future().get();
  runtime::run_on(env.loop, [&] { program.reset(); });
  return status.ok() ? 0 : complain(status.error());
}

void add_election_flags(CLI::App& command, ControllerFlags& flags) {
  command.add_flag("--leader-elect", flags.leader_elect, "Let only one of several processes act")
      ->capture_default_str();
  command
      .add_option("--leader-elect-lease-duration", flags.lease_duration,
                  "How long a leader is believed without news")
      ->capture_default_str();
  command
      .add_option("--leader-elect-renew-deadline", flags.renew_deadline,
                  "How long a leader tries to renew before it gives up")
      ->capture_default_str();
  command
      .add_option("--leader-elect-retry-period", flags.retry_period,
                  "How long to wait between tries")
      ->capture_default_str();
  command.add_option("--leader-elect-resource-name", flags.lease_name, "The Lease's name")
      ->capture_default_str();
  command
      .add_option("--leader-elect-resource-namespace", flags.lease_namespace,
                  "The Lease's namespace")
      ->capture_default_str();
}

void add_placement_flags(CLI::App& command, ControllerFlags& flags) {
  command
      .add_option("--placements", flags.placements,
                  "all, or handed-over: only those annotated experimental-scheduling-disable")
      ->check(CLI::IsMember({"all", "handed-over"}))
      ->capture_default_str();
  command
      .add_option("--missing-scores", flags.missing_scores,
                  "What a missing or expired score counts as: Neutral, Exclude or Worst. "
                  "Default: 0, and the worst under a negative weight")
      ->check(CLI::IsMember({"Neutral", "Exclude", "Worst"}));
  command
      .add_option("--feature-gates", flags.gates,
                  "DecisionScore, PreferNoSelect, SortBy, SpreadPolicy, each =true or =false")
      ->delimiter(',');
  command.add_flag("--ocm-exact", flags.ocm_exact, "Decide as OCM does, without what Berth adds");
}

}  // namespace

void add_controllers(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("controllers", "Run Berth's controllers on any Kubernetes hub");
  command->footer(
      "Examples:\n"
      "  # Everything that fits the hub of the current context\n  berth controllers\n"
      "  # Beside OCM, only for Placements that it was told to leave alone\n"
      "  berth controllers --controllers placement --placements=handed-over\n"
      "  # Exactly as OCM decides, without what Berth adds\n"
      "  berth controllers --ocm-exact\n\n"
      "Health is served at /livez and /readyz, numbers at /metrics, and how a Placement would be\n"
      "decided at /debug/placements/NAMESPACE/NAME of the metrics address.");
  const auto flags = std::make_shared<ControllerFlags>();
  add_hub_flags(*command, flags->hub);
  command
      ->add_option("--controllers", flags->controllers,
                   "Which: clustersets, placement, or * for all")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--kube-api-qps", flags->qps, "Requests a second to the hub; 0: no limit")
      ->capture_default_str();
  command->add_option("--kube-api-burst", flags->burst, "Requests at once; 0: twice the rate");
  add_election_flags(*command, *flags);
  add_placement_flags(*command, *flags);
  command->add_flag("--take-over", flags->takes_over,
                    "Start even if OCM's controllers are at work on this hub");
  command
      ->add_option("--health-probe-bind-address", flags->health,
                   "Where to serve health; 0: nowhere")
      ->capture_default_str();
  command
      ->add_option("--metrics-bind-address", flags->metrics,
                   "Where to serve metrics and the debug endpoint; 0: nowhere")
      ->capture_default_str();
  command->add_option("--logging-format", flags->log_format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->add_option("-v,--v", flags->verbosity, "How much to log: 2 is usual, 4 is everything")
      ->capture_default_str();
  command->callback([&action, flags] { action = [flags] { return run_controllers(*flags); }; });
}

}  // namespace berth::app
