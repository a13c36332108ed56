// FleetPicture: what somebody in front of a fleet wants to see: its clusters, the room in them, and
// where placements went.

#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "json/value.h"

namespace berth::local {

class FleetPicture {
 public:
  // Objects as the hub has them; null: gone. Keys are "NAMESPACE/NAME" or "NAME".
  void put_cluster(const std::string& key, const json::Value* cluster);
  void put_score(const std::string& key, const json::Value* score);
  void put_decision(const std::string& key, const json::Value* decision);

  // What changed since this was asked last, in words, the oldest first.
  std::vector<std::string> take_news();

  // All clusters, or so many of them that the text has no more lines than that.
  std::string table(std::size_t lines_max) const;

 private:
  struct Cluster {
    bool is_available = false;
    std::string cpu = {};
    std::string memory = {};
  };
  using Scores = std::map<std::string, std::int64_t>;  // By name.

  std::string row(const std::string& name, const Cluster& cluster) const;
  std::string score_text(const std::string& cluster) const;
  std::string chosen_by(const std::string& cluster) const;

  std::map<std::string, Cluster> clusters_;
  std::map<std::string, std::map<std::string, Scores>> scores_;  // By cluster and object.
  std::map<std::string, std::set<std::string>> decisions_;       // Clusters, by "NS/PLACEMENT".
  std::map<std::string, std::pair<std::string, std::set<std::string>>> parts_;  // By decision.
  std::vector<std::string> news_;
};

}  // namespace berth::local
