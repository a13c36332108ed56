#include "api/group_version.h"

#include <vector>

#include <fmt/format.h>

#include "base/strings.h"

namespace berth::api {

Result<GroupVersion> GroupVersion::parse(std::string_view text) {
  if (text.empty() || text == "/") return GroupVersion{};
  const std::vector<std::string_view> parts = split(text, '/');
  if (parts.size() == 1) return GroupVersion{.group = "", .version = std::string(parts[0])};
  if (parts.size() == 2) {
    return GroupVersion{.group = std::string(parts[0]), .version = std::string(parts[1])};
  }
  return failure(Code::BadRequest, fmt::format("unexpected GroupVersion string: {}", text));
}

std::string GroupVersion::to_string() const {
  return group.empty() ? version : group + "/" + version;
}

Result<GroupVersionKind> GroupVersionKind::of(const json::Value& object) {
  const json::Value* api_version = object.find("apiVersion");
  const json::Value* kind = object.find("kind");
  ASSIGN_OR_RETURN(auto group_version,
                   GroupVersion::parse(api_version ? api_version->string_or_empty() : ""));
  return GroupVersionKind{.group_version = std::move(group_version),
                          .kind = std::string(kind ? kind->string_or_empty() : "")};
}

// Kubernetes prints the slash even for the core group here.
std::string GroupVersionKind::to_string() const {
  return fmt::format("{}/{}, Kind={}", group_version.group, group_version.version, kind);
}

std::string GroupVersionResource::to_string() const {
  return fmt::format("{}/{}, Resource={}", group_version.group, group_version.version, resource);
}

}  // namespace berth::api
