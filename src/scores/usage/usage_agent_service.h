// The agent that publishes the room in its cluster: it reads one cluster and writes one object on
// the hub, and shows on both sides that it is well.

#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "client/api_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "scores/publisher_service.h"
#include "scores/usage/add_on_lease_service.h"
#include "scores/usage/cluster_usage_service.h"
#include "scores/usage/demand_service.h"
#include "scores/usage/usage_options.h"

namespace berth::scores {

enum class Creation : std::uint8_t {
  Always,
  OnDemand,  // The object is made when a Placement refers to it.
};

struct UsageAgentOptions {
  std::string cluster;  // Its name on the hub, and so its namespace there.
  std::string score_object = "resource-usage-score";
  UsageOptions usage = {};
  PublishTimes times = {};
  Creation creation = Creation::Always;

  // How old the proof may be that all changes of the cluster were heard, before its scores are not
  // vouched for any more. On a quiet watch a bookmark comes every 60 to 75 seconds.
  Duration silence_max = std::chrono::seconds(120);

  // The ManagedClusterAddOn that owns the object, if it exists, and the Lease beside the agent.
  std::string add_on = "resource-usage-collect";
  std::string add_on_namespace = "open-cluster-management-agent-addon";
  std::string holder = {};  // Names this process in the Lease.
};

class UsageAgent {
 public:
  // Starts at once. Both Apis outlive the agent.
  UsageAgent(const env::Env& env, client::Api& cluster, client::Api& hub,
             UsageAgentOptions options);

  // Ok while the scores on the hub hold; if not, what keeps them from that.
  Status readiness() const;

  const Publisher& publisher() const { return *publisher_; }
  const ClusterUsage& usage() const { return usage_; }

 private:
  void find_owner();
  void on_owner(const Result<json::Value>& add_on);
  bool waits_for_demand() const { return demand_ && !demand_->exists(); }

  env::Env env_;
  client::Api& hub_;
  UsageAgentOptions options_;
  std::unique_ptr<Publisher> publisher_;  // Null only while this is being made.
  ClusterUsage usage_;
  std::unique_ptr<Demand> demand_;  // Null: the object is always made.
  AddOnLease lease_;
  env::Timer owner_timer_ = {};
  env::Scope scope_;
};

}  // namespace berth::scores
