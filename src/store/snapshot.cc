#include "store/snapshot.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/check.h"

namespace berth::store {
namespace {

// What becomes of one key.
struct KeyOutcome {
  const Key* key;
  std::size_t order;  // Of those for one key the last one holds.
  EntryPtr entry;
  Revision revision;  // What its table says about its last change.
};

void edit_table(TableList& tables, const std::string& name, std::span<const Edit> edits,
                Revision revision) {
  const NamedTable* old = tables.find(name);
  tables.put(std::make_shared<const NamedTable>(
      NamedTable{.name = name, .table = (old ? old->table : Table()).edited(edits, revision)}));
}

SnapshotPtr edited(const Snapshot& snapshot, std::vector<KeyOutcome> outcomes, Revision revision) {
  std::ranges::sort(outcomes, [](const KeyOutcome& a, const KeyOutcome& b) {
    return std::tie(*a.key, a.order) < std::tie(*b.key, b.order);
  });
  TableList tables = snapshot.tables();
  std::vector<Edit> edits;
  for (std::size_t i = 0; i < outcomes.size();) {
    const std::string& table = outcomes[i].key->table;
    Revision newest = 0;
    edits.clear();
    for (; i < outcomes.size() && outcomes[i].key->table == table; ++i) {
      KeyOutcome& outcome = outcomes[i];
      newest = std::max(newest, outcome.revision);
      const bool again = !edits.empty() && edits.back().name == outcome.key->name;
      if (again) edits.pop_back();
      edits.push_back({.name = outcome.key->name, .entry = std::move(outcome.entry)});
    }
    edit_table(tables, table, edits, newest);
  }
  return std::make_shared<const Snapshot>(std::move(tables), revision);
}

}  // namespace

const Table& Snapshot::table(std::string_view name) const {
  static const Table kEmpty;
  const NamedTable* found = tables_.find(name);
  return found ? found->table : kEmpty;
}

std::size_t Snapshot::size() const {
  std::size_t sum = 0;
  tables_.visit("", [&sum](const NamedTablePtr& each) {
    sum += each->table.size();
    return true;
  });
  return sum;
}

SnapshotPtr applied(const Snapshot& snapshot, std::span<const EntryChange> changes) {
  if (changes.empty()) return std::make_shared<const Snapshot>(snapshot);
  CHECK(changes.front().revision > snapshot.revision());
  std::vector<KeyOutcome> outcomes;
  outcomes.reserve(changes.size());
  for (const EntryChange& change : changes) {
    outcomes.push_back({.key = &change.key,
                        .order = outcomes.size(),
                        .entry = change.after,
                        .revision = change.revision});
  }
  return edited(snapshot, std::move(outcomes), changes.back().revision);
}

SnapshotPtr undone(const Snapshot& snapshot, std::span<const EntryChange> changes,
                   Revision revision) {
  std::vector<KeyOutcome> outcomes;
  outcomes.reserve(changes.size());
  for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
    outcomes.push_back({.key = &change->key,
                        .order = outcomes.size(),
                        .entry = change->before,
                        .revision = revision});
  }
  return edited(snapshot, std::move(outcomes), revision);
}

SnapshotPtr moved_to(const Snapshot& snapshot, Revision revision) {
  CHECK(revision >= snapshot.revision());
  return std::make_shared<const Snapshot>(snapshot.tables(), revision);
}

}  // namespace berth::store
