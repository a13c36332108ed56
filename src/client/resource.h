// The names of resources and kinds, and the paths under which a server serves them.

#pragma once

#include <compare>
#include <string>
#include <string_view>

#include "base/result.h"

namespace berth::client {

struct GroupVersion {
  std::string group = {};  // Empty: the core group.
  std::string version = {};

  std::string text() const;  // "v1", "apps/v1": what stands in apiVersion.
  auto operator<=>(const GroupVersion&) const = default;
};

Result<GroupVersion> parse_group_version(std::string_view api_version);

struct Gvk {
  std::string group = {};
  std::string version = {};
  std::string kind = {};

  auto operator<=>(const Gvk&) const = default;
};

struct Gvr {
  std::string group = {};
  std::string version = {};
  std::string resource = {};  // Plural, as in the path: "pods".

  std::string text() const;  // "pods", "deployments.apps": how people name it.
  auto operator<=>(const Gvr&) const = default;
};

// One object, one collection, or a subresource of either. Empty fields are left out of the path.
struct ResourcePath {
  Gvr resource;
  std::string ns = {};  // Empty: cluster-scoped, or all namespaces.
  std::string name = {};
  std::string subresource = {};
};

// "/apis/apps/v1/namespaces/default/deployments/web/status". Names of users are percent-encoded;
// "." and "..", which a path cannot carry as a name, are refused, and so is a subresource of
// nothing.
Result<std::string> path_of(const ResourcePath& path);

}  // namespace berth::client
