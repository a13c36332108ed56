// Table: all objects of one resource as they were at one revision. Copies are cheap.

#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "store/entry.h"
#include "store/tree.h"

namespace berth::store {

class Table {
 public:
  Table() = default;  // Empty, never changed.
  Table(Tree tree, Revision revision) : tree_(std::move(tree)), revision_(revision) {}

  std::size_t size() const { return tree_.size(); }

  // Of the last change in this table that is known; 0: there was none. A restart may forget that
  // an object was deleted long ago, so compare within one process only.
  Revision revision() const { return revision_; }

  EntryPtr find(std::string_view name) const { return tree_.find(name); }  // Null: there is none.

  // How many names are less: what is left of a list, without walking it.
  std::size_t rank(std::string_view name) const { return tree_.rank(name); }

  // In the order of names, from the first that is not less than `from`, until the visitor says
  // false.
  using Visitor = Tree::Visitor;
  void visit(std::string_view from, const Visitor& visitor) const { tree_.visit(from, visitor); }

  // What has become of it since it was like that.
  void visit_changes_since(const Table& before, const Tree::ChangeVisitor& visitor) const {
    Tree::visit_changes(before.tree_, tree_, visitor);
  }

  // Edits are in the order of names, each name once.
  Table edited(std::span<const Edit> edits, Revision revision) const {
    return Table(tree_.edited(edits), revision);
  }

 private:
  Tree tree_;
  Revision revision_ = 0;
};

}  // namespace berth::store
