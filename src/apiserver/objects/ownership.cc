#include "apiserver/objects/ownership.h"

#include <utility>

#include "apiserver/apply/field_manager.h"
#include "apiserver/kinds/zero_values.h"

namespace berth::apiserver {
namespace {

// What a request of this kind cannot set: the status through the object itself, everything else
// through the status.
FieldSet reset_fields(const Resource& resource, std::string_view subresource) {
  FieldSet fields;
  if (!resource.find_subresource("status")) return fields;
  const std::string_view other = subresource == "status" ? "spec" : "status";
  fields.insert(FieldPath{PathElement::field(std::string(other))});
  return fields;
}

}  // namespace

json::Value with_owner(const Resource& resource, const json::Value* live, json::Value object,
                       const Writer& writer) {
  const FieldSet reset = reset_fields(resource, writer.subresource);
  // What every object of the kind has is nobody's doing.
  json::Value nothing;
  if (!live && !resource.custom) {
    nothing = zero_value(resource.schema->type_name);
    live = &nothing;
  }
  return update(live, std::move(object), *resource.schema,
                {.manager = writer.manager,
                 .api_version = resource.api_version(),
                 .subresource = writer.subresource,
                 .now = writer.now,
                 .reset_fields = &reset});
}

Attempt<json::Value> applied(const Resource& resource, const json::Value* live,
                             const json::Value& configuration, const Writer& writer,
                             OnConflict on_conflict) {
  const FieldSet reset = reset_fields(resource, writer.subresource);
  auto result = apply(live, configuration, *resource.schema,
                      {.manager = writer.manager,
                       .api_version = resource.api_version(),
                       .kind = resource.kind,
                       .subresource = writer.subresource,
                       .force = on_conflict == OnConflict::Force,
                       .now = writer.now,
                       .reset_fields = &reset});
  if (!result.ok()) return refuse(std::move(result).error());
  return *std::move(result);
}

}  // namespace berth::apiserver
