// Which objects a work is about: as its status names them, and as the record on the cluster does.

#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "api/group_version.h"
#include "api/object_key.h"
#include "json/value.h"

namespace berth::fleet {

// The version does not matter: the same object is served in several.
struct ResourceIdentifier {
  std::string group = {};
  std::string resource = {};  // Plural.
  std::string ns = {};
  std::string name = {};

  auto operator<=>(const ResourceIdentifier&) const = default;
};
ResourceIdentifier read_identifier(const json::Value& object);

// One manifest of a work.
struct ResourceMeta {
  std::int64_t ordinal = 0;  // Its place in the work.
  std::string group = {};
  std::string version = {};
  std::string kind = {};
  std::string resource = {};  // Empty: the cluster does not know the kind.
  std::string ns = {};
  std::string name = {};

  static ResourceMeta from_json(const json::Value& meta);
  json::Value to_json() const;

  api::Gvk gvk() const { return {.group = group, .version = version, .kind = kind}; }
  api::Gvr gvr() const { return {.group = group, .version = version, .resource = resource}; }
  ResourceIdentifier identifier() const {
    return {.group = group, .resource = resource, .ns = ns, .name = name};
  }
  api::ObjectKey key() const { return {.ns = ns, .name = name}; }
  bool is_complete() const { return !resource.empty() && !version.empty() && !name.empty(); }

  bool operator==(const ResourceMeta&) const = default;
};

// What the manifest itself says; the resource is still to be looked up.
ResourceMeta meta_of(std::int64_t ordinal, const json::Value& manifest);

// One entry of status.appliedResources.
struct AppliedResource {
  std::string group = {};
  std::string version = {};
  std::string resource = {};
  std::string ns = {};
  std::string name = {};
  std::string uid = {};  // Empty: it is about to be made, or was not found yet.

  static AppliedResource from_json(const json::Value& entry);
  json::Value to_json() const;

  api::Gvr gvr() const { return {.group = group, .version = version, .resource = resource}; }
  ResourceIdentifier identifier() const {
    return {.group = group, .resource = resource, .ns = ns, .name = name};
  }
  api::ObjectKey key() const { return {.ns = ns, .name = name}; }

  auto operator<=>(const AppliedResource&) const = default;
};
AppliedResource applied_resource(const ResourceMeta& meta, std::string uid);

using AppliedResources = std::vector<AppliedResource>;
AppliedResources read_applied_resources(const json::Value& applied_work);

// The object with the list in its status: sorted, each resource once.
json::Value with_applied_resources(json::Value applied_work, AppliedResources resources);

// Those of `recorded` that `wanted` does not have.
AppliedResources untracked(const AppliedResources& recorded, const AppliedResources& wanted);

}  // namespace berth::fleet
