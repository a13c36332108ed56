#include "upkeep/garbage.h"

#include <algorithm>
#include <utility>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "upkeep/owner_graph.h"

namespace berth::upkeep {
namespace {

using json::Value;

std::span<const Value> references_of(const Value& object) {
  return api::elements_field(api::field(object, "metadata"), "ownerReferences");
}

void set_list(Value& object, std::string_view name, Value list) {
  if (list.size() == 0) {
    object["metadata"].erase(name);
  } else {
    object["metadata"][name] = std::move(list);
  }
}

Value only_solid(Value object, std::span<const OwnerState> owners) {
  Value kept = Value::array();
  const std::span<const Value> references = references_of(object);
  for (std::size_t i = 0; i < references.size(); ++i) {
    if (owners[i] == OwnerState::Solid) kept.push_back(references[i]);
  }
  set_list(object, "ownerReferences", std::move(kept));
  return object;
}

bool blocks_anybody(const Value& object) {
  return std::ranges::any_of(references_of(object), [](const Value& reference) {
    return api::OwnerReference::from_json(reference).blocks_owner_deletion;
  });
}

Value blocking_nobody(Value object) {
  for (Value& reference : object["metadata"]["ownerReferences"].elements()) {
    if (reference.find("blockOwnerDeletion")) reference["blockOwnerDeletion"] = false;
  }
  return object;
}

// A cascade that somebody asked for before is not forgotten.
Cascade cascade_of(const Value& object) {
  const api::Metadata metadata(object);
  if (metadata.has_finalizer(kOrphanFinalizer)) return Cascade::Orphan;
  if (metadata.has_finalizer(kForegroundFinalizer)) return Cascade::Foreground;
  return Cascade::Background;
}

}  // namespace

Verdict judge(const Value& object, std::span<const OwnerState> owners, Below below) {
  const auto count = [owners](OwnerState state) { return std::ranges::count(owners, state); };
  if (owners.empty() || owners.size() != references_of(object).size()) return {};
  if (api::Metadata(object).is_being_deleted()) return {};
  if (count(OwnerState::Unknown) > 0) return {};
  if (const auto solid = count(OwnerState::Solid); solid > 0) {
    if (std::cmp_equal(solid, owners.size())) return {};
    return {.after = only_solid(object, owners)};
  }
  if (count(OwnerState::Awaiting) > 0 && below != Below::Nothing) {
    // In a circle each would wait for the other: this one lets go first.
    if (below == Below::DependentsThatAwait && blocks_anybody(object)) {
      return {.after = blocking_nobody(object)};
    }
    return {.deletion = Cascade::Foreground};
  }
  return {.deletion = cascade_of(object)};
}

Value without_finalizer(Value object, std::string_view finalizer) {
  Value kept = Value::array();
  for (const std::string_view name : api::Metadata(object).finalizers()) {
    if (name != finalizer) kept.push_back(name);
  }
  set_list(object, "finalizers", std::move(kept));
  return object;
}

Value without_owner(Value object, std::string_view uid) {
  Value kept = Value::array();
  for (const Value& reference : references_of(object)) {
    if (api::text_field(reference, "uid") != uid) kept.push_back(reference);
  }
  set_list(object, "ownerReferences", std::move(kept));
  return object;
}

}  // namespace berth::upkeep
