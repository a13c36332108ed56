#include "apiserver/apply/ownership.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "apiserver/apply/field_set_of.h"
#include "apiserver/apply/merge.h"
#include "base/strings.h"

namespace berth::apiserver {
namespace {

using json::Value;

bool is_self(const ManagedEntry& entry, const ManagerName* self) {
  return self && entry.name.is_same(*self);
}

std::string conflict_message(const std::vector<FieldConflict>& conflicts) {
  if (conflicts.size() == 1) {
    return fmt::format("Apply failed with 1 conflict: conflict with {}: {}",
                       conflicts[0].manager.display(), text_of(conflicts[0].path));
  }
  std::vector<std::string> lines;
  const ManagerName* manager = nullptr;
  for (const FieldConflict& conflict : conflicts) {
    if (!manager || !manager->is_same(conflict.manager)) {
      manager = &conflict.manager;
      lines.push_back(fmt::format("conflicts with {}:", manager->display()));
    }
    lines.push_back("- " + text_of(conflict.path));
  }
  return fmt::format("Apply failed with {} conflicts: {}", conflicts.size(), join(lines, "\n"));
}

// What is owned in each version, the given one first. The reference goes version by version, which
// matters: an element that is kept for one version only does not keep what another owns in it.
std::vector<FieldSet> owned_by_version(const ManagedFields& owners, const std::string& first) {
  std::map<std::string, FieldSet> by_version;
  for (const ManagedEntry& entry : owners) {
    FieldSet& owned = by_version[entry.name.api_version];
    owned = unite(std::move(owned), entry.fields);
  }
  std::vector<FieldSet> sets;
  if (auto node = by_version.extract(first)) sets.push_back(std::move(node.mapped()));
  for (auto& [version, owned] : by_version) sets.push_back(std::move(owned));
  return sets;
}

// The updaters, oldest first.
std::vector<std::size_t> updaters_by_age(const ManagedFields& owners) {
  std::vector<std::tuple<std::int64_t, std::string, std::size_t>> keys;
  for (std::size_t i = 0; i < owners.size(); ++i) {
    const ManagedEntry& entry = owners[i];
    if (entry.name.operation != Operation::Update) continue;
    keys.emplace_back(entry.time ? entry.time->unix_seconds() : 0, entry.name.identifier(), i);
  }
  std::ranges::sort(keys);
  std::vector<std::size_t> positions;
  for (const auto& key : keys) positions.push_back(std::get<2>(key));
  return positions;
}

}  // namespace

Error conflict_error(const std::vector<FieldConflict>& conflicts) {
  Error error{.code = Code::Conflict, .message = conflict_message(conflicts)};
  for (const FieldConflict& conflict : conflicts) {
    error.causes.push_back({.reason = "FieldManagerConflict",
                            .message = "conflict with " + conflict.manager.display(),
                            .field = text_of(conflict.path)});
  }
  return error;
}

std::vector<FieldConflict> conflicts_of(const ManagedFields& owners, const Changes& changes,
                                        const ManagerName* self) {
  std::map<std::string, const ManagedEntry*> sorted;
  for (const ManagedEntry& entry : owners) {
    if (!is_self(entry, self)) sorted.emplace(entry.name.identifier(), &entry);
  }
  const FieldSet changed = unite(changes.modified, changes.added);
  std::vector<FieldConflict> conflicts;
  for (const auto& [identifier, entry] : sorted) {
    for (FieldPath& path : paths_of(intersect(entry->fields, changed))) {
      conflicts.push_back({entry->name, std::move(path)});
    }
  }
  return conflicts;
}

ManagedFields after_changes(ManagedFields owners, const Changes& changes, const ManagerName* self) {
  for (ManagedEntry& entry : owners) {
    if (is_self(entry, self)) continue;
    entry.fields = subtract(std::move(entry.fields), changes.modified);
    entry.fields = subtract(std::move(entry.fields), changes.added);
    entry.fields = subtract(std::move(entry.fields), changes.removed);
  }
  std::erase_if(owners, [](const ManagedEntry& entry) { return entry.fields.is_empty(); });
  return owners;
}

Changes without_fields(Changes changes, const FieldSet& fields) {
  return {subtract_with_children(std::move(changes.removed), fields),
          subtract_with_children(std::move(changes.modified), fields),
          subtract_with_children(std::move(changes.added), fields)};
}

Value prune(const Value& merged, const ManagedEntry& last, const ManagedFields& owners,
            const TypeRef& type) {
  if (last.fields.is_empty()) return merged;
  const auto fields_of = [&](const Value& value) {
    return with_declared_fields(field_set_of(value, type), type);
  };
  const FieldSet before = with_declared_fields(last.fields, type);
  const FieldSet everything = fields_of(merged);

  // Too much at first: what others own comes back, and what was nobody's stays.
  Value pruned = remove_fields(merged, before, type);
  for (FieldSet& owned : owned_by_version(owners, last.name.api_version)) {
    const FieldSet kept = unite(fields_of(pruned), with_declared_fields(std::move(owned), type));
    pruned = remove_fields(merged, subtract(everything, kept), type);
  }
  const FieldSet gone = subtract(everything, fields_of(pruned));
  return remove_fields(merged, intersect(gone, before), type);
}

ManagedFields with_few_updaters(ManagedFields owners) {
  const std::vector<std::size_t> updaters = updaters_by_age(owners);
  std::size_t count = updaters.size();
  std::map<std::string, std::size_t> firsts;  // By version: the oldest updater.
  std::vector<bool> is_gone(owners.size());
  const auto find_bucket = [&](const ManagerName& name) {
    std::size_t at = 0;
    while (at < owners.size() && (is_gone[at] || !owners[at].name.is_same(name))) ++at;
    return at;
  };
  for (const std::size_t at : updaters) {
    if (count <= kUpdatersMax) break;
    ManagedEntry& entry = owners[at];
    const auto [first, is_first] = firsts.emplace(entry.name.api_version, at);
    if (is_first) continue;
    const ManagerName name{.manager = "ancient-changes", .api_version = entry.name.api_version};
    std::size_t bucket = find_bucket(name);
    if (bucket == owners.size()) {
      bucket = first->second;
      owners[bucket].name = name;
    }
    // The reference forgets a bucket that is not the oldest itself; so does this.
    if (bucket != at) {
      owners[bucket].fields = unite(std::move(owners[bucket].fields), std::move(entry.fields));
      owners[bucket].time = entry.time;
    }
    is_gone[at] = true;
    --count;
  }
  ManagedFields result;
  for (std::size_t i = 0; i < owners.size(); ++i) {
    if (!is_gone[i]) result.push_back(std::move(owners[i]));
  }
  return result;
}

}  // namespace berth::apiserver
