#include "store/partition.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace berth::store {
namespace {

// Behind everything that a resource's name can begin with, so that the tables of no partition are
// in one piece, too.
constexpr char kMark = '~';

}  // namespace

PartitionedTable partitioned(std::string_view table) {
  const std::size_t slash = table.find('/');
  if (!table.starts_with(kMark) || slash == std::string_view::npos) return {"", table};
  return {table.substr(1, slash - 1), table.substr(slash + 1)};
}

PartitionView::PartitionView(std::string_view name)
    : prefix_(name.empty() ? "" : kMark + std::string(name) + "/") {
  CHECK(!name.contains('/'));
}

std::vector<NamedTablePtr> PartitionView::tables_in(const Snapshot& whole) const {
  std::vector<NamedTablePtr> tables;
  whole.tables().visit(prefix_, [&](const NamedTablePtr& table) {
    const bool is_ours =
        prefix_.empty() ? !table->name.starts_with(kMark) : table->name.starts_with(prefix_);
    if (is_ours) tables.push_back(table);
    return is_ours;
  });
  return tables;
}

// Both lists are in the order of names: a table that is the same as before is found beside it.
std::vector<NamedTablePtr> PartitionView::renamed(const std::vector<NamedTablePtr>& sources) const {
  if (prefix_.empty()) return sources;
  std::vector<NamedTablePtr> tables;
  tables.reserve(sources.size());
  std::size_t old = 0;
  for (const auto& source : sources) {
    while (old < sources_.size() && sources_[old]->name < source->name) ++old;
    if (old < sources_.size() && sources_[old] == source) {
      tables.push_back(tables_[old]);
    } else {
      tables.push_back(std::make_shared<const NamedTable>(
          NamedTable{.name = source->name.substr(prefix_.size()), .table = source->table}));
    }
  }
  return tables;
}

SnapshotPtr PartitionView::of(const SnapshotPtr& whole, Revision floor) {
  if (partition_ && whole_ == whole && partition_->revision() >= floor) return partition_;
  whole_ = whole;
  std::vector<NamedTablePtr> sources = tables_in(*whole);
  if (partition_ && sources == sources_ && partition_->revision() >= floor) return partition_;
  Revision revision = floor;
  for (const auto& table : sources) revision = std::max(revision, table->table.revision());
  tables_ = renamed(sources);
  sources_ = std::move(sources);
  partition_ = std::make_shared<const Snapshot>(TableList(tables_), revision);
  return partition_;
}

}  // namespace berth::store
