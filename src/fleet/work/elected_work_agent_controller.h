// The agent of ManifestWorks as one of several of its cluster: only the one that holds a Lease on
// the cluster acts.
//
// Two that act at once are not safe however they write: one whose picture of the hub is old would
// take the other's fresh records for what is no longer wanted. Whoever comes to lead begins with a
// new picture.

#pragma once

#include <memory>
#include <optional>

#include "base/result.h"
#include "client/api_service.h"
#include "control/leading_service.h"
#include "env/env.h"
#include "fleet/work/work_agent_controller.h"

namespace berth::fleet {

class ElectedWorkAgent {
 public:
  // Without an election it acts all the time; a lease without a name gets the one for that hub.
  // Both Apis outlive the agent. Lives on their loop.
  ElectedWorkAgent(const env::Env& env, client::Api& hub, client::Api& cluster,
                   WorkAgentSettings settings,
                   std::optional<control::LeaderElectionOptions> election);

  void start();

  // Stops, and gives the lease back so that another one need not wait; `done` runs later.
  void release(env::Task done);

  // Ok while it acts, or while another one does. If not, what keeps it from that.
  Status readiness() const;

 private:
  std::shared_ptr<WorkAgent> begin(control::MayWrite may_write);

  env::Env env_;
  client::Api& hub_;
  client::Api& cluster_;
  WorkAgentSettings settings_;
  std::unique_ptr<control::LeadingService> leading_;  // Null: there is no election.
  std::shared_ptr<WorkAgent> alone_;                  // Then.
  std::weak_ptr<WorkAgent> acting_;                   // Either way.
};

}  // namespace berth::fleet
