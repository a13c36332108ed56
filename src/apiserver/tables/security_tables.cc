// Who may do what, and certificates that are asked for.

#include <string>
#include <vector>

#include <fmt/format.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "apiserver/tables/builtin_table.h"
#include "apiserver/tables/cells.h"
#include "apiserver/tables/human_age.h"
#include "base/strings.h"

namespace berth::apiserver {
namespace {

using json::Value;

Value role(const Value& binding, Time /*now*/) {
  return fmt::format("{}/{}", text_at(binding, "roleRef.kind"), text_at(binding, "roleRef.name"));
}

Value subjects(const Value& binding, std::string_view kind) {
  std::vector<std::string> names;
  for (const Value& subject : at(binding, "subjects").elements()) {
    if (api::text_field(subject, "kind") != kind) continue;
    std::string name = api::text_field(subject, "name");
    if (kind == "ServiceAccount") name = api::text_field(subject, "namespace") + "/" + name;
    names.push_back(std::move(name));
  }
  return join(names, ", ");
}

Value users(const Value& binding, Time /*now*/) { return subjects(binding, "User"); }
Value groups(const Value& binding, Time /*now*/) { return subjects(binding, "Group"); }
Value accounts(const Value& binding, Time /*now*/) { return subjects(binding, "ServiceAccount"); }

// "Approved,Issued". A condition counts by being there: these have no other status than True.
Value request_state(const Value& request, Time /*now*/) {
  const Value& conditions = at(request, "status.conditions");
  std::string state = "Pending";
  if (api::find_condition(conditions, "Approved")) state = "Approved";
  if (api::find_condition(conditions, "Denied")) state = "Denied";
  if (api::find_condition(conditions, "Failed")) state += ",Failed";
  if (!text_at(request, "status.certificate").empty()) state += ",Issued";
  return state;
}

Value requested_duration(const Value& request, Time /*now*/) {
  const auto seconds = api::int32_field(at(request, "spec"), "expirationSeconds");
  return seconds ? human_duration(std::chrono::seconds(*seconds)) : "<none>";
}

constexpr BuiltinColumn kBindings[] = {kNameColumn,
                                       computed_column("Role", role),
                                       kAgeColumn,
                                       wide(computed_column("Users", users)),
                                       wide(computed_column("Groups", groups)),
                                       wide(computed_column("ServiceAccounts", accounts))};
constexpr BuiltinColumn kRequests[] = {kNameColumn,
                                       kAgeColumn,
                                       text_column("SignerName", "spec.signerName", "<none>"),
                                       text_column("Requestor", "spec.username"),
                                       computed_column("RequestedDuration", requested_duration),
                                       computed_column("Condition", request_state)};

constexpr BuiltinTable kTables[] = {
    {.group = "rbac.authorization.k8s.io", .kind = "RoleBinding", .columns = kBindings},
    {.group = "rbac.authorization.k8s.io", .kind = "ClusterRoleBinding", .columns = kBindings},
    {.group = "certificates.k8s.io", .kind = "CertificateSigningRequest", .columns = kRequests},
};

}  // namespace

std::span<const BuiltinTable> security_tables() { return kTables; }

}  // namespace berth::apiserver
