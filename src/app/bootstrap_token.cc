// Tested by tests/kube/join_command_test.cc.
#include "app/bootstrap_token.h"

#include <optional>
#include <utility>

#include "api/kinds/fields.h"
#include "client/errors.h"
#include "fleet/registration/cluster_rights.h"
#include "fleet/registration/names.h"
#include "fleet/registration/resources.h"

namespace berth::app {
namespace {

using json::Value;

// As it should be, whoever made it.
Status ensure(Calls& hub, client::ResourcePath path, const Value& wanted) {
  path.name = api::read_facts(wanted).name;
  const auto mended = hub.edit(path, [&](const Value& existing) -> Result<std::optional<Value>> {
    auto after = fleet::as_wanted(existing, wanted);
    if (!after) {
      return failure(Code::Unknown, path.resource.resource + " " + path.name +
                                        " binds another role: delete it and try again");
    }
    if (*after == existing) return std::nullopt;
    return after;
  });
  if (mended.ok()) return {};
  if (!client::is_not_found(mended.error())) return failure(mended.error());
  path.name.clear();
  const auto created = hub.create(path, wanted);
  if (!created.ok() && !client::is_already_exists(created.error())) return failure(created.error());
  return {};
}

// Somebody who may ask to join and nothing else.
Status ensure_bootstrap_account(Calls& hub) {
  const std::string ns(fleet::kHubNamespace);
  RETURN_IF_ERROR(ensure(hub, {.resource = fleet::namespaces()},
                         Value::object({{"apiVersion", "v1"},
                                        {"kind", "Namespace"},
                                        {"metadata", Value::object({{"name", ns}})}})));
  RETURN_IF_ERROR(
      ensure(hub, {.resource = fleet::service_accounts(), .ns = ns}, fleet::bootstrap_account()));
  RETURN_IF_ERROR(ensure(hub, {.resource = fleet::cluster_roles()}, fleet::bootstrap_role()));
  return ensure(hub, {.resource = fleet::cluster_role_bindings()}, fleet::bootstrap_binding());
}

Result<BootstrapToken> request_token(Calls& hub, Duration duration) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(duration).count();
  ASSIGN_OR_RETURN(
      const Value answer,
      hub.create({.resource = fleet::service_accounts(),
                  .ns = std::string(fleet::kHubNamespace),
                  .name = std::string(fleet::kBootstrapAccount),
                  .subresource = "token"},
                 Value::object({{"apiVersion", "authentication.k8s.io/v1"},
                                {"kind", "TokenRequest"},
                                {"spec", Value::object({{"expirationSeconds", seconds}})}})));
  const Value& status = api::field(answer, "status");
  return BootstrapToken{.text = api::text_field(status, "token"),
                        .expires = api::text_field(status, "expirationTimestamp")};
}

}  // namespace

Result<BootstrapToken> make_bootstrap_token(Calls& hub, Duration duration) {
  RETURN_IF_ERROR(ensure_bootstrap_account(hub));
  return request_token(hub, duration);
}

}  // namespace berth::app
