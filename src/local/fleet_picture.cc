#include "local/fleet_picture.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"

namespace berth::local {
namespace {

using json::Value;

constexpr const char* kRow = "{:<12} {:<9} {:<22} {:<24} {:<31} {}\n";
constexpr int kBarLength = 10;
constexpr std::string_view kAvailable = "ManagedClusterConditionAvailable";
constexpr std::string_view kPlacementLabel = "cluster.open-cluster-management.io/placement";

std::string names_of(const std::set<std::string>& clusters) {
  return clusters.empty() ? "nowhere" : fmt::format("{}", fmt::join(clusters, ", "));
}

// "####...... 40% of 80Gi"
std::string bar(double part, const std::string& all) {
  const int filled = std::clamp(static_cast<int>(std::lround(part * kBarLength)), 0, kBarLength);
  return fmt::format("{:#<{}}{:.<{}} {:.0f}% of {}", "", filled, "", kBarLength - filled,
                     part * 100, all);
}

std::set<std::string> clusters_of(const Value& decision) {
  std::set<std::string> clusters;
  for (const Value& one : api::elements_field(api::field(decision, "status"), "decisions")) {
    clusters.insert(api::text_field(one, "clusterName"));
  }
  return clusters;
}

}  // namespace

void FleetPicture::put_cluster(const std::string& key, const Value* cluster) {
  if (!cluster) {
    if (clusters_.erase(key) > 0) news_.push_back({.text = key + " is gone"});
    return;
  }
  const auto known = clusters_.find(key);
  const bool was_available = known != clusters_.end() && known->second.is_available;
  const Value& room = api::field(api::field(*cluster, "status"), "allocatable");
  Cluster now{.is_available = api::is_condition_true(*cluster, kAvailable),
              .cpu = api::text_field(room, "cpu"),
              .memory = api::text_field(room, "memory")};
  if (now.is_available != was_available) {
    news_.push_back(
        {.text = fmt::format("{} is {}", key, now.is_available ? "available" : "not available")});
  }
  clusters_[key] = std::move(now);
}

void FleetPicture::put_score(const std::string& key, const Value* score) {
  const std::size_t slash = key.find('/');
  const std::string cluster = key.substr(0, slash);
  const std::string object = key.substr(slash + 1);
  if (!score) {
    scores_[cluster].erase(object);
    return;
  }
  Scores& scores = scores_[cluster][object];
  scores.clear();
  for (const Value& one : api::elements_field(api::field(*score, "status"), "scores")) {
    scores[api::text_field(one, "name")] = api::field(one, "value").as_int().value_or(0);
  }
}

// A placement's clusters may be in several decisions.
void FleetPicture::put_decision(const std::string& key, const Value* decision) {
  const auto before = parts_.find(key);
  if (!decision && before == parts_.end()) return;
  std::string placement = before == parts_.end() ? "" : before->second.first;
  if (decision) {
    const Value& labels = api::field(api::field(*decision, "metadata"), "labels");
    placement = key.substr(0, key.find('/') + 1) + api::text_field(labels, kPlacementLabel);
    parts_[key] = {placement, clusters_of(*decision)};
  } else {
    parts_.erase(before);
  }
  std::set<std::string> now;
  bool is_there = false;
  for (const auto& [name, part] : parts_) {
    if (part.first != placement) continue;
    is_there = true;
    now.insert(part.second.begin(), part.second.end());
  }
  const std::set<std::string> old = decisions_[placement];
  if (now != old) {
    news_.push_back({.text = fmt::format("{}: {} -> {}", placement, names_of(old), names_of(now)),
                     .move = FleetNews::Move{.placement = placement, .from = old, .to = now}});
  }
  if (is_there) {
    decisions_[placement] = std::move(now);
  } else {
    decisions_.erase(placement);
  }
}

std::vector<FleetNews> FleetPicture::take_news() { return std::exchange(news_, {}); }

std::string FleetPicture::score_text(const std::string& cluster) const {
  const auto found = scores_.find(cluster);
  if (found == scores_.end()) return "";
  std::vector<std::string> words;
  for (const auto& [object, scores] : found->second) {
    for (const auto& [name, value] : scores) words.push_back(fmt::format("{} {}", name, value));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string FleetPicture::chosen_by(const std::string& cluster) const {
  std::vector<std::string> placements;
  for (const auto& [placement, clusters] : decisions_) {
    if (clusters.contains(cluster)) placements.push_back(placement);
  }
  return fmt::format("{}", fmt::join(placements, ", "));
}

std::string FleetPicture::row(const std::string& name, const Cluster& cluster,
                              const ClusterUse& use) const {
  return fmt::format(kRow, name, cluster.is_available ? "yes" : "no",
                     bar(use.part("cpu"), cluster.cpu), bar(use.part("memory"), cluster.memory),
                     score_text(name), chosen_by(name));
}

std::string FleetPicture::table(std::size_t lines_max, const UseOf& use_of) const {
  std::string text =
      fmt::format(kRow, "CLUSTER", "AVAILABLE", "CPU", "MEMORY", "SCORES", "CHOSEN BY");
  const bool is_whole = clusters_.size() + 1 <= lines_max;
  const std::size_t shown = is_whole ? clusters_.size() : std::max<std::size_t>(lines_max, 2) - 2;
  std::size_t count = 0;
  for (const auto& [name, cluster] : clusters_) {
    if (count++ == shown) break;
    text += row(name, cluster, use_of(name));
  }
  if (!is_whole) text += fmt::format("... and {} more\n", clusters_.size() - shown);
  return text;
}

}  // namespace berth::local
