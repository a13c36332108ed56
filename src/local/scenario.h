// A scenario: what happens to a fleet over time, and what its placements are expected to make of
// it. One YAML file:
//
//   about: A noisy neighbour takes the room of cluster1.
//   leaseDuration: 2s      # How often agents say that they live; five missed are an outage.
//   scoreRefresh: 5s       # How often scores are renewed; they hold for three times that.
//   clusters:
//   - {name: cluster1, nodes: 2, labels: {region: north}}
//   - {name: cluster2, nodes: 1}
//   placements:
//   - name: web            # In the namespace default, which the set default is bound to.
//     spec: {numberOfClusters: 1}
//   timeline:
//   - {at: 0s, expect: {web: [cluster1]}, within: 30s}
//   - {at: 10s, load: {cluster1: 90%}, over: 5s}
//   - {at: 20s, outage: [cluster1]}      # Nothing of the cluster answers any more.
//   - {at: 25s, silence: [cluster2]}     # Its score agent hangs; all else goes on.
//   - {at: 40s, recovery: [cluster1, cluster2]}
//   - {at: 50s, join: [{name: cluster3}]}
//
// What a file means at a moment, and whether what it expects came true, is in scenario_play.h.

#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "json/value.h"

namespace berth::local {

struct ScenarioCluster {
  std::string name;
  int nodes = 5;
  std::map<std::string, std::string> labels = {};  // Of its ManagedCluster.
};

struct ScenarioStep {
  enum class Kind : std::uint8_t { Load, Outage, Silence, Recovery, Join, Expect };

  Kind kind;
  Duration at;
  int line = 0;                            // In the file; 0 where it cannot be told.
  std::vector<std::string> clusters = {};  // Outage, Silence, Recovery, Join.
  std::map<std::string, int> loads = {};   // Load: percent of the room, by cluster.
  Duration over = Duration::zero();        // Load: how long it takes to get there.
  std::map<std::string, std::set<std::string>> decisions = {};  // Expect: clusters, by placement.
  Duration within = Duration::zero();                           // Expect: after `at`.
};

struct Scenario {
  std::string about = {};
  Duration lease_duration = std::chrono::seconds(60);
  Duration score_refresh = std::chrono::seconds(60);
  std::vector<ScenarioCluster> clusters = {};  // Those that join later, too.
  std::set<std::string> first_clusters = {};   // That are there when it begins.
  std::vector<json::Value> placements = {};    // Whole objects.
  std::vector<ScenarioStep> timeline = {};     // In order of time.

  Duration score_validity() const { return 3 * score_refresh; }
  Duration score_change_interval() const { return score_refresh / 6; }
};

// What an administrator changes in the ManagedCluster of such a cluster, to let it in.
json::Value acceptance(const Scenario& scenario, const ScenarioCluster& cluster);

// Errors begin with the line, or with the path where a file is written so that there is none:
// "line 14: there is no cluster \"cluster9\"".
Result<Scenario> read_scenario(std::string_view text);

}  // namespace berth::local
