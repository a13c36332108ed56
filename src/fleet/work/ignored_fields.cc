#include "fleet/work/ignored_fields.h"

#include <string_view>
#include <utility>

#include "api/json_path.h"
#include "fleet/work/names.h"
#include "json/pointer.h"
#include "json/print.h"

namespace berth::fleet {
namespace {

// The last name is cut off at the last dot, as in OCM: what is before leads to the objects that
// lose it.
void remove_path(json::Value& object, std::string_view path) {
  const std::size_t dot = path.rfind('.');
  if (dot == std::string_view::npos) return;
  const auto parents = api::JsonPath::parse(path.substr(0, dot));
  if (!parents.ok()) return;
  for (json::Value* parent : parents->find(object)) {
    if (parent->is_object()) parent->erase(path.substr(dot + 1));
  }
}

void remove_pointer(json::Value& object, std::string_view text) {
  const auto pointer = json::Pointer::parse(text);
  if (!pointer.ok() || pointer->is_root()) return;
  json::Value* parent = json::find(object, pointer->parent());
  if (parent && parent->is_object()) parent->erase(pointer->last());
}

void strip_times(json::Value& value) {
  if (!value.is_object()) return;
  if (json::Value* metadata = value.find("metadata"); metadata && metadata->is_object()) {
    const json::Value* time = metadata->find("creationTimestamp");
    if (time && time->is_null()) metadata->erase("creationTimestamp");
  }
  for (const json::Member& member : value.members()) {
    json::Value* part = value.find(member.name());
    if (part->is_object()) strip_times(*part);
    if (!part->is_array()) continue;
    for (json::Value& element : part->elements()) strip_times(element);
  }
}

}  // namespace

json::Value without_ignored(json::Value manifest, const std::vector<IgnoredFields>& ignored) {
  for (const IgnoredFields& fields : ignored) {
    if (fields.since == IgnoredFields::Since::Change) continue;
    for (const std::string& path : fields.json_paths) remove_path(manifest, path);
    for (const std::string& pointer : fields.json_pointers) remove_pointer(manifest, pointer);
  }
  return manifest;
}

std::string content_hash(const json::Value& manifest) { return hex_sha256(json::print(manifest)); }

json::Value without_empty_times(json::Value object) {
  strip_times(object);
  return object;
}

}  // namespace berth::fleet
