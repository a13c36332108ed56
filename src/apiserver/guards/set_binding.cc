#include "apiserver/guards/set_binding.h"

#include <string>

#include <fmt/format.h>

#include "api/metadata.h"
#include "base/strings.h"

namespace berth::apiserver {

Attempt<json::Value> guard_set_binding(const GuardedWrite& write, json::Value after) {
  const json::Value* field = after.find_path({"spec", "clusterSet"});
  const std::string set(field == nullptr ? "" : field->string_or_empty());
  if (api::Metadata(after).name() != set) {
    return refuse(
        Code::BadRequest,
        "The ManagedClusterSetBinding must have the same name as the target ManagedClusterSet");
  }
  if (write.before == nullptr) {
    RETURN_IF_ERROR(check_demand(write,
                                 {.group = std::string(kClusterGroup),
                                  .resource = "managedclustersets",
                                  .subresource = "bind",
                                  .verb = "create",
                                  .name = set},
                                 fmt::format("user {} is not allowed to bind cluster set {}",
                                             quote(write.user.name), quote(set))));
  }
  return after;
}

}  // namespace berth::apiserver
