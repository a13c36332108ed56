// FleetPicture: what somebody in front of a fleet wants to see: its clusters, the room in them, and
// where placements went.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "json/value.h"
#include "local/cluster_use.h"

namespace berth::local {

// What just happened.
struct FleetNews {
  // A placement left some clusters and went to others.
  struct Move {
    std::string placement;  // "NAMESPACE/NAME".
    std::set<std::string> from = {};
    std::set<std::string> to = {};
  };

  std::string text;
  std::optional<Move> move = std::nullopt;
};

class FleetPicture {
 public:
  // Objects as the hub has them; null: gone. Keys are "NAMESPACE/NAME" or "NAME".
  void put_cluster(const std::string& key, const json::Value* cluster);
  void put_score(const std::string& key, const json::Value* score);
  void put_decision(const std::string& key, const json::Value* decision);

  // What changed since this was asked last, the oldest first.
  std::vector<FleetNews> take_news();

  // Of a cluster.
  using UseOf = std::function<ClusterUse(const std::string& cluster)>;

  // All clusters, or so many of them that the text has no more lines than that.
  std::string table(std::size_t lines_max, const UseOf& use_of) const;

 private:
  struct Cluster {
    bool is_available = false;
    std::string cpu = {};
    std::string memory = {};
  };
  using Scores = std::map<std::string, std::int64_t>;  // By name.

  std::string row(const std::string& name, const Cluster& cluster, const ClusterUse& use) const;
  std::string score_text(const std::string& cluster) const;
  std::string chosen_by(const std::string& cluster) const;

  std::map<std::string, Cluster> clusters_;
  std::map<std::string, std::map<std::string, Scores>> scores_;  // By cluster and object.
  std::map<std::string, std::set<std::string>> decisions_;       // Clusters, by "NS/PLACEMENT".
  std::map<std::string, std::pair<std::string, std::set<std::string>>> parts_;  // By decision.
  std::vector<FleetNews> news_;
};

}  // namespace berth::local
