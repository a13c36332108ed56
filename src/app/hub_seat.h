// HubSeat: what one I/O thread of a hub has: API servers for the hub itself and for the logical
// clusters that it carries, and the HTTP server in front of them.

#pragma once

#include <map>
#include <memory>
#include <string>

#include "apiserver/api_service.h"
#include "apiserver/cluster_router_service.h"
#include "env/env.h"
#include "http/server_service.h"
#include "store/partitions_service.h"

namespace berth::app {

using Facts = std::shared_ptr<const apiserver::HubFacts>;

struct HubSeatSettings {
  Facts hub;
  std::map<std::string, Facts> clusters = {};  // By name.
  apiserver::ApiLimits limits = {};
  http::ServerOptions http = {};
};

// Lives on the loop of `env`.
class HubSeat {
 public:
  // The store outlives it.
  HubSeat(env::Env& env, store::Store& store, const HubSeatSettings& settings,
          apiserver::AuditSink audit);

  env::Env& env() { return env_; }
  apiserver::ApiServer& hub() { return hub_; }
  apiserver::ApiServer& cluster(const std::string& name) { return *clusters_.at(name); }

  // Where a listener puts streams.
  env::Seat seat() { return server_.seat(env_.network); }

  // Ends in good order; then `done`.
  void drain(env::Task done);

 private:
  env::Env& env_;
  std::unique_ptr<store::Partitions> partitions_;  // Null where there are no clusters.
  apiserver::ApiServer hub_;
  std::map<std::string, std::unique_ptr<apiserver::ApiServer>> clusters_;
  apiserver::ClusterRouter router_;
  http::Server server_;
};

}  // namespace berth::app
