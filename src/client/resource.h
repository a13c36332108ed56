// The paths under which a server serves its resources.

#pragma once

#include <string>

#include "api/group_version.h"
#include "base/result.h"

namespace berth::client {

using api::GroupVersion;
using api::Gvk;
using api::Gvr;

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
