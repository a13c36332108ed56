#include "placement/fleet/cluster_table.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "base/check.h"

namespace berth::placement {
namespace {

constexpr double kNoData = std::numeric_limits<double>::quiet_NaN();

// Neighbours start this far apart, so that names can come between them without moving anybody.
constexpr std::uint64_t kGap = std::uint64_t{1} << 32;
constexpr std::uint64_t kMiddle = std::uint64_t{1} << 63;

void release_report(const ScoreReport& report, Symbols& symbols) {
  symbols.release(report.resource);
  for (const ScoreReport::Item& item : report.items) symbols.release(item.name);
}

ScoreReport acquire_report(const api::AddOnPlacementScore& score, Symbols& symbols) {
  ScoreReport report{.resource = symbols.acquire(score.facts.name),
                     .valid_until = score.valid_until};
  report.items.reserve(score.scores.size());
  for (const auto& item : score.scores) {
    report.items.push_back({.name = symbols.acquire(item.name), .value = item.value});
  }
  return report;
}

}  // namespace

const std::int32_t* ScoreReport::find(Symbol name) const {
  const auto found = std::ranges::find(items, name, &Item::name);
  return found == items.end() ? nullptr : &found->value;
}

const ScoreReport* Cluster::find_report(Symbol resource) const {
  const auto found = std::ranges::find(reports, resource, &ScoreReport::resource);
  return found == reports.end() ? nullptr : &*found;
}

ClusterIndex ClusterTable::acquire(std::string_view name) {
  if (const auto found = by_name_.find(name); found != by_name_.end()) {
    ++uses_[found->second];
    return found->second;
  }
  ClusterIndex index = 0;
  if (free_.empty()) {
    index = static_cast<ClusterIndex>(clusters_.size());
    clusters_.emplace_back();
    uses_.push_back(0);
    positions_.push_back(0);
    for (auto& amounts : allocatable_) amounts.push_back(kNoData);
  } else {
    index = free_.back();
    free_.pop_back();
  }
  clusters_[index].name = name;
  uses_[index] = 1;
  place(by_name_.emplace(name, index).first);
  return index;
}

void ClusterTable::release(ClusterIndex cluster) {
  CHECK(uses_[cluster] > 0);
  if (--uses_[cluster] > 0) return;
  by_name_.erase(clusters_[cluster].name);
  clusters_[cluster] = {};
  free_.push_back(cluster);
}

// A position between those of the neighbours.
void ClusterTable::place(ByName::iterator entry) {
  const auto next = std::next(entry);
  const bool is_first = entry == by_name_.begin();
  const bool is_last = next == by_name_.end();
  const std::uint64_t before = is_first ? 0 : positions_[std::prev(entry)->second];
  const std::uint64_t after =
      is_last ? std::numeric_limits<std::uint64_t>::max() : positions_[next->second];
  if (after - before < 2) return renumber();

  std::uint64_t position = before + (after - before) / 2;
  if (is_first && is_last) {
    position = kMiddle;
  } else if (is_last) {
    position = std::min(position, before + kGap);
  } else if (is_first && after > kGap) {
    position = after - kGap;
  }
  positions_[entry->second] = position;
}

void ClusterTable::renumber() {
  std::uint64_t position = kMiddle - by_name_.size() / 2 * kGap;
  for (const auto& [name, index] : by_name_) positions_[index] = position += kGap;
}

void ClusterTable::set_cluster(ClusterIndex index, const api::ManagedCluster& cluster,
                               std::shared_ptr<const json::Value> object, Symbols& symbols) {
  Cluster& facts = clusters_[index];
  // The new symbols first, so that those which stay are not given up in between.
  LabelIds labels = LabelIds::acquire(cluster.facts.labels, symbols);
  LabelIds claims = LabelIds::acquire(cluster.claims, symbols);
  facts.labels.release(symbols);
  facts.claims.release(symbols);
  facts.labels = std::move(labels);
  facts.claims = std::move(claims);
  facts.taints = cluster.taints;
  facts.object = std::move(object);
  facts.exists = true;
  facts.version = ++last_version_;
  facts.is_deleting = cluster.facts.is_deleting;
  allocatable_[static_cast<std::size_t>(Resource::Cpu)][index] =
      cluster.allocatable_cpu.value_or(kNoData);
  allocatable_[static_cast<std::size_t>(Resource::Memory)][index] =
      cluster.allocatable_memory.value_or(kNoData);
  existing_.set(index);
  facts.is_deleting ? deleting_.set(index) : deleting_.reset(index);
  facts.taints.empty() ? tainted_.reset(index) : tainted_.set(index);
}

void ClusterTable::clear_cluster(ClusterIndex index, Symbols& symbols) {
  Cluster& facts = clusters_[index];
  facts.labels.release(symbols);
  facts.claims.release(symbols);
  facts.taints.clear();
  facts.object.reset();
  facts.exists = false;
  facts.version = ++last_version_;
  facts.is_deleting = false;
  for (auto& amounts : allocatable_) amounts[index] = kNoData;
  existing_.reset(index);
  deleting_.reset(index);
  tainted_.reset(index);
}

void ClusterTable::drop_objects() {
  for (Cluster& cluster : clusters_) cluster.object.reset();
}

void ClusterTable::set_report(ClusterIndex index, const api::AddOnPlacementScore& score,
                              Symbols& symbols) {
  ScoreReport report = acquire_report(score, symbols);
  clear_report(index, score.facts.name, symbols);
  clusters_[index].reports.push_back(std::move(report));
  clusters_[index].version = ++last_version_;
}

void ClusterTable::clear_report(ClusterIndex index, std::string_view resource, Symbols& symbols) {
  auto& reports = clusters_[index].reports;
  const auto found = std::ranges::find(reports, symbols.find(resource), &ScoreReport::resource);
  if (found == reports.end()) return;
  release_report(*found, symbols);
  reports.erase(found);
  clusters_[index].version = ++last_version_;
}

std::optional<ClusterIndex> ClusterTable::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace berth::placement
