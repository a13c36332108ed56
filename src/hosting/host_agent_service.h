// The agent on a hosting cluster: it counts hosted clusters, nodes and pods exactly, writes down in
// the host's ledger on the hub what there is, and makes the claims of HyperShift's add-on.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "client/api_service.h"
#include "client/follower_service.h"
#include "control/followed_room_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "hosting/host.h"
#include "hosting/host_usage.h"
#include "hosting/hosting_ledger.h"

namespace berth::hosting {

struct HostAgentOptions {
  std::string cluster;         // Its name on the hub, and so its namespace there.
  Thresholds thresholds = {};  // What the claims turn at.
  Duration refresh = std::chrono::seconds(30);
  Duration change_interval = std::chrono::seconds(2);  // Between writes of changes.
  Duration validity = std::chrono::seconds(90);        // Of what is written.

  // How old the proof may be that all changes were heard, before nothing is vouched for any more.
  Duration silence_max = std::chrono::seconds(120);
};

class HostAgent {
 public:
  struct Hooks {
    // What time it is on the hub, where it is judged how long a report holds; nothing: not known
    // yet.
    std::function<std::optional<Time>()> hub_time;
    env::Task changed;  // What count() says may have changed.
  };

  // Starts at once. Both Apis outlive the agent.
  HostAgent(const env::Env& env, client::Api& cluster, client::Api& hub, HostAgentOptions options,
            Hooks hooks);

  // How many hosted clusters there are; nothing while that is not sure.
  std::optional<std::int64_t> count() const;

  // Ok while what is in the ledger holds; if not, what keeps it from that.
  Status readiness() const;

 private:
  client::FollowerListener listen_to_hosted_clusters();
  void on_changed();
  bool is_sure() const;

  void write_soon(Duration delay);
  void write();
  void write_ledger(Time now);
  void on_ledger(const Status& status);
  void write_claims();
  void write_claim(const std::vector<json::Value>& claims);
  void on_claim(std::vector<json::Value> claims, const Result<json::Value>& answer);
  void finish(const Status& status);
  ExactObservation observation(Time now) const;

  env::Env env_;
  client::Api& cluster_api_;
  client::Api& hub_;
  HostAgentOptions options_;
  Hooks hooks_;
  std::map<api::ObjectKey, ObservedItem> items_;
  HostUsage usage_;
  client::Follower hosted_clusters_;
  control::FollowedRoom<HostUsage> room_;

  bool busy_ = false;
  bool is_due_ = false;  // Something changed since the write that is under way began.
  std::optional<std::int64_t> claimed_ = std::nullopt;  // The number that the claims were made of.
  Instant claims_due_ = Instant::min();
  Instant live_until_ = Instant::min();
  std::string trouble_ = "the hosted clusters have not been read yet";
  Instant next_write_ = Instant::min();
  env::Timer timer_ = {};
  env::Scope scope_;
};

}  // namespace berth::hosting
