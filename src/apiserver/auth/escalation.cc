#include "apiserver/auth/escalation.h"

#include <set>

#include <fmt/format.h>

#include "api/metadata.h"
#include "base/strings.h"
#include "json/text_of.h"

namespace berth::apiserver {
namespace {

Refusal refusal(const RbacWrite& write, std::string_view why) {
  const std::string_view name = api::Metadata(write.after).name();
  const std::string resource = fmt::format("{}.{}", write.resource, kRbacGroup);
  return {
      {.code = Code::Forbidden,
       .message = name.empty() ? fmt::format("{} is forbidden: {}", resource, why)
                               : fmt::format("{} {} is forbidden: {}", resource, quote(name), why)},
      {.name = std::string(name), .group = std::string(kRbacGroup), .kind = write.resource}};
}

// Lists that are absent and lists that are empty are the same to the API.
json::Value without_collector_fields(json::Value object) {
  if (json::Value* metadata = object.find("metadata"); metadata != nullptr) {
    for (const std::string_view field : {"ownerReferences", "finalizers", "managedFields"}) {
      metadata->erase(field);
    }
  }
  return object;
}

bool changes_only_collector_fields(const RbacWrite& write) {
  return write.before != nullptr &&
         without_collector_fields(*write.before) == without_collector_fields(write.after);
}

// A role that was looked for in vain. The reference names the resource that is written, not the
// role's: its storage takes that from the request.
std::string missing_role_text(const RbacWrite& write, const RoleReference& role) {
  return fmt::format("{}.{} {} not found", write.resource, kRbacGroup, quote(role.name));
}

std::string resolution_errors(const RbacWrite& write, std::span<const RoleReference> roles) {
  std::vector<std::string> texts;
  for (const RoleReference& role : roles) texts.push_back(missing_role_text(write, role));
  if (texts.empty()) return {};
  return fmt::format("; resolution errors: [{}]",
                     texts.size() == 1 ? texts.front() : "[" + join(texts, ", ") + "]");
}

Attempt<void> check_held(const Rbac& rbac, const RbacWrite& write,
                         std::span<const PolicyRule> rules) {
  const HeldRules held = rbac.rules_for(write.user, write.ns);
  const std::vector<PolicyRule> missing = uncovered_rules(held.rules, rules);
  if (missing.empty()) return {};
  std::set<std::string> descriptions;
  for (const PolicyRule& rule : missing) descriptions.insert(rule.to_string());
  return refuse(refusal(
      write,
      fmt::format("user {} (groups={}) is attempting to grant RBAC permissions not currently "
                  "held:\n{}{}",
                  quote(write.user.name), quoted_list(write.user.groups),
                  fmt::join(descriptions, "\n"), resolution_errors(write, held.missing))));
}

bool gathers_others(const json::Value* role) {
  const json::Value* selectors =
      role == nullptr ? nullptr : role->find_path({"aggregationRule", "clusterRoleSelectors"});
  return selectors != nullptr && selectors->size() > 0;
}

Attempt<void> check_role(const Rbac& rbac, const RbacWrite& write) {
  const bool may_escalate = rbac.allows(write.user, {.verb = "escalate",
                                                     .group = std::string(kRbacGroup),
                                                     .version = "*",
                                                     .resource = write.resource,
                                                     .ns = write.ns,
                                                     .name = write.name});
  if (may_escalate || changes_only_collector_fields(write)) return {};
  RETURN_IF_ERROR(check_held(rbac, write, read_rules(write.after.find("rules"))));
  if (write.resource == "clusterroles" &&
      (gathers_others(&write.after) || gathers_others(write.before))) {
    const PolicyRule everything[] = {{.verbs = {"*"}, .api_groups = {"*"}, .resources = {"*"}},
                                     {.verbs = {"*"}, .non_resource_urls = {"*"}}};
    if (!check_held(rbac, write, everything).has_value()) {
      return refuse(
          refusal(write, "must have cluster-admin privileges to use the aggregationRule"));
    }
  }
  return {};
}

Attempt<void> check_binding(const Rbac& rbac, const RbacWrite& write) {
  if (changes_only_collector_fields(write)) return {};
  const json::Value* reference = write.after.find("roleRef");
  const RoleReference role{.kind = std::string(text_of(reference, "kind")),
                           .name = std::string(text_of(reference, "name"))};
  const bool is_role = role.kind == "Role" || role.kind == "ClusterRole";
  if (!is_role) {
    return refuse(Code::InternalError, "unsupported role reference kind: " + quote(role.kind));
  }
  const std::string resource = lower_ascii(role.kind) + "s";
  const std::string_view group = text_of(reference, "apiGroup");
  if (rbac.allows(write.user, {.verb = "bind",
                               .group = std::string(group.empty() ? kRbacGroup : group),
                               .version = "*",
                               .resource = resource,
                               .ns = write.ns,
                               .name = role.name})) {
    return {};
  }
  const std::vector<PolicyRule>* rules = rbac.find_rules(role, write.ns);
  if (rules == nullptr) {
    return refuse({{.code = Code::NotFound, .message = missing_role_text(write, role)},
                   {.name = role.name, .group = std::string(kRbacGroup), .kind = write.resource}});
  }
  return check_held(rbac, write, *rules);
}

}  // namespace

Attempt<void> check_escalation(const Rbac& rbac, const RbacWrite& write) {
  if (write.user.is_in(kMasters)) return {};
  if (write.resource == "roles" || write.resource == "clusterroles") {
    return check_role(rbac, write);
  }
  if (write.resource == "rolebindings" || write.resource == "clusterrolebindings") {
    return check_binding(rbac, write);
  }
  return {};
}

}  // namespace berth::apiserver
