#include "placement/fleet/set_table.h"

#include <utility>

namespace berth::placement {
namespace {

using Names = std::set<std::string, std::less<>>;

const Names& names_at(const std::map<std::string, Names, std::less<>>& table,
                      std::string_view key) {
  static const Names kNone;
  const auto found = table.find(key);
  return found == table.end() ? kNone : found->second;
}

bool erase_at(std::map<std::string, Names, std::less<>>& table, std::string_view key,
              std::string_view name) {
  const auto found = table.find(key);
  if (found == table.end()) return false;
  const auto entry = found->second.find(name);
  if (entry == found->second.end()) return false;
  found->second.erase(entry);
  if (found->second.empty()) table.erase(found);
  return true;
}

}  // namespace

ClusterSet::ClusterSet(const api::ManagedClusterSet& set, Symbols& symbols)
    : problem_(set.problem) {
  if (problem_) return;
  if (set.type == api::ManagedClusterSet::SelectorType::ExclusiveClusterSetLabel) {
    label_ = symbols_.emplace_back(symbols.acquire(api::kClusterSetLabel));
    value_ = symbols_.emplace_back(symbols.acquire(set.facts.name));
    return;
  }
  for (const api::LabelRequirement& requirement : set.selector.requirements()) {
    symbols_.push_back(symbols.acquire(requirement.key()));
    for (const std::string& value : requirement.values()) {
      symbols_.push_back(symbols.acquire(value));
    }
  }
  selector_.emplace(set.selector, symbols);
}

void ClusterSet::release(Symbols& symbols) {
  for (const Symbol symbol : symbols_) symbols.release(symbol);
  symbols_.clear();
}

bool ClusterSet::selects(const Cluster& cluster) const {
  if (!cluster.exists || problem_) return false;
  if (selector_) return selector_->matches(cluster.labels);
  return cluster.labels.find(label_) == value_;
}

bool SetTable::put(const api::ManagedClusterSet& set, const ClusterTable& clusters,
                   Symbols& symbols) {
  ClusterSet next(set, symbols);
  for (const ClusterIndex index : clusters.existing().indices()) {
    if (next.selects(clusters[index])) next.members_.set(index);
  }
  const auto found = sets_.find(set.facts.name);
  if (found == sets_.end()) {
    sets_.emplace(set.facts.name, std::move(next));
    return true;
  }
  const bool matters = found->second.members_.indices() != next.members_.indices() ||
                       found->second.problem_ != next.problem_;
  found->second.release(symbols);
  found->second = std::move(next);
  return matters;
}

bool SetTable::remove(std::string_view name, Symbols& symbols) {
  const auto found = sets_.find(name);
  if (found == sets_.end()) return false;
  found->second.release(symbols);
  sets_.erase(found);
  return true;
}

bool SetTable::bind(std::string_view object_namespace, std::string_view set) {
  namespaces_[std::string(set)].emplace(object_namespace);
  return bindings_[std::string(object_namespace)].emplace(set).second;
}

bool SetTable::unbind(std::string_view object_namespace, std::string_view set) {
  erase_at(namespaces_, set, object_namespace);
  return erase_at(bindings_, object_namespace, set);
}

void SetTable::update(ClusterIndex index, const Cluster& cluster) {
  for (auto& [name, set] : sets_) {
    set.selects(cluster) ? set.members_.set(index) : set.members_.reset(index);
  }
}

const ClusterSet* SetTable::find(std::string_view name) const {
  const auto found = sets_.find(name);
  return found == sets_.end() ? nullptr : &found->second;
}

std::vector<std::string> SetTable::sets_of(ClusterIndex cluster) const {
  std::vector<std::string> names;
  for (const auto& [name, set] : sets_) {
    if (set.members_.test(cluster)) names.push_back(name);
  }
  return names;
}

const Names& SetTable::bound_in(std::string_view object_namespace) const {
  return names_at(bindings_, object_namespace);
}

const Names& SetTable::namespaces_of(std::string_view set) const {
  return names_at(namespaces_, set);
}

}  // namespace berth::placement
