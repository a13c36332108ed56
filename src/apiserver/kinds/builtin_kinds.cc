#include "apiserver/kinds/builtin_kinds.h"

#include <string_view>
#include <utility>

#include "api/kinds/fields.h"
#include "apiserver/kinds/kinds_files.h"
#include "base/check.h"

namespace berth::apiserver {
namespace {

using json::Value;

std::vector<std::string> texts_of(const Value& row, std::string_view name) {
  std::vector<std::string> texts;
  if (const Value* list = row.find(name)) {
    for (const Value& text : list->elements()) texts.emplace_back(text.string_or_empty());
  }
  return texts;
}

Subresource subresource_of(const Value& row, const api::GroupVersion& parent) {
  Subresource subresource{.name = api::text_field(row, "name"),
                          .kind = {.group = parent.group,
                                   .version = parent.version,
                                   .kind = api::text_field(row, "kind")},
                          .verbs = texts_of(row, "verbs")};
  if (row.find("version")) {
    subresource.kind.group = api::text_field(row, "group");
    subresource.kind.version = api::text_field(row, "version");
  }
  return subresource;
}

// The two kinds of events are one set of objects in two shapes.
void choose_storage(Resource& resource) {
  const bool is_event = resource.kind == "Event";
  resource.table = is_event ? "events" : resource.gvr.text();
  resource.storage_version = is_event ? "v1" : resource.api_version();
}

std::shared_ptr<const Resource> resource_of(const Value& row, const api::GroupVersion& version,
                                            const BuiltinTypes& types) {
  auto resource = std::make_shared<Resource>();
  resource->gvr = {
      .group = version.group, .version = version.version, .resource = api::text_field(row, "name")};
  resource->kind = api::text_field(row, "kind");
  resource->list_kind = resource->kind + "List";
  resource->singular = api::text_field(row, "singular");
  resource->scope = row.find("namespaced")->as_bool() == true ? Scope::Namespaced : Scope::Cluster;
  resource->verbs = texts_of(row, "verbs");
  resource->short_names = texts_of(row, "shortNames");
  resource->categories = texts_of(row, "categories");
  if (const Value* rows = row.find("subresources")) {
    for (const Value& inner : rows->elements()) {
      resource->subresources.push_back(subresource_of(inner, version));
    }
  }
  choose_storage(*resource);
  resource->schemas = types.schemas();
  resource->schema =
      types.find_kind({.group = version.group, .version = version.version, .kind = resource->kind});
  CHECK(resource->schema);
  return resource;
}

}  // namespace

BuiltinKinds read_builtin_kinds() {
  BuiltinKinds kinds{.resources = {},
                     .types = std::make_shared<BuiltinTypes>(read_kinds_file("types"))};
  const Value table = read_kinds_file("resources");
  for (const Value& group : table.elements()) {
    const auto version = api::parse_group_version(api::text_field(group, "groupVersion"));
    CHECK(version.ok());
    for (const Value& row : group.find("resources")->elements()) {
      kinds.resources.push_back(resource_of(row, *version, *kinds.types));
    }
  }
  return kinds;
}

std::vector<std::shared_ptr<const Resource>> builtin_resources() {
  return read_builtin_kinds().resources;
}

std::map<std::string, std::vector<Column>, std::less<>> builtin_columns() {
  std::map<std::string, std::vector<Column>, std::less<>> columns;
  const Value tables = read_kinds_file("tables");
  for (const auto& [resource, rows] : tables.members()) {
    std::vector<Column>& of_resource = columns[std::string(resource.string_or_empty())];
    for (const Value& row : rows.elements()) {
      const auto cells = row.elements();
      of_resource.push_back({.name = std::string(cells[0].string_or_empty()),
                             .type = std::string(cells[1].string_or_empty()),
                             .format = std::string(cells[2].string_or_empty()),
                             .priority = cells[3].as_int().value_or(0)});
    }
  }
  return columns;
}

}  // namespace berth::apiserver
