#include "api/metadata.h"

#include <algorithm>

#include "api/kinds/fields.h"
#include "base/rfc3339.h"
#include "json/text_of.h"

namespace berth::api {
namespace {

bool flag_of(const json::Value& object, std::string_view name) {
  const json::Value* value = object.find(name);
  return value && value->as_bool().value_or(false);
}

}  // namespace

OwnerReference OwnerReference::from_json(const json::Value& reference) {
  return {.api_version = text_field(reference, "apiVersion"),
          .kind = text_field(reference, "kind"),
          .name = text_field(reference, "name"),
          .uid = text_field(reference, "uid"),
          .is_controller = flag_of(reference, "controller"),
          .blocks_owner_deletion = flag_of(reference, "blockOwnerDeletion")};
}

json::Value OwnerReference::to_json() const {
  json::Value reference = json::Value::object(
      {{"apiVersion", api_version}, {"kind", kind}, {"name", name}, {"uid", uid}});
  if (is_controller) reference["controller"] = true;
  if (blocks_owner_deletion) reference["blockOwnerDeletion"] = true;
  return reference;
}

const json::Value* Metadata::find(std::string_view field) const {
  return metadata_ ? metadata_->find(field) : nullptr;
}

std::string_view Metadata::text(std::string_view field) const {
  return json::text_of(metadata_, field);
}

std::optional<Time> Metadata::time(std::string_view field) const {
  const auto parsed = parse_rfc3339(text(field));
  return parsed.ok() ? std::optional(*parsed) : std::nullopt;
}

std::span<const json::Value> Metadata::list(std::string_view field) const {
  const json::Value* value = find(field);
  return value ? value->elements() : std::span<const json::Value>();
}

std::int64_t Metadata::generation() const {
  const json::Value* value = find("generation");
  return value ? value->as_int().value_or(0) : 0;
}

ObjectKey Metadata::key() const {
  return {.ns = std::string(namespace_name()), .name = std::string(name())};
}

std::vector<std::string_view> Metadata::finalizers() const {
  std::vector<std::string_view> names;
  for (const json::Value& name : list("finalizers")) names.push_back(name.string_or_empty());
  return names;
}

bool Metadata::has_finalizer(std::string_view name) const {
  return std::ranges::any_of(list("finalizers"), [name](const json::Value& finalizer) {
    return finalizer.string_or_empty() == name;
  });
}

std::vector<OwnerReference> Metadata::owner_references() const {
  std::vector<OwnerReference> references;
  for (const json::Value& reference : list("ownerReferences")) {
    references.push_back(OwnerReference::from_json(reference));
  }
  return references;
}

std::optional<OwnerReference> Metadata::controller() const {
  for (const json::Value& reference : list("ownerReferences")) {
    if (flag_of(reference, "controller")) return OwnerReference::from_json(reference);
  }
  return std::nullopt;
}

}  // namespace berth::api
