#include "apiserver/guards/guard.h"

#include <fmt/format.h>

#include "apiserver/guards/managed_cluster.h"
#include "apiserver/guards/manifest_work.h"
#include "apiserver/guards/set_binding.h"
#include "base/strings.h"

namespace berth::apiserver {

Attempt<json::Value> guarded(std::string_view group, std::string_view resource,
                             const GuardedWrite& write, json::Value after) {
  if (group == kClusterGroup && resource == "managedclusters") {
    return guard_managed_cluster(write, std::move(after));
  }
  if (group == kClusterGroup && resource == "managedclustersetbindings") {
    return guard_set_binding(write, std::move(after));
  }
  if (group == kWorkGroup && resource == "manifestworks") {
    return guard_manifest_work(write, std::move(after));
  }
  return after;
}

Attempt<void> check_demand(const GuardedWrite& write, const Demand& demand, std::string_view why) {
  if (write.authorizer(write.user, {.verb = demand.verb,
                                    .group = demand.group,
                                    .resource = demand.resource,
                                    .subresource = demand.subresource,
                                    .name = demand.name})) {
    return {};
  }
  const std::string resource = demand.resource + "/" + demand.subresource;
  return refuse({{.code = Code::Forbidden,
                  .message = fmt::format("{}.{} {} is forbidden: {}", resource, kClusterGroup,
                                         quote(demand.name), why)},
                 {.name = demand.name, .group = std::string(kClusterGroup), .kind = resource}});
}

}  // namespace berth::apiserver
