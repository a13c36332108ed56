// Tested by suites/delivering_test.cc.
#include "fleet/work/elected_work_agent_controller.h"

#include <utility>

#include "fleet/work/names.h"

namespace berth::fleet {

ElectedWorkAgent::ElectedWorkAgent(const env::Env& env, client::Api& hub, client::Api& cluster,
                                   WorkAgentSettings settings,
                                   std::optional<control::LeaderElectionOptions> election)
    : env_(env), hub_(hub), cluster_(cluster), settings_(std::move(settings)) {
  if (!election) return;
  if (election->lease_name.empty()) {
    election->lease_name = work_lease_name(hash_of_hub(hub.config()));
  }
  leading_ = std::make_unique<control::LeadingService>(
      env, cluster, *std::move(election),
      [this](control::MayWrite may_write) { return begin(std::move(may_write)); }, nullptr);
}

void ElectedWorkAgent::start() {
  if (leading_) return leading_->start();
  alone_ = begin(settings_.may_write);
}

std::shared_ptr<WorkAgent> ElectedWorkAgent::begin(control::MayWrite may_write) {
  WorkAgentSettings settings = settings_;
  settings.may_write = std::move(may_write);
  auto agent = std::make_shared<WorkAgent>(env_, hub_, cluster_, settings);
  acting_ = agent;
  agent->start();
  return agent;
}

void ElectedWorkAgent::release(env::Task done) {
  if (leading_) return leading_->release(std::move(done));
  alone_.reset();
  env_.loop.post(std::move(done));
}

Status ElectedWorkAgent::readiness() const {
  if (const auto agent = acting_.lock()) {
    if (agent->has_synced()) return {};
    return failure(Code::ServiceUnavailable, "the works of the hub are not known yet");
  }
  if (!leading_) return failure(Code::ServiceUnavailable, "not started");
  const control::ElectorService& elector = leading_->elector();
  if (!elector.trouble().empty()) {
    return failure(Code::ServiceUnavailable, "no lease: " + elector.trouble());
  }
  if (!elector.holder().empty()) return {};  // A stand-by is ready.
  return failure(Code::ServiceUnavailable, "waits for the lease");
}

}  // namespace berth::fleet
