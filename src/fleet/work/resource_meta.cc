#include "fleet/work/resource_meta.h"

#include <algorithm>
#include <set>
#include <utility>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "fleet/work/members.h"

namespace berth::fleet {

ResourceIdentifier read_identifier(const json::Value& object) {
  return {.group = api::text_field(object, "group"),
          .resource = api::text_field(object, "resource"),
          .ns = api::text_field(object, "namespace"),
          .name = api::text_field(object, "name")};
}

ResourceMeta ResourceMeta::from_json(const json::Value& meta) {
  return {.ordinal = api::integer_field(meta, "ordinal").value_or(0),
          .group = api::text_field(meta, "group"),
          .version = api::text_field(meta, "version"),
          .kind = api::text_field(meta, "kind"),
          .resource = api::text_field(meta, "resource"),
          .ns = api::text_field(meta, "namespace"),
          .name = api::text_field(meta, "name")};
}

json::Value ResourceMeta::to_json() const {
  return json::Value::object({{"ordinal", ordinal},
                              {"group", group},
                              {"version", version},
                              {"kind", kind},
                              {"resource", resource},
                              {"name", name},
                              {"namespace", ns}});
}

ResourceMeta meta_of(std::int64_t ordinal, const json::Value& manifest) {
  const api::Metadata metadata(manifest);
  ResourceMeta meta{.ordinal = ordinal,
                    .kind = api::text_field(manifest, "kind"),
                    .ns = std::string(metadata.namespace_name()),
                    .name = std::string(metadata.name())};
  if (auto version = api::parse_group_version(api::text_field(manifest, "apiVersion"));
      version.ok()) {
    meta.group = std::move(version->group);
    meta.version = std::move(version->version);
  }
  return meta;
}

AppliedResource AppliedResource::from_json(const json::Value& entry) {
  return {.group = api::text_field(entry, "group"),
          .version = api::text_field(entry, "version"),
          .resource = api::text_field(entry, "resource"),
          .ns = api::text_field(entry, "namespace"),
          .name = api::text_field(entry, "name"),
          .uid = api::text_field(entry, "uid")};
}

json::Value AppliedResource::to_json() const {
  json::Value entry = json::Value::object({{"group", group},
                                           {"resource", resource},
                                           {"name", name},
                                           {"namespace", ns},
                                           {"version", version}});
  if (!uid.empty()) entry["uid"] = uid;
  return entry;
}

AppliedResource applied_resource(const ResourceMeta& meta, std::string uid) {
  return {.group = meta.group,
          .version = meta.version,
          .resource = meta.resource,
          .ns = meta.ns,
          .name = meta.name,
          .uid = std::move(uid)};
}

AppliedResources read_applied_resources(const json::Value& applied_work) {
  AppliedResources resources;
  for (const json::Value& entry :
       api::elements_field(api::field(applied_work, "status"), "appliedResources")) {
    resources.push_back(AppliedResource::from_json(entry));
  }
  return resources;
}

json::Value with_applied_resources(json::Value applied_work, AppliedResources resources) {
  std::ranges::sort(resources);
  json::Value entries = json::Value::array();
  std::set<ResourceIdentifier> there;
  for (const AppliedResource& resource : resources) {
    if (there.insert(resource.identifier()).second) entries.push_back(resource.to_json());
  }
  if (entries.size() > 0) {
    object_in(applied_work, "status")["appliedResources"] = std::move(entries);
  } else if (json::Value* status = applied_work.find("status"); status && status->is_object()) {
    status->erase("appliedResources");
  }
  return applied_work;
}

AppliedResources untracked(const AppliedResources& recorded, const AppliedResources& wanted) {
  std::set<ResourceIdentifier> kept;
  for (const AppliedResource& resource : wanted) kept.insert(resource.identifier());
  AppliedResources rest;
  std::ranges::copy_if(recorded, std::back_inserter(rest), [&](const AppliedResource& resource) {
    return !kept.contains(resource.identifier());
  });
  return rest;
}

}  // namespace berth::fleet
