#include "apiserver/apply/field_manager.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apiserver/apply/compare.h"
#include "apiserver/apply/field_set_of.h"
#include "apiserver/apply/last_applied.h"
#include "apiserver/apply/managed_fields.h"
#include "apiserver/apply/merge.h"
#include "apiserver/apply/ownership.h"
#include "apiserver/apply/type_ref.h"
#include "apiserver/apply/validate.h"
#include "json/text_of.h"

namespace berth::apiserver {
namespace {

using json::Value;

constexpr std::string_view kBeforeFirstApply = "before-first-apply";

// What nobody ever owns: the server's own fields.
const FieldSet& untracked_fields() {
  static const FieldSet fields =
      field_set({path_of({"apiVersion"}), path_of({"kind"}), path_of({"metadata"}),
                 path_of({"metadata", "name"}), path_of({"metadata", "namespace"}),
                 path_of({"metadata", "creationTimestamp"}), path_of({"metadata", "selfLink"}),
                 path_of({"metadata", "uid"}), path_of({"metadata", "clusterName"}),
                 path_of({"metadata", "generation"}), path_of({"metadata", "managedFields"}),
                 path_of({"metadata", "resourceVersion"})});
  return fields;
}

const Value* managed_fields_of(const Value* object) {
  return object ? object->find_path({"metadata", "managedFields"}) : nullptr;
}

// Out of the object; null if it has none.
Value take_managed_fields(Value& object) {
  Value* metadata = object.find("metadata");
  Value* fields = metadata ? metadata->find("managedFields") : nullptr;
  if (!fields) return {};
  Value taken = std::move(*fields);
  metadata->erase("managedFields");
  return taken;
}

Value with_managed_fields(Value object, Value encoded) {
  if (!encoded.is_null()) {
    object["metadata"]["managedFields"] = std::move(encoded);
  } else if (Value* metadata = object.find("metadata")) {
    metadata->erase("managedFields");
  }
  return object;
}

// An object of the kind before anybody wrote to it.
Value blank_object(const Value& like) {
  Value blank = Value::object();
  for (const std::string_view name : {"apiVersion", "kind"}) {
    if (const Value* value = like.find(name)) blank.append_member(name, *value);
  }
  return blank;
}

bool has_uid(const Value* object) {
  const Value* uid = object ? object->find_path({"metadata", "uid"}) : nullptr;
  return uid && !uid->string_or_empty().empty();
}

Result<Changes> tracked_changes(const Value& before, const Value& after, const TypeRef& type,
                                const FieldSet* reset_fields) {
  ASSIGN_OR_RETURN(Changes changes, compare(before, after, type));
  if (reset_fields) changes = without_fields(std::move(changes), *reset_fields);
  const FieldSet& untracked = untracked_fields();
  return Changes{subtract(std::move(changes.removed), untracked),
                 subtract(std::move(changes.modified), untracked),
                 subtract(std::move(changes.added), untracked)};
}

ManagedFields reconciled(ManagedFields owners, const TypeRef& type) {
  for (ManagedEntry& entry : owners) entry.fields = reconciled(std::move(entry.fields), type);
  return owners;
}

// The owners after a write that was no apply.
ManagedFields with_update(ManagedFields owners, const Changes& changes, const UpdateOptions& by) {
  owners = after_changes(std::move(owners), changes, nullptr);
  FieldSet own = unite(changes.modified, changes.added);
  if (own.is_empty()) return with_few_updaters(std::move(owners));
  const ManagerName name{.manager = by.manager.empty() ? "unknown" : by.manager,
                         .operation = Operation::Update,
                         .api_version = by.api_version,
                         .subresource = by.subresource};
  ManagedEntry* entry = find_manager(owners, name);
  if (!entry) entry = &owners.emplace_back(ManagedEntry{.name = name});
  entry->fields = unite(std::move(entry->fields), std::move(own));
  entry->time = by.now;
  return with_few_updaters(std::move(owners));
}

// Where the owners before an update stand.
struct Origin {
  bool is_live = false;                       // As `live` has them.
  bool is_same = false;                       // And the new object has the same.
  std::optional<ManagedFields> brought = {};  // By the new object, which may be none.
};

Origin origin_of(const Value* live_encoded, const Value& brought, const Schema& schema,
                 const UpdateOptions& options) {
  // The reference loses empty lists in the metadata of custom resources while it reads them.
  const bool is_custom = schema.type_name.empty();
  const bool brings_none =
      brought.is_null() || (is_custom && brought.is_array() && brought.size() == 0);
  if (!options.subresource.empty() || brings_none) return {.is_live = true};
  if (is_reset(brought)) return {.brought = ManagedFields{}};
  if (live_encoded && *live_encoded == brought) return {.is_live = true, .is_same = true};
  auto decoded = decode_managed_fields(&brought);
  if (!decoded.ok() || decoded->empty()) return {.is_live = true};
  return {.brought = *std::move(decoded)};
}

// What an apply would lead to, and whom it would take fields from.
struct Attempt {
  Value object = {};
  ManagedFields owners = {};
  std::vector<FieldConflict> conflicts = {};
};

Result<Attempt> attempt(const Value& live, const Value& applied, const TypeRef& type,
                        ManagedFields owners, const ApplyOptions& options) {
  const ManagerName self{.manager = options.manager.empty() ? "unknown" : options.manager,
                         .operation = Operation::Apply,
                         .api_version = options.api_version,
                         .subresource = options.subresource};
  ManagedEntry* entry = find_manager(owners, self);
  if (!entry) entry = &owners.emplace_back(ManagedEntry{.name = self});
  FieldSet own = field_set_of(applied, type);
  if (options.reset_fields) own = subtract_with_children(std::move(own), *options.reset_fields);
  const ManagedEntry last = *entry;
  entry->name = self;
  entry->fields = std::move(own);

  Attempt result{.object = prune(merge(live, applied, type), last, owners, type)};
  ASSIGN_OR_RETURN(const Changes changes,
                   tracked_changes(live, result.object, type, options.reset_fields));
  result.conflicts = conflicts_of(owners, changes, &self);
  owners = after_changes(std::move(owners), changes, &self);
  if (ManagedEntry* mine = find_manager(owners, self)) {
    mine->fields = subtract(std::move(mine->fields), untracked_fields());
    if (result.object != live) mine->time = options.now;
    std::erase_if(owners, [](const ManagedEntry& other) { return other.fields.is_empty(); });
  }
  result.owners = std::move(owners);
  return result;
}

// "apps/v1, Kind=Deployment", "/v1, Kind=Pod"
std::string display_kind(const Value& object) {
  const std::string_view version = text_at(object, {"apiVersion"});
  return fmt::format("{}{}, Kind={}", version.contains('/') ? "" : "/", version,
                     text_at(object, {"kind"}));
}

Status check_configuration(const Value& applied, const TypeRef& type, const ApplyOptions& options) {
  if (text_at(applied, {"apiVersion"}) != options.api_version ||
      text_at(applied, {"kind"}) != options.kind) {
    return failure(Code::BadRequest, "invalid object type: " + display_kind(applied));
  }
  const Value* managed_fields = managed_fields_of(&applied);
  if (managed_fields && !managed_fields->is_null()) {
    return failure(Code::BadRequest, "metadata.managedFields must be nil");
  }
  Status valid = validate_forms(applied, type, Duplicates::Refused);
  if (valid.ok()) return {};
  return failure(std::move(valid).error().in_context(
      fmt::format("failed to create typed patch object ({}/{}; {})",
                  text_at(applied, {"metadata", "namespace"}),
                  text_at(applied, {"metadata", "name"}), display_kind(applied))));
}

Result<ManagedFields> owners_before_apply(const Value& live, const TypeRef& type,
                                          const ApplyOptions& options) {
  auto owners = decode_managed_fields(managed_fields_of(&live));
  if (!owners.ok()) {
    return failure(Code::Unknown, "failed to decode managed fields: " + owners.error().message);
  }
  if (!owners->empty()) return reconciled(*std::move(owners), type);
  ASSIGN_OR_RETURN(const Changes everything,
                   tracked_changes(blank_object(live), live, type, options.reset_fields));
  return with_update({}, everything,
                     {.manager = std::string(kBeforeFirstApply),
                      .api_version = options.api_version,
                      .subresource = options.subresource,
                      .now = options.now});
}

// The conflicts that remain when those about fields from the annotation are none.
std::vector<FieldConflict> foreign_conflicts(std::vector<FieldConflict> conflicts,
                                             const Value& live, const TypeRef& type,
                                             const ApplyOptions& options) {
  if (conflicts.empty() || options.manager != kKubectl) return conflicts;
  const FieldSet own = fields_of_last_applied(live, options.api_version, type);
  std::erase_if(conflicts, [&](const FieldConflict& conflict) { return own.has(conflict.path); });
  return conflicts;
}

}  // namespace

Result<Value> apply(const Value* live, const Value& applied, const Schema& schema,
                    const ApplyOptions& options) {
  const TypeRef type = TypeRef::of_object(schema);
  RETURN_IF_ERROR(check_configuration(applied, type, options));
  const Value before = live ? *live : blank_object(applied);
  if (Status valid = validate_forms(before, type, Duplicates::Allowed); !valid.ok()) {
    return failure(std::move(valid).error().in_context("failed to create typed live object"));
  }
  ASSIGN_OR_RETURN(ManagedFields owners, owners_before_apply(before, type, options));
  ASSIGN_OR_RETURN(Attempt attempted, attempt(before, applied, type, std::move(owners), options));
  if (!options.force) {
    const auto conflicts = foreign_conflicts(std::move(attempted.conflicts), before, type, options);
    if (!conflicts.empty()) return failure(conflict_error(conflicts));
  }
  Value object = with_managed_fields(std::move(attempted.object),
                                     encode_managed_fields(std::move(attempted.owners)));
  if (options.manager == kKubectl && has_last_applied(object)) {
    object = with_last_applied(std::move(object), applied);
  }
  return object;
}

Value update(const Value* live, Value object, const Schema& schema, const UpdateOptions& options) {
  const Value* live_encoded = managed_fields_of(live);
  Value brought = take_managed_fields(object);
  Origin origin = origin_of(live_encoded, brought, schema, options);
  const bool lives_on = origin.is_live && live_encoded && live_encoded->size() > 0;
  const bool has_owners = lives_on || (origin.brought && !origin.brought->empty());
  if (!has_owners && has_uid(live)) return object;

  const TypeRef type = TypeRef::of_object(schema);
  const Value blank = live ? Value() : blank_object(object);
  const auto changes = tracked_changes(live ? *live : blank, object, type, options.reset_fields);
  if (!changes.ok()) return object;
  if (lives_on && changes->is_empty()) {
    return with_managed_fields(std::move(object),
                               origin.is_same ? std::move(brought) : *live_encoded);
  }

  ManagedFields owners;
  if (origin.brought) owners = *std::move(origin.brought);
  if (lives_on) {
    auto decoded = decode_managed_fields(live_encoded);
    if (!decoded.ok() && has_uid(live)) return object;
    if (decoded.ok()) owners = *std::move(decoded);
  }
  owners = with_update(reconciled(std::move(owners), type), *changes, options);
  return with_managed_fields(std::move(object), encode_managed_fields(std::move(owners)));
}

}  // namespace berth::apiserver
