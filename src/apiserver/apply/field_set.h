// FieldSet: a set of field paths, as a trie whose branches are sorted. It says which fields of an
// object somebody owns.

#pragma once

#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "apiserver/apply/field_path.h"

namespace berth::apiserver {

class FieldSet {
 public:
  struct Node;

  FieldSet() = default;

  // Nodes in any order; those of the same element become one, empty ones disappear.
  static FieldSet from_nodes(std::vector<Node> nodes);

  bool is_empty() const { return nodes_.empty(); }
  std::span<const Node> nodes() const;
  std::vector<Node> take_nodes() &&;  // For building another set of them.

  // Adds the path, not what it leads through. The empty path, the whole object, is never a member.
  void insert(std::span<const PathElement> path);
  bool has(std::span<const PathElement> path) const;
  const Node* find(const PathElement& element) const;

  friend bool operator==(const FieldSet& a, const FieldSet& b);

  friend FieldSet unite(FieldSet a, FieldSet b);
  friend FieldSet subtract(FieldSet a, const FieldSet& b);
  friend FieldSet subtract_with_children(FieldSet a, const FieldSet& b);

 private:
  std::vector<Node> nodes_;  // By element; each is a member or has children.
};

struct FieldSet::Node {
  PathElement element;
  bool is_member = false;  // Whether the path up to here is in the set.
  FieldSet children = {};  // What is in the set below.

  bool is_empty() const { return !is_member && children.is_empty(); }
};

inline std::span<const FieldSet::Node> FieldSet::nodes() const { return nodes_; }

inline std::vector<FieldSet::Node> FieldSet::take_nodes() && { return std::move(nodes_); }

FieldSet field_set(std::initializer_list<FieldPath> paths);

FieldSet unite(FieldSet a, FieldSet b);
FieldSet intersect(const FieldSet& a, const FieldSet& b);

// What is in `a` and not in `b`. A member of `b` takes only itself away, not what is below it.
FieldSet subtract(FieldSet a, const FieldSet& b);

// The same, and a member of `b` takes everything below it away too.
FieldSet subtract_with_children(FieldSet a, const FieldSet& b);

// Those paths that lead to no other path of the set.
FieldSet leaves_of(const FieldSet& set);

// Every path of the set: those that end at a level come before those that go on.
std::vector<FieldPath> paths_of(const FieldSet& set);

}  // namespace berth::apiserver
