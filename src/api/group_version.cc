#include "api/group_version.h"

#include <fmt/format.h>

#include "base/strings.h"

namespace berth::api {

std::string GroupVersion::text() const { return group.empty() ? version : group + "/" + version; }

Result<GroupVersion> parse_group_version(std::string_view api_version) {
  const auto parts = split(api_version, '/');
  if (parts.size() == 1 && !parts[0].empty()) return GroupVersion{.version{parts[0]}};
  if (parts.size() == 2 && !parts[0].empty() && !parts[1].empty()) {
    return GroupVersion{.group{parts[0]}, .version{parts[1]}};
  }
  return failure(Code::BadRequest, fmt::format("apiVersion {}: expected VERSION or GROUP/VERSION",
                                               quote(api_version)));
}

std::string Gvr::text() const { return group.empty() ? resource : resource + "." + group; }

}  // namespace berth::api
