#include "apiserver/strategies/certificates.h"

#include <utility>

#include "apiserver/certificates/csr_rules.h"
#include "apiserver/certificates/csr_validation.h"

namespace berth::apiserver {
namespace {

CsrEndpoint endpoint_of(std::string_view subresource) {
  if (subresource == "approval") return CsrEndpoint::Approval;
  return subresource == "status" ? CsrEndpoint::Status : CsrEndpoint::Object;
}

Attempt<void> on_create(json::Value& object, const Occasion& occasion) {
  ASSIGN_OR_RETURN(object, new_csr(std::move(object), occasion.user));
  return {};
}

Attempt<void> on_update(json::Value& object, const json::Value& old, const Occasion& occasion) {
  const Authorizer authorizer = [&occasion](const User& user, const Attributes& attributes) {
    return occasion.view.rbac->allows(user, attributes);
  };
  ASSIGN_OR_RETURN(object, updated_csr({.endpoint = endpoint_of(occasion.subresource),
                                        .before = old,
                                        .user = occasion.user,
                                        .authorizer = authorizer,
                                        .now = occasion.view.now},
                                       std::move(object)));
  return {};
}

}  // namespace

Strategy certificate_strategy() { return {.on_create = on_create, .on_update = on_update}; }

}  // namespace berth::apiserver
