// API groups, versions, kinds and resources: "apps/v1", Deployment, deployments.

#pragma once

#include <compare>
#include <string>
#include <string_view>

#include "base/result.h"

namespace berth::api {

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

}  // namespace berth::api
