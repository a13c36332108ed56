// Snapshot: all objects as they were at one revision. Immutable, so any thread may read it for as
// long as it likes; what two snapshots have in common they share.

#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/entry.h"
#include "store/tree.h"

namespace berth::store {

// One table of a snapshot. Copies are cheap.
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
  Table edited(std::span<const Edit> edits, Revision revision) const;

 private:
  Tree tree_;
  Revision revision_ = 0;
};

struct NamedTable {
  std::string name;
  Table table;
};

class Snapshot {
 public:
  using Tables = std::vector<std::shared_ptr<const NamedTable>>;  // By name.

  Snapshot() = default;  // Empty, at revision 0.
  Snapshot(Tables tables, Revision revision) : tables_(std::move(tables)), revision_(revision) {}

  Revision revision() const { return revision_; }
  const Table& table(std::string_view name) const;  // An empty one when there is none.
  const Tables& tables() const { return tables_; }
  std::size_t size() const;  // Of all tables.

 private:
  Tables tables_;
  Revision revision_ = 0;
};
using SnapshotPtr = std::shared_ptr<const Snapshot>;

// The snapshot after these changes, which are in the order of revisions and newer than it.
SnapshotPtr applied(const Snapshot& snapshot, std::span<const EntryChange> changes);

// The snapshot before these changes, the newest of which are in it, at `revision`. Tables that they
// touched say that this was their last change, which may be too late.
SnapshotPtr undone(const Snapshot& snapshot, std::span<const EntryChange> changes,
                   Revision revision);

// The same objects as if written before `revision`, which is not less than the snapshot's.
SnapshotPtr moved_to(const Snapshot& snapshot, Revision revision);

}  // namespace berth::store
