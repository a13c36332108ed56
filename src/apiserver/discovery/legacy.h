// Discovery in its first form: a document for the server, one for each group and one for each group
// version. Texts of JSON, with the members and the order of kube-apiserver.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "apiserver/registry.h"

namespace berth::apiserver {

// /api. `server_address` is where clients reach this server, "10.0.0.1:6443".
std::string api_versions(const Registry& registry, std::string_view server_address);

// /apis
std::string api_group_list(const Registry& registry);

// /apis/GROUP; nullopt when there is no such group. The core group has no such document.
std::optional<std::string> api_group(const Registry& registry, std::string_view group);

// /api/v1 and /apis/GROUP/VERSION; nullopt when it is not served.
std::optional<std::string> api_resource_list(const Registry& registry, std::string_view group,
                                             std::string_view version);

}  // namespace berth::apiserver
