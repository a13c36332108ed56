#include "fleet/work/access.h"

#include <fmt/format.h>

namespace berth::fleet {
namespace {

constexpr std::string_view kRbac = "rbac.authorization.k8s.io";

std::string what_of(const ResourceMeta& meta) {
  return fmt::format("not allowed to apply the resource {} {}, {} {}", meta.group, meta.resource,
                     meta.ns, meta.name);
}

}  // namespace

std::vector<std::string> needed_verbs(Ownership ownership) {
  std::vector<std::string> verbs = {"create", "update", "patch", "get"};
  if (ownership == Ownership::Ours) verbs.emplace_back("delete");
  return verbs;
}

json::Value access_review(const Executor::ServiceAccount& account, const ResourceMeta& meta,
                          std::string_view verb) {
  const json::Value attributes = json::Value::object({{"group", meta.group},
                                                      {"version", meta.version},
                                                      {"resource", meta.resource},
                                                      {"namespace", meta.ns},
                                                      {"name", meta.name},
                                                      {"verb", verb}});
  const json::Value groups = json::Value::array(
      {"system:serviceaccounts", "system:authenticated", "system:serviceaccounts:" + account.ns});
  return json::Value::object({{"apiVersion", "authorization.k8s.io/v1"},
                              {"kind", "SubjectAccessReview"},
                              {"spec", json::Value::object({{"resourceAttributes", attributes},
                                                            {"user", account.user()},
                                                            {"groups", groups}})}});
}

bool may_escalate(const ResourceMeta& meta) {
  return meta.group == kRbac &&
         (meta.resource == "roles" || meta.resource == "rolebindings" ||
          meta.resource == "clusterroles" || meta.resource == "clusterrolebindings");
}

Error refusal(const ResourceMeta& meta) {
  return {.code = Code::Forbidden, .message = what_of(meta) + ", will try again in 1m0s"};
}

Error escalation_refusal(const ResourceMeta& meta) {
  return {.code = Code::Forbidden,
          .message = what_of(meta) + ", error: permission escalation, will try again in 1m0s"};
}

}  // namespace berth::fleet
