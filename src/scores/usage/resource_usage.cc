#include "scores/usage/resource_usage.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "api/kinds/pod.h"
#include "api/pod_requests.h"

namespace berth::scores {
namespace {

constexpr std::string_view kPods = "pods";  // What each pod takes one of.
constexpr std::int64_t kAmountMax = std::int64_t{1} << 53;
constexpr std::int64_t kFitsMax = 1'000'000'000;  // On one node.
constexpr std::size_t kScores = kScoreMax - kScoreMin + 1;

std::int64_t amount_in_column(std::string_view resource, const api::Quantity& quantity) {
  const std::int64_t amount = resource == "cpu" ? quantity.milli_value() : quantity.value();
  return std::clamp<std::int64_t>(amount, 0, kAmountMax);
}

double unit_of(std::string_view resource) {
  if (resource == "cpu") return 1000;
  return resource == "memory" ? 1 << 20 : 1;
}

std::int64_t narrowed(auto wide) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  return wide > kMost ? kMost : static_cast<std::int64_t>(wide);
}

}  // namespace

ResourceUsage::ResourceUsage(UsageOptions options) : options_(std::move(options)) {
  const bool only_seed = options_.sets == std::set{ScoreSet::Seed};
  for (const TrackedResource& resource : options_.resources) {
    if (options_.sets.empty() || (only_seed && !resource.in_seed_set)) continue;
    lines_.push_back({.resource = resource,
                      .column = column_of(resource.name),
                      .bounds = {.min = amount_in_column(resource.name, resource.min),
                                 .max = amount_in_column(resource.name, resource.max)},
                      .unit = unit_of(resource.name)});
  }
  for (const Shape& shape : options_.shapes) {
    ShapeEntry entry{.shape = shape, .needs = {{column_of(kPods), 1}}};
    for (const auto& [name, quantity] : shape.requests.entries()) {
      const std::int64_t amount = amount_in_column(name, quantity);
      if (amount > 0) entry.needs.push_back({column_of(name), amount});
    }
    shapes_.push_back(std::move(entry));
  }
  free_.resize(columns_.size());
  allocatable_.resize(columns_.size());
  fits_.resize(shapes_.size());
  nodes_by_score_.assign(lines_.size(), std::vector<std::uint32_t>(kScores));
}

Status ResourceUsage::put_node(const json::Value& object) {
  auto read = api::Node::from_json(object);
  if (!read.ok()) {
    remove_node(api::Metadata(object).name());
    return failure(std::move(read).error());
  }
  NodeEntry& node = nodes_[slot_of(read->name)];
  count(node, Sign::Withdraw);
  if (!std::exchange(node.is_known, true)) ++nodes_known_;
  node.is_eligible = is_eligible(*read);
  node.allocatable = amounts_of(read->allocatable);
  count(node, Sign::Add);
  return {};
}

void ResourceUsage::remove_node(std::string_view name) {
  const auto found = slots_.find(name);
  if (found == slots_.end()) return;
  NodeEntry& node = nodes_[found->second];
  count(node, Sign::Withdraw);
  if (std::exchange(node.is_known, false)) --nodes_known_;
  node.is_eligible = false;
  release_if_empty(found->second);
}

Status ResourceUsage::put_pod(const json::Value& object) {
  const api::Pod pod = api::Pod::from_json(object);
  if (!pod.is_bound() || pod.is_terminal()) {
    remove_pod(pod.key);
    return {};
  }
  auto requests = api::pod_requests(object);
  remove_pod(pod.key);
  if (!requests.ok()) return failure(std::move(requests).error());
  requests->set(kPods, api::Quantity(1));
  PodEntry entry{.node = slot_of(pod.node_name), .amounts = amounts_of(*requests)};
  charge(entry, Sign::Add);
  pods_.emplace(pod.key.text(), std::move(entry));
  return {};
}

void ResourceUsage::remove_pod(const api::ObjectKey& key) {
  const auto found = pods_.find(key.text());
  if (found == pods_.end()) return;
  charge(found->second, Sign::Withdraw);
  release_if_empty(found->second.node);
  pods_.erase(found);
}

void ResourceUsage::clear_nodes() {
  for (Slot slot = 0; slot < nodes_.size(); ++slot) {
    if (nodes_[slot].is_known) remove_node(std::string(nodes_[slot].name));
  }
}

void ResourceUsage::clear_pods() {
  pods_.clear();
  for (Slot slot = 0; slot < nodes_.size(); ++slot) {
    NodeEntry& node = nodes_[slot];
    if (node.pods == 0) continue;
    count(node, Sign::Withdraw);
    std::ranges::fill(node.used, 0);
    node.pods = 0;
    count(node, Sign::Add);
    release_if_empty(slot);
  }
}

std::vector<Score> ResourceUsage::scores() const {
  std::vector<Score> scores;
  for (std::size_t i = 0; i < lines_.size(); ++i) add_scores(i, scores);
  for (std::size_t i = 0; i < shapes_.size(); ++i) {
    const Shape& shape = shapes_[i].shape;
    scores.push_back({"fit." + shape.name,
                      normalise_exact(fits_[i], {.max = shape.max, .range = Range::Positive})});
  }
  return scores;
}

void ResourceUsage::add_scores(std::size_t index, std::vector<Score>& scores) const {
  const Line& line = lines_[index];
  const std::string& prefix = line.resource.prefix;
  const std::int64_t free = narrowed(free_[line.column]);
  const auto has = [this](ScoreSet set) { return options_.sets.contains(set); };
  if (has(ScoreSet::Seed) && line.resource.in_seed_set) {
    scores.push_back({prefix + "Available", score_of(free, line, Range::Positive)});
  }
  if (has(ScoreSet::Cluster)) {
    scores.push_back({prefix + "ClusterAvailable", score_of(free, line, Range::Full)});
  }
  if (has(ScoreSet::Node)) {
    const auto& counts = nodes_by_score_[index];
    const auto best = std::ranges::find_if(counts.rbegin(), counts.rend(),
                                           [](std::uint32_t nodes) { return nodes > 0; });
    const auto score = static_cast<std::int32_t>(counts.rend() - best) - 1 + kScoreMin;
    scores.push_back({prefix + "NodeAvailable", std::max(score, kScoreMin)});
  }
  if (has(ScoreSet::Ratio)) {
    const ExactLine all{.max = narrowed(allocatable_[line.column]), .range = Range::Positive};
    scores.push_back({prefix + "RatioAvailable", normalise_exact(free, all)});
  }
}

std::int32_t ResourceUsage::score_of(std::int64_t amount, const Line& line, Range range) const {
  ExactLine bounds = line.bounds;
  bounds.range = range;
  if (line.resource.curve == Curve::Linear) return normalise_exact(amount, bounds);
  const auto in_units = [&line](std::int64_t number) {
    return static_cast<double>(number) / line.unit;
  };
  return normalise(in_units(amount), {.min = in_units(bounds.min),
                                      .max = in_units(bounds.max),
                                      .curve = line.resource.curve,
                                      .range = range})
      .value_or(kScoreMin);
}

std::size_t ResourceUsage::column_of(std::string_view resource) {
  const auto found = std::ranges::find(columns_, resource);
  if (found != columns_.end()) return static_cast<std::size_t>(found - columns_.begin());
  columns_.emplace_back(resource);
  return columns_.size() - 1;
}

ResourceUsage::Amounts ResourceUsage::amounts_of(const api::ResourceList& list) const {
  Amounts amounts(columns_.size());
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (const api::Quantity* amount = list.find(columns_[i])) {
      amounts[i] = amount_in_column(columns_[i], *amount);
    }
  }
  return amounts;
}

ResourceUsage::Slot ResourceUsage::slot_of(std::string_view node) {
  if (const auto found = slots_.find(node); found != slots_.end()) return found->second;
  Slot slot = static_cast<Slot>(nodes_.size());
  if (unused_.empty()) {
    nodes_.emplace_back();
  } else {
    slot = unused_.back();
    unused_.pop_back();
  }
  nodes_[slot] = {.name = std::string(node),
                  .allocatable = Amounts(columns_.size()),
                  .used = std::vector<Wide>(columns_.size())};
  slots_.emplace(node, slot);
  return slot;
}

void ResourceUsage::release_if_empty(Slot slot) {
  NodeEntry& node = nodes_[slot];
  if (node.is_known || node.pods > 0) return;
  slots_.erase(node.name);
  node = {};
  unused_.push_back(slot);
}

bool ResourceUsage::is_eligible(const api::Node& node) const {
  return node.ready && !node.unschedulable && !node.being_deleted &&
         !api::find_untolerated(node.taints, options_.allowed_taints, api::kRepellingNodeEffects) &&
         options_.nodes.matches(api::Labels(node.labels));
}

void ResourceUsage::count(const NodeEntry& node, Sign sign) {
  if (!node.is_known || !node.is_eligible) return;
  const auto step = static_cast<std::int64_t>(sign);
  nodes_eligible_ += static_cast<std::size_t>(step);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    free_[i] += step * free_on(node, i);
    allocatable_[i] += step * node.allocatable[i];
  }
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const Line& line = lines_[i];
    const std::int32_t score = score_of(free_on(node, line.column), line, Range::Full);
    nodes_by_score_[i][static_cast<std::size_t>(score - kScoreMin)] +=
        static_cast<std::uint32_t>(step);
  }
  for (std::size_t i = 0; i < shapes_.size(); ++i) fits_[i] += step * fits_on(node, shapes_[i]);
}

void ResourceUsage::charge(const PodEntry& pod, Sign sign) {
  NodeEntry& node = nodes_[pod.node];
  count(node, Sign::Withdraw);
  const auto step = static_cast<std::int64_t>(sign);
  for (std::size_t i = 0; i < columns_.size(); ++i) node.used[i] += step * pod.amounts[i];
  node.pods += static_cast<std::uint32_t>(step);
  count(node, Sign::Add);
}

std::int64_t ResourceUsage::free_on(const NodeEntry& node, std::size_t column) const {
  const Wide free = node.allocatable[column] - node.used[column];
  return free > 0 ? static_cast<std::int64_t>(free) : 0;
}

std::int64_t ResourceUsage::fits_on(const NodeEntry& node, const ShapeEntry& shape) const {
  std::int64_t fits = kFitsMax;
  for (const Need& need : shape.needs) {
    fits = std::min(fits, free_on(node, need.column) / need.amount);
  }
  return fits;
}

}  // namespace berth::scores
