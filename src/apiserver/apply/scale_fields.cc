#include "apiserver/apply/scale_fields.h"

#include <utility>

#include "apiserver/apply/managed_fields.h"

namespace berth::apiserver {
namespace {

constexpr std::string_view kScaleVersion = "autoscaling/v1";

FieldPath path_in_scale() { return path_of({"spec", "replicas"}); }

// The same manager as the other side knows it.
ManagerName in_version(ManagerName name, std::string_view api_version) {
  name.api_version = api_version;
  return name;
}

}  // namespace

Result<json::Value> managed_fields_of_scale(const json::Value* of_object,
                                            const ReplicasPlace& place) {
  ASSIGN_OR_RETURN(const ManagedFields owners, decode_managed_fields(of_object));
  ManagedFields result;
  for (const ManagedEntry& entry : owners) {
    if (!entry.fields.has(place.path)) continue;
    result.push_back({.name = in_version(entry.name, kScaleVersion),
                      .time = entry.time,
                      .fields = field_set({path_in_scale()})});
  }
  return encode_managed_fields(std::move(result));
}

Result<json::Value> managed_fields_after_scale(const json::Value* of_object,
                                               const json::Value* of_scale,
                                               const ReplicasPlace& place) {
  ASSIGN_OR_RETURN(ManagedFields owners, decode_managed_fields(of_object));
  ASSIGN_OR_RETURN(ManagedFields scalers, decode_managed_fields(of_scale));
  const FieldSet replicas = field_set({place.path});
  for (ManagedEntry& entry : owners) {
    if (!entry.fields.has(place.path)) continue;
    const ManagedEntry* kept = find_manager(scalers, in_version(entry.name, kScaleVersion));
    if (!kept) entry.fields = subtract(std::move(entry.fields), replicas);
  }
  std::erase_if(owners, [](const ManagedEntry& entry) { return entry.fields.is_empty(); });
  for (const ManagedEntry& entry : scalers) {
    if (!entry.fields.has(path_in_scale())) continue;
    const ManagerName name = in_version(entry.name, place.api_version);
    ManagedEntry* owner = find_manager(owners, name);
    if (owner && owner->fields.has(place.path)) continue;
    if (!owner) owner = &owners.emplace_back(ManagedEntry{.name = name});
    owner->fields = unite(std::move(owner->fields), replicas);
  }
  return encode_managed_fields(std::move(owners));
}

}  // namespace berth::apiserver
