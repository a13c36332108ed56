// Tested by tests/kube/join_command_test.cc.
#include "app/approval.h"

#include <optional>

#include "fleet/registration/renewal_approval.h"
#include "fleet/registration/resources.h"

namespace berth::app {

client::Edit approval_of(const std::string& request, const Approval& approval) {
  return {.path = {.resource = fleet::certificate_requests(),
                   .name = request,
                   .subresource = "approval"},
          .change = [approval](const json::Value& open) -> Result<std::optional<json::Value>> {
            if (!fleet::is_undecided(open)) return std::nullopt;
            return fleet::approved(open, approval.reason, approval.message, approval.now);
          }};
}

Status approve(Calls& hub, const std::string& request, const Approval& approval) {
  const client::Edit edit = approval_of(request, approval);
  RETURN_IF_ERROR(hub.edit(edit.path, edit.change));
  return {};
}

}  // namespace berth::app
