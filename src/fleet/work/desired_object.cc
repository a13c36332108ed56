#include "fleet/work/desired_object.h"

#include <string_view>
#include <utility>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "base/hash.h"
#include "base/strings.h"
#include "fleet/work/ignored_fields.h"
#include "fleet/work/kind_content.h"
#include "fleet/work/members.h"
#include "fleet/work/names.h"
#include "json/print.h"

namespace berth::fleet {
namespace {

using api::field;

bool is_map_or_absent(const json::Value& metadata, std::string_view name) {
  const json::Value& part = field(metadata, name);
  return part.is_null() || part.is_object();
}

bool has_same_content(const json::Value& a, const json::Value& b) {
  const auto content = [](json::Value object) {
    object.erase("metadata");
    object.erase("status");
    return object;
  };
  return content(a) == content(b);
}

Deed own(const Wish& wish, const json::Value& live) {
  if (auto patch = owners_patch(live, wish.owner)) return PatchOwners{*std::move(patch)};
  return Nothing{};
}

Deed update(const Wish& wish, const json::Value* live, std::optional<Fingerprint> settled) {
  if (!live) return CreateObject{as_created(wish.manifest, wish.owner)};
  auto metadata = merged_metadata(*live, wish.manifest, wish.owner);
  const bool is_settled = settled && *settled == fingerprint(*live, UpdateType::Update);
  if (!metadata && is_settled) return Nothing{};
  json::Value object = with_content_of(*live, wish.manifest);
  if (!metadata && has_same_content(object, *live)) return Nothing{};
  if (metadata) object["metadata"] = std::move(*metadata->find("metadata"));
  return ReplaceObject{std::move(object)};
}

Deed apply(const Wish& wish, const json::Value* live, std::optional<Fingerprint> settled) {
  json::Value object = without_empty_times(wish.manifest);
  object_in(object, "metadata").erase("uid");
  if (wish.update.ignored.empty()) {
    const bool is_settled =
        live && settled && *settled == fingerprint(*live, UpdateType::ServerSideApply);
    if (is_settled) return own(wish, *live);
  } else {
    json::Value reduced = without_ignored(object, wish.update.ignored);
    const std::string hash = content_hash(reduced);
    if (live && api::Metadata(*live).annotations().find(kSpecHashAnnotation) == hash) {
      return own(wish, *live);
    }
    if (live) object = std::move(reduced);
    object_in(object_in(object, "metadata"), "annotations")[kSpecHashAnnotation] = hash;
  }
  return ApplyObject{.object = std::move(object),
                     .field_manager = wish.update.field_manager,
                     .force = wish.update.force};
}

}  // namespace

Fingerprint fingerprint(const json::Value& live, UpdateType type) {
  Fingerprint hash = kHashStart;
  for (const json::Member& member : live.members()) {
    if (member.name() == "status" || member.name() == "metadata") continue;
    hash = hash64(member.name(), hash);
    hash = hash64(json::print(member.value), hash);
  }
  if (type != UpdateType::ServerSideApply) return hash;
  for (const std::string_view part : {"labels", "annotations"}) {
    hash = hash64(json::print(field(field(live, "metadata"), part)), hash);
  }
  return hash;
}

Status check_manifest(const json::Value& manifest) {
  for (const std::string_view name : {"kind", "apiVersion"}) {
    if (!api::text_field(manifest, name).empty()) continue;
    const std::string missing = name == "kind" ? "Kind" : std::string(name);
    return failure(Code::Invalid, "Object '" + missing + "' is missing in '" +
                                      std::string(cut_utf8(json::print(manifest), 1024)) + "'");
  }
  const json::Value& metadata = field(manifest, "metadata");
  const bool sound = metadata.is_object() && is_map_or_absent(metadata, "labels") &&
                     is_map_or_absent(metadata, "annotations");
  if (!sound)
    return failure(Code::Invalid,
                   "metadata: expected an object with maps of labels and "
                   "annotations");
  return {};
}

Deed deed_for(const Wish& wish, const json::Value* live, std::optional<Fingerprint> settled) {
  switch (wish.update.type) {
    case UpdateType::Update:
      return update(wish, live, settled);
    case UpdateType::CreateOnly:
      if (!live) return CreateObject{as_created(wish.manifest, wish.owner)};
      return own(wish, *live);
    case UpdateType::ReadOnly:
      return Nothing{};
    case UpdateType::ServerSideApply:
      return apply(wish, live, settled);
  }
  return Nothing{};
}

}  // namespace berth::fleet
