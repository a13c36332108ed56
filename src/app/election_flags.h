// How one of several processes is chosen to act: the flags of commands that take turns.

#pragma once

#include <string>

#include "base/result.h"
#include "control/leader_election.h"

namespace CLI {
class App;
}

namespace berth::app {

struct ElectionFlags {
  bool is_on = true;
  std::string lease_duration = "15s";
  std::string renew_deadline = "10s";
  std::string retry_period = "2s";
  std::string lease_name = {};
  std::string lease_namespace = "kube-system";
};

// What the command's own words for it are.
struct ElectionHelp {
  std::string what = "Let only one of several processes act";  // Of --leader-elect.
  std::string lease_name = "The Lease's name";                 // Of --leader-elect-resource-name.
  std::string group = "OPTIONS";
};

void add_election_flags(CLI::App& command, ElectionFlags& flags, const ElectionHelp& help = {});

// As `identity`, who is unique per process. Errors name the flag.
Result<control::LeaderElectionOptions> election_options(const ElectionFlags& flags,
                                                        std::string identity);

}  // namespace berth::app
