#include "app/election_flags.h"

#include <utility>

#include <CLI/CLI.hpp>

#include "app/hub_flags.h"

namespace berth::app {

void add_election_flags(CLI::App& command, ElectionFlags& flags, const ElectionHelp& help) {
  const auto add = [&](const char* name, std::string& into, const std::string& text) {
    command.add_option(name, into, text)->capture_default_str()->group(help.group);
  };
  command.add_flag("--leader-elect", flags.is_on, help.what)
      ->capture_default_str()
      ->group(help.group);
  add("--leader-elect-lease-duration", flags.lease_duration,
      "How long a leader is believed without news");
  add("--leader-elect-renew-deadline", flags.renew_deadline,
      "How long a leader tries to renew before it gives up");
  add("--leader-elect-retry-period", flags.retry_period, "How long to wait between tries");
  add("--leader-elect-resource-name", flags.lease_name, help.lease_name);
  add("--leader-elect-resource-namespace", flags.lease_namespace, "The Lease's namespace");
}

Result<control::LeaderElectionOptions> election_options(const ElectionFlags& flags,
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

}  // namespace berth::app
