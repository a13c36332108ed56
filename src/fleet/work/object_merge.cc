#include "fleet/work/object_merge.h"

#include <string_view>
#include <utility>
#include <vector>

#include "api/group_version.h"
#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "fleet/work/members.h"
#include "fleet/work/names.h"

namespace berth::fleet {
namespace {

using api::field;
using api::text_field;

// "a--" takes "a" away, as in OCM.
std::string_view without_dashes(std::string_view key) {
  const std::size_t last = key.find_last_not_of('-');
  return last == std::string_view::npos ? std::string_view() : key.substr(0, last + 1);
}

std::string group_of(const json::Value& reference) {
  const auto version = api::parse_group_version(text_field(reference, "apiVersion"));
  return version.ok() ? version->group : std::string();
}

bool is_same_owner(const json::Value& a, const json::Value& b) {
  return text_field(a, "name") == text_field(b, "name") &&
         text_field(a, "kind") == text_field(b, "kind") && group_of(a) == group_of(b);
}

void drop_removals(json::Value& object, std::string_view part) {
  json::Value* metadata = object.find("metadata");
  json::Value* map = metadata ? metadata->find(part) : nullptr;
  if (!map) return;
  std::vector<std::string> removals;
  for (const json::Member& member : map->members()) {
    if (member.name().ends_with('-')) removals.emplace_back(member.name());
  }
  for (const std::string& key : removals) map->erase(key);
}

}  // namespace

json::Value owner_reference(const json::Value& applied_work) {
  const api::Metadata metadata(applied_work);
  return json::Value::object({{"apiVersion", kWorkApiVersion},
                              {"kind", kAppliedWorkKind},
                              {"name", metadata.name()},
                              {"uid", metadata.uid()}});
}

std::optional<json::Value> merged_map(const json::Value& existing, const json::Value& required) {
  json::Value merged = existing.is_object() ? existing : json::Value::object();
  bool changed = false;
  for (const json::Member& member : required.members()) {
    if (member.name().ends_with('-')) {
      changed |= merged.erase(without_dashes(member.name()));
      continue;
    }
    const json::Value* had = merged.find(member.name());
    if (had && *had == member.value) continue;
    merged[member.name()] = member.value;
    changed = true;
  }
  if (!changed) return std::nullopt;
  return merged;
}

std::optional<json::Value> merged_owners(const json::Value& existing, const OwnerWish& owner) {
  json::Value merged = existing.is_array() ? existing : json::Value::array();
  for (std::size_t i = 0; i < merged.size(); ++i) {
    json::Value& reference = merged.elements()[i];
    if (!is_same_owner(reference, owner.reference)) continue;
    if (owner.owned && reference == owner.reference) return std::nullopt;
    if (owner.owned) {
      reference = owner.reference;
    } else {
      merged.erase_at(i);
    }
    return merged;
  }
  if (!owner.owned) return std::nullopt;
  merged.push_back(owner.reference);
  return merged;
}

std::optional<json::Value> merged_metadata(const json::Value& live, const json::Value& manifest,
                                           const OwnerWish& owner) {
  const json::Value& existing = field(live, "metadata");
  const json::Value& required = field(manifest, "metadata");
  auto labels = merged_map(field(existing, "labels"), field(required, "labels"));
  auto annotations = merged_map(field(existing, "annotations"), field(required, "annotations"));
  auto owners = merged_owners(field(existing, "ownerReferences"), owner);
  if (!labels && !annotations && !owners) return std::nullopt;
  json::Value merged = live;
  json::Value& metadata = object_in(merged, "metadata");
  if (labels) metadata["labels"] = *std::move(labels);
  if (annotations) metadata["annotations"] = *std::move(annotations);
  if (owners) metadata["ownerReferences"] = *std::move(owners);
  return merged;
}

json::Value as_created(json::Value manifest, const OwnerWish& owner) {
  drop_removals(manifest, "labels");
  drop_removals(manifest, "annotations");
  json::Value& metadata = object_in(manifest, "metadata");
  metadata.erase("uid");
  metadata.erase("ownerReferences");
  if (owner.owned) metadata["ownerReferences"] = json::Value::array({owner.reference});
  return manifest;
}

std::optional<json::Value> owners_patch(const json::Value& live, const OwnerWish& owner) {
  auto owners = merged_owners(field(field(live, "metadata"), "ownerReferences"), owner);
  if (!owners) return std::nullopt;
  const api::Metadata metadata(live);
  return json::Value::object(
      {{"metadata", json::Value::object({{"uid", metadata.uid()},
                                         {"resourceVersion", metadata.resource_version()},
                                         {"ownerReferences", *std::move(owners)}})}});
}

}  // namespace berth::fleet
