// API groups, versions, kinds and resources: "apps/v1", Deployment, deployments.

#pragma once

#include <compare>
#include <string>
#include <string_view>

#include "base/result.h"
#include "json/value.h"

namespace berth::api {

struct GroupVersion {
  std::string group;  // Empty for the core group.
  std::string version;

  // "apps/v1", "v1"; "" and "/" are the empty one, as in Kubernetes.
  static Result<GroupVersion> parse(std::string_view text);
  std::string to_string() const;

  auto operator<=>(const GroupVersion&) const = default;
};

struct GroupVersionKind {
  GroupVersion group_version;
  std::string kind;

  // From apiVersion and kind; what is missing stays empty.
  static Result<GroupVersionKind> of(const json::Value& object);
  std::string to_string() const;  // "apps/v1, Kind=Deployment", as Kubernetes prints it.

  auto operator<=>(const GroupVersionKind&) const = default;
};

struct GroupVersionResource {
  GroupVersion group_version;
  std::string resource;           // Plural, lower case.
  std::string to_string() const;  // "apps/v1, Resource=deployments".

  auto operator<=>(const GroupVersionResource&) const = default;
};

}  // namespace berth::api
