// berth controllers: Berth's controllers on any Kubernetes hub.

#include <memory>
#include <set>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/command.h"
#include "app/controller_program.h"
#include "app/election_flags.h"
#include "app/flag_values.h"
#include "app/hub_flags.h"
#include "app/lasting_program.h"
#include "app/log_flags.h"
#include "app/operations_flags.h"
#include "app/placement_flags.h"
#include "base/strings.h"
#include "env/random.h"

namespace berth::app {
namespace {

struct ControllerFlags {
  HubFlags hub = {};
  std::vector<std::string> controllers = {"*"};
  double qps = 0;
  double burst = 0;
  double score_writes = 20;
  ElectionFlags election = {.lease_name = "berth-controllers"};
  std::string placements = "all";
  PlacementFlags placement = {};
  std::string reservation_ttl = "5m";
  std::string reservation_keep = "10m";
  bool takes_over = false;
  OperationsFlags operations = {};
  LogFlags log = {};
};

Result<placement::Options> engine_options(const ControllerFlags& flags) {
  ASSIGN_OR_RETURN(placement::Options options, placement_options(flags.placement));
  if (flags.placements == "handed-over") {
    options.responsibility = placement::Responsibility::HandedOver;
  }
  return options;
}

Result<nodes::RebuildOptions> reservation_options(const ControllerFlags& flags) {
  nodes::RebuildOptions options;
  ASSIGN_OR_RETURN(options.ttl, parse_length("--reservation-ttl", flags.reservation_ttl));
  ASSIGN_OR_RETURN(options.keep_closed, parse_length("--reservation-keep", flags.reservation_keep));
  if (options.ttl <= Duration::zero() || options.ttl > options.ttl_max) {
    return failure(
        Code::BadRequest,
        fmt::format("--reservation-ttl: {} is not above 0 and up to 1h, the longest that "
                    "room is kept",
                    flags.reservation_ttl));
  }
  if (options.keep_closed < Duration::zero()) {
    return failure(Code::BadRequest, "--reservation-keep: must not be below 0");
  }
  return options;
}

Result<ControllerSettings> settings_of(const ControllerFlags& flags, env::Env& env) {
  ControllerSettings settings;
  ASSIGN_OR_RETURN(settings.hub, load_hub_config(flags.hub, env));
  ASSIGN_OR_RETURN(settings.controllers, parse_controllers(flags.controllers));
  ASSIGN_OR_RETURN(settings.placement.engine, engine_options(flags));
  settings.registration.removes_everything = !flags.placement.ocm_exact;
  ASSIGN_OR_RETURN(settings.operations, operations_addresses(flags.operations));
  settings.rate = {.per_second = flags.qps, .burst = flags.burst > 0 ? flags.burst : 2 * flags.qps};
  settings.score_sources.writes = {.per_second = flags.score_writes,
                                   .burst = 2 * flags.score_writes};
  ASSIGN_OR_RETURN(settings.reservation, reservation_options(flags));
  settings.host = host_name();
  settings.takes_over = flags.takes_over;
  if (flags.placement.ocm_exact) settings.add_ons = fleet::ocm_exact_add_ons();
  if (flags.election.is_on) {
    ASSIGN_OR_RETURN(
        settings.election,
        election_options(flags.election, settings.host + "_" + env::new_uuid(env.entropy)));
  }
  return settings;
}

void add_reservation_flags(CLI::App& command, ControllerFlags& flags) {
  command
      .add_option("--reservation-ttl", flags.reservation_ttl,
                  "How long the room of a pod being rebuilt is kept, unless the pod says so")
      ->capture_default_str();
  command
      .add_option("--reservation-keep", flags.reservation_keep,
                  "How long a PodReservation that has ended stays to be looked at")
      ->capture_default_str();
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
                   "Which: " + controller_names() + ", or * for all")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--kube-api-qps", flags->qps, "Requests a second to the hub; 0: no limit")
      ->capture_default_str();
  command->add_option("--kube-api-burst", flags->burst, "Requests at once; 0: twice the rate");
  command
      ->add_option("--score-writes", flags->score_writes,
                   "Scores that all ScoreSources together write in a second; 0: no limit")
      ->capture_default_str();
  add_election_flags(*command, flags->election);
  command
      ->add_option("--placements", flags->placements,
                   "all, or handed-over: only those annotated experimental-scheduling-disable")
      ->check(CLI::IsMember({"all", "handed-over"}))
      ->capture_default_str();
  add_placement_flags(*command, flags->placement);
  add_reservation_flags(*command, *flags);
  command->add_flag("--take-over", flags->takes_over,
                    "Start even if OCM's controllers are at work on this hub");
  add_operations_flags(*command, flags->operations, "metrics and the debug endpoint");
  add_log_flags(*command, flags->log);
  command->callback([&action, flags] {
    action = [flags] {
      return run_lasting_program<ControllerProgram>(
          flags->log, [&flags](env::Env& env) { return settings_of(*flags, env); });
    };
  });
}

}  // namespace berth::app
