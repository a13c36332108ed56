// LocalCluster: everything that lives in one logical cluster of a local fleet: who keeps it in
// order, who runs its pods, its agent, and somebody who uses it.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/agent_program.h"
#include "app/kubelet_program.h"
#include "app/up/cluster_setup.h"
#include "app/up/inner_processes.h"
#include "client/api_service.h"
#include "env/env.h"
#include "local/example_load_controller.h"
#include "store/store_service.h"
#include "upkeep/store_feed_service.h"
#include "upkeep/upkeep_service.h"

namespace berth::app {

struct LocalClusterSettings {
  std::string name;
  client::ClientConfig config;  // With all rights in it.
  AgentSettings agent;
  std::string authority_pem;  // What clients of the cluster trust.
  std::string image;          // Of the add-on, without its tag: its pods run in here.
  std::string folder;         // For the files of pods.
  std::vector<std::string> agent_arguments = {};  // More than those of the add-on's own pods.
  std::optional<local::ExampleLoad> load = std::nullopt;     // Absent: somebody else uses it.
  std::optional<ClusterSetupSettings> setup = std::nullopt;  // Absent: it was set up before.
};

// Lives on the loop of `env`, and works until it dies.
class LocalCluster {
 public:
  // `ready` runs once, later: it is set up and its agent begins, or why not. The store is the
  // cluster's own, on this loop, and outlives it.
  LocalCluster(const env::Env& env, store::Store& store, LocalClusterSettings settings,
               std::function<void(const Status&)> ready);

  // Whether its add-ons hang.
  void set_silent(bool silent) { processes_.set_hanging(silent); }

  local::ClusterUse use() const { return kubelet_.use(); }

 private:
  void begin(const Status& set_up);

  InnerProcesses processes_;
  env::Env env_;  // With those processes.
  std::function<void(const Status&)> ready_;
  std::optional<local::ExampleLoad> load_settings_;
  client::Api api_;  // Carries the requests of all here but the agent, who has another identity.
  upkeep::StoreFeed feed_;
  upkeep::Upkeep upkeep_;
  KubeletProgram kubelet_;
  AgentProgram agent_;
  std::optional<local::ExampleLoadController> load_;
  std::optional<ClusterSetup> setup_;
  env::Scope scope_;
};

}  // namespace berth::app
