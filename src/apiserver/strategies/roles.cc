#include "apiserver/strategies/roles.h"

#include "api/metadata.h"
#include "apiserver/auth/escalation.h"

namespace berth::apiserver {
namespace {

Attempt<void> admit(json::Value& object, const json::Value* old, const Occasion& occasion) {
  const api::Metadata metadata(object);
  return check_escalation(*occasion.view.rbac,
                          {.user = occasion.user,
                           .resource = occasion.resource.gvr.resource,
                           .ns = std::string(metadata.namespace_name()),
                           .name = old ? std::string(metadata.name()) : std::string(),
                           .before = old,
                           .after = object});
}

}  // namespace

Strategy role_strategy() {
  return {.name_rule = NameRule::PathSegment, .creates_on_update = true, .admit = admit};
}

}  // namespace berth::apiserver
