#include "nodes/schedule.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace berth::nodes {
namespace {

using Tests = std::vector<std::pair<const Filter*, std::unique_ptr<NodeTest>>>;

enum class Which : std::uint8_t { All, ThatReadMore };

Tests prepare(const Cycle& cycle, const Profile& profile, Which which) {
  Tests tests;
  for (const auto& filter : profile.filters) {
    if (which == Which::ThatReadMore && filter->reads() == Reads::NodeObject) continue;
    if (auto test = filter->prepare(cycle)) tests.emplace_back(filter.get(), std::move(test));
  }
  return tests;
}

std::size_t keep(const Tests& tests, std::span<NodeSlot> nodes) {
  std::size_t kept = nodes.size();
  for (const auto& [filter, test] : tests) {
    if (kept == 0) break;
    kept = test->keep(nodes.first(kept));
  }
  return kept;
}

// Looks for as many nodes that can take the pod as are wanted.
class Search {
 public:
  Search(const Cycle& cycle, const Profile& profile, const Shapes::Accepted& accepted)
      : cycle_(cycle),
        accepted_(accepted),
        tests_(prepare(cycle, profile, Which::ThatReadMore)),
        wanted_(
            nodes_to_find(cycle.snapshot.nodes().size(), profile.percentage_of_nodes_to_score)) {}

  // Where room is held for it, whatever the cursor says.
  void look_at_held() {
    if (cycle_.snapshot.all_holds().empty()) return;
    held_ = cycle_.snapshot.claimable_nodes(cycle_.claimant());
    std::vector<NodeSlot> block = held_;
    std::erase_if(block, [this](NodeSlot node) { return !accepted_.test(node); });
    block.resize(keep(tests_, block));
    evaluated_ += held_.size();
    found_ = std::move(block);
  }

  void look_from(Cursor& cursor) {
    const std::span<const NodeSlot> nodes = cycle_.snapshot.nodes();
    if (nodes.empty()) return;
    std::size_t at = cursor.place % nodes.size();
    std::array<NodeSlot, kBlock> block;
    for (std::size_t seen = 0; seen < nodes.size() && found_.size() < wanted_;) {
      std::size_t filled = 0;
      for (; filled < kBlock && seen < nodes.size(); ++seen) {
        const NodeSlot node = nodes[at];
        at = at + 1 == nodes.size() ? 0 : at + 1;
        if (accepted_.test(node) && !is_held(node)) block[filled++] = node;
      }
      const std::size_t kept = keep(tests_, std::span(block).first(filled));
      found_.insert(found_.end(), block.begin(), block.begin() + kept);
      evaluated_ += filled;
    }
    cursor.place = at;
  }

  std::vector<NodeSlot>& found() { return found_; }
  std::size_t evaluated() const { return evaluated_; }

 private:
  static constexpr std::size_t kBlock = 128;

  bool is_held(NodeSlot node) const {
    return !held_.empty() && std::ranges::binary_search(held_, node);
  }

  const Cycle& cycle_;
  const Shapes::Accepted& accepted_;
  Tests tests_;
  std::size_t wanted_;
  std::vector<NodeSlot> held_;  // Sorted.
  std::vector<NodeSlot> found_;
  std::size_t evaluated_ = 0;
};

std::vector<std::int64_t> totals(const Cycle& cycle, const Profile& profile,
                                 std::span<const NodeSlot> nodes) {
  std::vector<std::int64_t> sums(nodes.size());
  std::vector<std::int64_t> points(nodes.size());
  for (const WeightedScorer& weighted : profile.scorers) {
    std::ranges::fill(points, 0);
    if (!weighted.scorer->score(cycle, nodes, points)) continue;
    for (std::size_t i = 0; i < nodes.size(); ++i) sums[i] += weighted.weight * points[i];
  }
  return sums;
}

}  // namespace

Choice schedule(const Cycle& cycle, const Profile& profile, Shapes& shapes, Cursor& cursor) {
  Search search(cycle, profile, shapes.accepted(cycle, profile));
  search.look_at_held();
  search.look_from(cursor);
  const std::vector<NodeSlot>& found = search.found();
  Choice choice{.evaluated = search.evaluated(), .feasible = found.size()};
  if (found.empty()) return choice;
  std::size_t best = 0;
  if (found.size() > 1) {
    const std::vector<std::int64_t> sums = totals(cycle, profile, found);
    best = static_cast<std::size_t>(std::ranges::max_element(sums) - sums.begin());
    choice.score = sums[best];
  }
  choice.node = found[best];
  const StandingHold* claim = cycle.snapshot.has_holds(found[best])
                                  ? cycle.snapshot.claim_on(found[best], cycle.claimant())
                                  : nullptr;
  if (claim && claim->hold->source == Hold::Source::Reservation) choice.claim = claim->hold->id;
  return choice;
}

bool fits(const Cycle& cycle, const Profile& profile, NodeSlot node) {
  NodeSlot one[] = {node};
  return keep(prepare(cycle, profile, Which::All), one) == 1;
}

std::vector<NodeVerdict> explain(const Cycle& cycle, const Profile& profile) {
  const Tests tests = prepare(cycle, profile, Which::All);
  std::vector<NodeSlot> nodes(cycle.snapshot.nodes().begin(), cycle.snapshot.nodes().end());
  std::ranges::sort(nodes, {}, [&cycle](NodeSlot node) -> const std::string& {
    return cycle.snapshot.name(node);
  });
  std::vector<NodeVerdict> verdicts;
  std::vector<NodeSlot> passed;
  for (const NodeSlot node : nodes) {
    NodeVerdict verdict{.node = node};
    for (const auto& [filter, test] : tests) {
      verdict.objections = test->objections(node);
      if (verdict.objections.empty()) continue;
      verdict.filter = filter->name();
      break;
    }
    if (verdict.filter.empty()) passed.push_back(node);
    verdicts.push_back(std::move(verdict));
  }
  std::vector<std::int64_t> points(passed.size());
  for (const WeightedScorer& weighted : profile.scorers) {
    std::ranges::fill(points, 0);
    if (!weighted.scorer->score(cycle, passed, points)) continue;
    std::size_t i = 0;
    for (NodeVerdict& verdict : verdicts) {
      if (!verdict.filter.empty()) continue;
      verdict.points.push_back({weighted.scorer->name(), points[i], weighted.weight});
      verdict.score += weighted.weight * points[i++];
    }
  }
  return verdicts;
}

Refusal explain_refusal(const Cycle& cycle, const Profile& profile) {
  const std::size_t count = cycle.snapshot.nodes().size();
  if (count == 0) return {.message = "no nodes available to schedule pods"};
  const Tests tests = prepare(cycle, profile, Which::All);
  std::map<std::string, std::size_t> reasons;
  std::set<std::string_view> filters;
  Refusal refusal;
  for (const NodeSlot node : cycle.snapshot.nodes()) {
    for (const auto& [filter, test] : tests) {
      std::vector<Objection> objections = test->objections(node);
      if (objections.empty()) continue;
      filters.insert(filter->name());
      refusal.reads_cluster |= filter->reads() == Reads::Cluster;
      for (Objection& objection : objections) ++reasons[std::move(objection.reason)];
      break;
    }
  }
  std::vector<std::string> parts;
  for (const auto& [reason, nodes] : reasons) parts.push_back(fmt::format("{} {}", nodes, reason));
  std::ranges::sort(parts);
  refusal.message = fmt::format("0/{} nodes are available: {}.", count, join(parts, ", "));
  refusal.filters.assign(filters.begin(), filters.end());
  return refusal;
}

}  // namespace berth::nodes
