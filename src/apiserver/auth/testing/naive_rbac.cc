#include "apiserver/auth/testing/naive_rbac.h"

#include <algorithm>

namespace berth::apiserver::testing {
namespace {

std::string text(const json::Value& object, std::initializer_list<std::string_view> path) {
  const json::Value* found = object.find_path(path);
  return std::string(found == nullptr ? "" : found->string_or_empty());
}

template <typename Holds>
bool any(const json::Value& object, std::string_view list, Holds holds) {
  const json::Value* found = object.find(list);
  return found != nullptr && std::ranges::any_of(found->elements(), holds);
}

bool lists(const json::Value& rule, std::string_view list, const std::string& wanted) {
  return any(rule, list, [&](const json::Value& one) {
    return one.string_or_empty() == wanted || one.string_or_empty() == "*";
  });
}

bool rule_allows(const json::Value& rule, const Attributes& a) {
  if (!lists(rule, "verbs", a.verb)) return false;
  if (!a.is_resource) {
    return any(rule, "nonResourceURLs", [&](const json::Value& one) {
      std::string url(one.string_or_empty());
      if (url == a.path) return true;
      if (!url.ends_with('*')) return false;
      while (url.ends_with('*')) url.pop_back();
      return a.path.starts_with(url);
    });
  }
  const std::string tail = a.subresource.empty() ? "" : "/" + a.subresource;
  const bool named = lists(rule, "resources", a.resource + tail) ||
                     (!tail.empty() && lists(rule, "resources", "*" + tail));
  const json::Value* names = rule.find("resourceNames");
  const bool any_name = names == nullptr || names->size() == 0;
  return lists(rule, "apiGroups", a.group) && named &&
         (any_name || any(rule, "resourceNames",
                          [&](const json::Value& one) { return one.string_or_empty() == a.name; }));
}

bool is_bound(const json::Value& binding, const User& user) {
  return any(binding, "subjects", [&](const json::Value& subject) {
    const std::string kind = text(subject, {"kind"});
    const std::string name = text(subject, {"name"});
    if (kind == "User") return user.name == name;
    if (kind == "Group") return std::ranges::find(user.groups, name) != user.groups.end();
    std::string ns = text(subject, {"namespace"});
    if (ns.empty()) ns = text(binding, {"metadata", "namespace"});
    return kind == "ServiceAccount" && !ns.empty() &&
           user.name == "system:serviceaccount:" + ns + ":" + name;
  });
}

}  // namespace

bool naive_allows(std::span<const json::Value> objects, const User& user, const Attributes& a) {
  if (std::ranges::find(user.groups, "system:masters") != user.groups.end()) return true;
  return std::ranges::any_of(objects, [&](const json::Value& binding) {
    const std::string ns = text(binding, {"metadata", "namespace"});
    if (!text(binding, {"kind"}).ends_with("Binding") || !is_bound(binding, user)) return false;
    if (!ns.empty() && ns != a.ns) return false;
    return std::ranges::any_of(objects, [&](const json::Value& role) {
      const std::string kind = text(binding, {"roleRef", "kind"});
      return text(role, {"kind"}) == kind &&
             text(role, {"metadata", "name"}) == text(binding, {"roleRef", "name"}) &&
             (kind == "ClusterRole" || text(role, {"metadata", "namespace"}) == ns) &&
             any(role, "rules", [&](const json::Value& rule) { return rule_allows(rule, a); });
    });
  });
}

}  // namespace berth::apiserver::testing
