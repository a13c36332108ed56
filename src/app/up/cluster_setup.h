// ClusterSetup: what is in a logical cluster of a local fleet before anybody lives there: nodes, a
// workload, and the way to the hub.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/bootstrap_access.h"
#include "base/result.h"
#include "client/api_service.h"
#include "env/scope.h"

namespace berth::app {

struct ClusterSetupSettings {
  int nodes = 0;
  client::Kubeconfig bootstrap;  // Of the hub.
};

// Everything at once, as far as it does not build upon each other.
class ClusterSetup {
 public:
  // Nodes and workloads that were there before stay: somebody may have changed them. `done` runs
  // once, from inside an answer. The Api outlives the setup.
  ClusterSetup(client::Api& api, ClusterSetupSettings settings,
               std::function<void(const Status&)> done);

 private:
  void make_nodes();
  void write_status(const json::Value& node);
  void write_bootstrap(std::vector<BootstrapWrite> writes);
  client::Done part(std::function<void()> then = nullptr);

  client::Api& api_;
  ClusterSetupSettings settings_;
  std::function<void(const Status&)> done_;
  std::size_t open_ = 0;  // Requests that are not answered.
  Status outcome_;        // Of those that are.
  env::Scope scope_;
};

}  // namespace berth::app
