// Tree: an ordered map from names to entries that never changes. An edited tree shares with the old
// one all nodes that the edits do not touch, so keeping an old one costs little.
//
// A B+ tree: leaves hold entries, the nodes above hold for each child the first name in it. All
// leaves have the same depth. Names lie packed in one string per node: copying a node for an edit
// is two copies of bytes and one count per entry, and searching one touches few cache lines.

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "store/entry.h"

namespace berth::store {

// Lives as long as the call that it is passed to.
struct Edit {
  std::string_view name;
  EntryPtr entry;  // Null: there is none from now on.
};

class Tree {
 public:
  std::size_t size() const;

  EntryPtr find(std::string_view name) const;  // Null when there is none.

  // How many names are less.
  std::size_t rank(std::string_view name) const;

  // In the order of names, from the first that is not less than `from`, until the visitor says
  // false.
  using Visitor = std::function<bool(std::string_view name, const EntryPtr& entry)>;
  void visit(std::string_view from, const Visitor& visitor) const;

  // Edits are in the order of names, each name once. Each node that they touch is copied once.
  Tree edited(std::span<const Edit> edits) const;

  // What is another entry in the one than in the other, in the order of names; null: there is none.
  // Nodes that both share cost nothing.
  using ChangeVisitor =
      std::function<void(std::string_view name, const EntryPtr& before, const EntryPtr& after)>;
  static void visit_changes(const Tree& before, const Tree& after, const ChangeVisitor& visitor);

  struct Node;
  using NodePtr = std::shared_ptr<const Node>;

 private:
  NodePtr root_;  // Null: empty.
};

}  // namespace berth::store
