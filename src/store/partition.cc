#include "store/partition.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace berth::store {
namespace {

// Behind everything that a resource's name can begin with, so that the tables of no partition are
// in one piece, too.
constexpr char kMark = '~';

bool is_before(const std::shared_ptr<const NamedTable>& table, std::string_view name) {
  return table->name < name;
}

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

Snapshot::Tables PartitionView::tables_in(const Snapshot& whole) const {
  const Snapshot::Tables& all = whole.tables();
  const auto begin = std::ranges::lower_bound(
      all, prefix_, {}, [](const auto& table) { return std::string_view(table->name); });
  auto end = begin;
  if (prefix_.empty()) {
    end = std::lower_bound(begin, all.end(), std::string_view(&kMark, 1), is_before);
  } else {
    while (end != all.end() && (*end)->name.starts_with(prefix_)) ++end;
  }
  return {begin, end};
}

// Both lists are in the order of names: a table that is the same as before is found beside it.
Snapshot::Tables PartitionView::renamed(const Snapshot::Tables& sources) const {
  if (prefix_.empty()) return sources;
  Snapshot::Tables tables;
  tables.reserve(sources.size());
  std::size_t old = 0;
  for (const auto& source : sources) {
    while (old < sources_.size() && sources_[old]->name < source->name) ++old;
    if (old < sources_.size() && sources_[old] == source) {
      tables.push_back(partition_->tables()[old]);
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
  Snapshot::Tables sources = tables_in(*whole);
  if (partition_ && sources == sources_ && partition_->revision() >= floor) return partition_;
  Revision revision = floor;
  for (const auto& table : sources) revision = std::max(revision, table->table.revision());
  partition_ = std::make_shared<const Snapshot>(renamed(sources), revision);
  sources_ = std::move(sources);
  return partition_;
}

}  // namespace berth::store
