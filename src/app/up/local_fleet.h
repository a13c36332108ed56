// LocalFleet: logical clusters of one hub that join it as all clusters do, with the score add-on on
// each and a first placement by its scores.

#pragma once

#include <functional>
#include <future>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/calls.h"
#include "app/hub_program.h"
#include "app/shipped_image.h"
#include "app/up/local_cluster.h"
#include "base/result.h"
#include "env/env.h"
#include "local/scenario.h"
#include "store/partitions_service.h"

namespace berth::app {

struct FleetCluster {
  std::string name;
  int nodes = 5;
  bool joins_later = false;
};

struct LocalFleetSettings {
  std::vector<FleetCluster> clusters;
  bool binds = true;      // Whether the default set is bound to the namespace default.
  std::string directory;  // For kubeconfigs and the files of pods.
  std::string image = shipped_image().name;
  std::vector<std::string> agent_options = {};  // NAME=VALUE, in place of those that are shipped.
  std::string probe_allow = {};                 // What generators may measure besides.
  std::map<std::string, Duration> delays = {};  // Simulated, of what they measure, by cluster.
  const local::Scenario* scenario = nullptr;  // Its pace, labels and placements; no load by itself.
};

// Used on the main thread.
class LocalFleet {
 public:
  // The clusters live on the loop of `env`. Both outlive the fleet; the hub carries the clusters.
  LocalFleet(env::Env& env, HubProgram& hub, LocalFleetSettings settings);
  ~LocalFleet();

  using Progress = std::function<void(std::string_view what, std::size_t done, std::size_t all)>;

  // All clusters are available, but for those that join later, and the placement is there, when it
  // returns. What was made by an earlier start is left as it is.
  Status start(const Progress& progress);

  // Each is done if it is not done yet; clusters are those of the settings.
  Status set_there(const std::string& cluster, bool is_there);  // Else nothing in it runs.
  void set_silent(const std::string& cluster, bool silent);     // Whether its add-ons hang.
  Status set_load(const std::string& cluster, int percent);     // Of its room.
  Status let_in_newcomers();

  // To be called on the loop.
  local::ClusterUse use_of(const std::string& cluster) const;

  Calls& hub() { return *calls_; }

  // One file with a context for the hub and each cluster.
  std::string kubeconfig_path() const { return settings_.directory + "/kubeconfig"; }

 private:
  Status write_kubeconfigs();
  Status check_agent_options();
  Status prepare_hub();
  Status make_placements();
  Result<std::unique_ptr<Calls>> calls_to(const std::string& cluster);
  Status start_clusters(const Progress& progress);
  Result<std::future<Status>> begin(const FleetCluster& cluster);
  Result<LocalClusterSettings> cluster_settings(const FleetCluster& cluster);
  std::vector<std::string> agent_arguments(const std::string& cluster) const;
  const FleetCluster& find(const std::string& cluster) const;
  Status let_in(const Progress& progress);
  Status approve_requests();
  Result<std::size_t> accept_clusters();
  json::Value acceptance_of(const std::string& cluster) const;
  std::string kubeconfig_of_cluster(const std::string& name) const;

  env::Env& env_;
  HubProgram& hub_;
  LocalFleetSettings settings_;
  std::unique_ptr<Calls> calls_;  // To the hub.
  client::Kubeconfig bootstrap_;
  std::set<std::string> prepared_;             // Those that were begun once.
  std::map<std::string, std::int64_t> loads_;  // In pods, as they were told last.
  // On the loop.
  std::unique_ptr<store::Partitions> stores_;
  std::map<std::string, std::unique_ptr<LocalCluster>> clusters_;
};

inline constexpr const char* kFirstPlacement = "most-room";

}  // namespace berth::app
