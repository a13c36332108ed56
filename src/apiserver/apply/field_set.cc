#include "apiserver/apply/field_set.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace berth::apiserver {
namespace {

using Node = FieldSet::Node;

class PathCollector {
 public:
  void visit(const FieldSet& set) {
    for (const Node& node : set.nodes()) {
      if (!node.is_member) continue;
      paths_.push_back(prefix_);
      paths_.back().push_back(node.element);
    }
    for (const Node& node : set.nodes()) {
      if (node.children.is_empty()) continue;
      prefix_.push_back(node.element);
      visit(node.children);
      prefix_.pop_back();
    }
  }

  std::vector<FieldPath> take() { return std::move(paths_); }

 private:
  FieldPath prefix_;
  std::vector<FieldPath> paths_;
};

}  // namespace

FieldSet FieldSet::from_nodes(std::vector<Node> nodes) {
  FieldSet set;
  set.nodes_ = std::move(nodes);
  std::erase_if(set.nodes_, &Node::is_empty);
  const auto out_of_order = [](const Node& a, const Node& b) { return a.element >= b.element; };
  if (std::ranges::adjacent_find(set.nodes_, out_of_order) == set.nodes_.end()) return set;

  std::ranges::sort(set.nodes_, {}, &Node::element);
  std::vector<Node> merged;
  merged.reserve(set.nodes_.size());
  for (Node& node : set.nodes_) {
    if (merged.empty() || merged.back().element != node.element) {
      merged.push_back(std::move(node));
      continue;
    }
    merged.back().is_member |= node.is_member;
    merged.back().children = unite(std::move(merged.back().children), std::move(node.children));
  }
  set.nodes_ = std::move(merged);
  return set;
}

void FieldSet::insert(std::span<const PathElement> path) {
  FieldSet* set = this;
  for (std::size_t i = 0; i < path.size(); ++i) {
    auto at = std::ranges::lower_bound(set->nodes_, path[i], {}, &Node::element);
    if (at == set->nodes_.end() || at->element != path[i]) {
      at = set->nodes_.insert(at, Node{.element = path[i]});
    }
    at->is_member |= i + 1 == path.size();
    set = &at->children;
  }
}

bool FieldSet::has(std::span<const PathElement> path) const {
  const FieldSet* set = this;
  const Node* node = nullptr;
  for (const PathElement& element : path) {
    node = set->find(element);
    if (!node) return false;
    set = &node->children;
  }
  return node && node->is_member;
}

const Node* FieldSet::find(const PathElement& element) const {
  const auto at = std::ranges::lower_bound(nodes_, element, {}, &Node::element);
  return at != nodes_.end() && at->element == element ? &*at : nullptr;
}

bool operator==(const FieldSet& a, const FieldSet& b) {
  return std::ranges::equal(a.nodes_, b.nodes_, [](const Node& left, const Node& right) {
    return left.is_member == right.is_member && left.element == right.element &&
           left.children == right.children;
  });
}

FieldSet field_set(std::initializer_list<FieldPath> paths) {
  FieldSet set;
  for (const FieldPath& path : paths) set.insert(path);
  return set;
}

FieldSet unite(FieldSet a, FieldSet b) {
  if (a.nodes_.empty()) return b;
  if (b.nodes_.empty()) return a;
  FieldSet result;
  result.nodes_.reserve(a.nodes_.size() + b.nodes_.size());
  auto left = a.nodes_.begin();
  auto right = b.nodes_.begin();
  while (left != a.nodes_.end() && right != b.nodes_.end()) {
    const auto order = left->element <=> right->element;
    if (order < 0) {
      result.nodes_.push_back(std::move(*left++));
    } else if (order > 0) {
      result.nodes_.push_back(std::move(*right++));
    } else {
      left->is_member |= right->is_member;
      left->children = unite(std::move(left->children), std::move(right->children));
      result.nodes_.push_back(std::move(*left++));
      ++right;
    }
  }
  std::move(left, a.nodes_.end(), std::back_inserter(result.nodes_));
  std::move(right, b.nodes_.end(), std::back_inserter(result.nodes_));
  return result;
}

FieldSet intersect(const FieldSet& a, const FieldSet& b) {
  std::vector<Node> nodes;
  auto left = a.nodes().begin();
  auto right = b.nodes().begin();
  while (left != a.nodes().end() && right != b.nodes().end()) {
    const auto order = left->element <=> right->element;
    if (order < 0) {
      ++left;
    } else if (order > 0) {
      ++right;
    } else {
      Node node{.element = left->element,
                .is_member = left->is_member && right->is_member,
                .children = intersect(left->children, right->children)};
      if (!node.is_empty()) nodes.push_back(std::move(node));
      ++left;
      ++right;
    }
  }
  return FieldSet::from_nodes(std::move(nodes));
}

FieldSet subtract(FieldSet a, const FieldSet& b) {
  for (const Node& taken : b.nodes_) {
    const auto at = std::ranges::lower_bound(a.nodes_, taken.element, {}, &Node::element);
    if (at == a.nodes_.end() || at->element != taken.element) continue;
    at->is_member = at->is_member && !taken.is_member;
    at->children = subtract(std::move(at->children), taken.children);
  }
  std::erase_if(a.nodes_, &Node::is_empty);
  return a;
}

FieldSet subtract_with_children(FieldSet a, const FieldSet& b) {
  for (const Node& taken : b.nodes_) {
    const auto at = std::ranges::lower_bound(a.nodes_, taken.element, {}, &Node::element);
    if (at == a.nodes_.end() || at->element != taken.element) continue;
    if (taken.is_member) {
      at->is_member = false;
      at->children = {};
    } else {
      at->children = subtract_with_children(std::move(at->children), taken.children);
    }
  }
  std::erase_if(a.nodes_, &Node::is_empty);
  return a;
}

FieldSet leaves_of(const FieldSet& set) {
  std::vector<Node> nodes;
  for (const Node& node : set.nodes()) {
    nodes.push_back({.element = node.element,
                     .is_member = node.children.is_empty(),
                     .children = leaves_of(node.children)});
  }
  return FieldSet::from_nodes(std::move(nodes));
}

std::vector<FieldPath> paths_of(const FieldSet& set) {
  PathCollector collector;
  collector.visit(set);
  return collector.take();
}

}  // namespace berth::apiserver
