#include "apiserver/openapi/type_names.h"

#include <algorithm>
#include <vector>

#include "api/kinds/fields.h"
#include "base/strings.h"

namespace berth::apiserver {
namespace {}  // namespace

std::string custom_type_name(const api::Gvk& kind) {
  std::vector<std::string_view> parts = split(kind.group, '.');
  std::ranges::reverse(parts);
  std::string name;
  for (const std::string_view part : parts) name.append(part).append(".");
  return name + kind.version + "." + kind.kind;
}

TypeNames::TypeNames(const json::Value& types) {
  for (const auto& [name, schema] : types.members()) {
    const json::Value* kinds = schema.find("x-kubernetes-group-version-kind");
    if (!kinds) continue;
    for (const json::Value& kind : kinds->elements()) {
      builtin_.emplace(api::Gvk{.group = api::text_field(kind, "group"),
                                .version = api::text_field(kind, "version"),
                                .kind = api::text_field(kind, "kind")},
                       name.string_or_empty());
    }
  }
}

std::string TypeNames::object(const Resource& resource) const {
  return name_of(
      {.group = resource.gvr.group, .version = resource.gvr.version, .kind = resource.kind});
}

std::string TypeNames::list(const Resource& resource) const {
  return name_of(
      {.group = resource.gvr.group, .version = resource.gvr.version, .kind = resource.list_kind});
}

std::string TypeNames::body(const Resource& resource, const Subresource& subresource) const {
  return subresource.kind.kind == resource.kind ? object(resource) : name_of(subresource.kind);
}

std::string TypeNames::name_of(const api::Gvk& kind) const {
  const auto found = builtin_.find(kind);
  return found == builtin_.end() ? custom_type_name(kind) : found->second;
}

}  // namespace berth::apiserver
