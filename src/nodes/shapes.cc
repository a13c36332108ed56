#include "nodes/shapes.h"

#include <algorithm>
#include <memory>

namespace berth::nodes {
namespace {

using Tests = std::vector<std::unique_ptr<NodeTest>>;

bool passes(const Tests& tests, NodeSlot node) {
  return std::ranges::all_of(tests, [node](const std::unique_ptr<NodeTest>& test) {
    NodeSlot one[] = {node};
    return test->keep(one) == 1;
  });
}

}  // namespace

const Shapes::Accepted& Shapes::accepted(const Cycle& cycle, const Profile& profile) {
  const Snapshot& snapshot = cycle.snapshot;
  if (changed_.size() > snapshot.slots() + kShapesMax) start_epoch();
  OfProfile& known = shapes_[profile.scheduler_name];
  auto found = known.find(cycle.pod.wishes.shape);
  if (found == known.end()) {
    if (count_ >= kShapesMax) forget_some();
    found = known.try_emplace(cycle.pod.wishes.shape).first;
    ++count_;
  }
  Shape& shape = found->second;
  shape.used = ++uses_;
  const bool is_old = shape.epoch != epoch_;
  if (!is_old && shape.seen == changed_.size()) return shape.accepted;

  Tests tests;
  for (const auto& filter : profile.filters) {
    if (filter->reads() != Reads::NodeObject) continue;
    if (auto test = filter->prepare(cycle)) tests.push_back(std::move(test));
  }
  std::vector<std::uint64_t>& words = shape.accepted.words_;
  words.resize((snapshot.slots() + 63) / 64);
  const auto decide = [&](NodeSlot node) {
    const std::uint64_t bit = std::uint64_t{1} << (node % 64);
    words[node / 64] = passes(tests, node) ? words[node / 64] | bit : words[node / 64] & ~bit;
  };
  if (is_old) {
    std::ranges::for_each(snapshot.nodes(), decide);
  } else {
    for (std::size_t i = shape.seen; i < changed_.size(); ++i) decide(changed_[i]);
  }
  shape.epoch = epoch_;
  shape.seen = changed_.size();
  return shape.accepted;
}

// Everything is looked at anew: cheaper than to remember changes without end.
void Shapes::start_epoch() {
  ++epoch_;
  changed_.clear();
}

// The half that was not used for longest.
void Shapes::forget_some() {
  std::vector<std::uint64_t> uses;
  for (const auto& [name, known] : shapes_) {
    for (const auto& [text, shape] : known) uses.push_back(shape.used);
  }
  const auto middle = uses.begin() + static_cast<std::ptrdiff_t>(uses.size() / 2);
  std::ranges::nth_element(uses, middle);
  for (auto& [name, known] : shapes_) {
    count_ -=
        std::erase_if(known, [&middle](const auto& entry) { return entry.second.used < *middle; });
  }
}

}  // namespace berth::nodes
