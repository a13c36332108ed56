// Who owns which fields after a write: the rules of server-side apply on sets of fields.

#pragma once

#include <string>
#include <vector>

#include "apiserver/apply/compare.h"
#include "apiserver/apply/managed_fields.h"
#include "apiserver/apply/type_ref.h"
#include "base/result.h"
#include "json/value.h"

namespace berth::apiserver {

// Somebody else owns a field that an apply wants to change.
struct FieldConflict {
  ManagerName manager;
  FieldPath path;
};

// Code Conflict; the message groups the fields by manager, each conflict is a cause.
Error conflict_error(const std::vector<FieldConflict>& conflicts);

// What others than `self` own and the change touches, by manager and path. `self` may be nullptr.
std::vector<FieldConflict> conflicts_of(const ManagedFields& owners, const Changes& changes,
                                        const ManagerName* self);

// Takes from everybody but `self` what was changed or removed; who is left with nothing disappears.
ManagedFields after_changes(ManagedFields owners, const Changes& changes, const ManagerName* self);

// The changes without those of the given fields and what is below them.
Changes without_fields(Changes changes, const FieldSet& fields);

// `merged` without what the applier owned before (`last`), does not apply any more, and nobody in
// `owners` (which has the applier's new fields) owns.
json::Value prune(const json::Value& merged, const ManagedEntry& last, const ManagedFields& owners,
                  const TypeRef& type);

// Merges the oldest updaters until there are no more than ten; appliers do not count.
inline constexpr int kUpdatersMax = 10;
ManagedFields with_few_updaters(ManagedFields owners);

}  // namespace berth::apiserver
