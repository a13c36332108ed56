#include "apiserver/auth/rbac.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "api/metadata.h"
#include "apiserver/auth/service_account.h"
#include "json/text_of.h"

namespace berth::apiserver {
namespace {

std::optional<RbacKind> kind_of(const json::Value& object) {
  const std::string kind(text_of(&object, "kind"));
  if (kind == "Role") return RbacKind::Role;
  if (kind == "ClusterRole") return RbacKind::ClusterRole;
  if (kind == "RoleBinding") return RbacKind::RoleBinding;
  if (kind == "ClusterRoleBinding") return RbacKind::ClusterRoleBinding;
  return std::nullopt;
}

bool is_role(RbacKind kind) { return kind == RbacKind::Role || kind == RbacKind::ClusterRole; }
std::string_view role_kind(RbacKind kind) {
  return kind == RbacKind::ClusterRole ? "ClusterRole" : "Role";
}

}  // namespace

Rbac::Binding Rbac::read_binding(const json::Value& object) {
  const api::Metadata metadata(object);
  const json::Value* role = object.find("roleRef");
  const std::string own_ns(metadata.namespace_name());
  Binding binding{.key = {own_ns, std::string(metadata.name())},
                  .reference = {.kind = std::string(text_of(role, "kind")),
                                .name = std::string(text_of(role, "name"))},
                  .subjects = {}};
  const json::Value* subjects = object.find("subjects");
  if (subjects == nullptr) return binding;
  for (const json::Value& subject : subjects->elements()) {
    const std::string kind(text_of(&subject, "kind"));
    const std::string name(text_of(&subject, "name"));
    if (kind == "ServiceAccount") {
      // Those of the binding's own namespace need not say so.
      std::string ns(text_of(&subject, "namespace"));
      if (ns.empty()) ns = own_ns;
      if (ns.empty()) continue;
      binding.subjects.push_back(
          {.kind = SubjectKind::ServiceAccount,
           .name = ServiceAccountName{.ns = ns, .name = name}.username(),
           .described = fmt::format("ServiceAccount {}", quote(name + "/" + ns))});
    } else if (kind == "User" || kind == "Group") {
      binding.subjects.push_back({.kind = kind == "User" ? SubjectKind::User : SubjectKind::Group,
                                  .name = name,
                                  .described = fmt::format("{} {}", kind, quote(name))});
    }
  }
  return binding;
}

Rbac::Rbac(std::span<const json::Value> objects) {
  for (const json::Value& object : objects) {
    if (const auto kind = kind_of(object)) put(*kind, object);
  }
}

void Rbac::put(RbacKind kind, const json::Value& object) {
  if (!is_role(kind)) return put_binding(read_binding(object));
  const api::Metadata metadata(object);
  RolePtr& role =
      (*roles_in(role_kind(kind), metadata.namespace_name()))[std::string(metadata.name())];
  if (!role) role = std::make_shared<Role>();
  *role = {.exists = true, .rules = read_rules(object.find("rules"))};
}

void Rbac::remove(RbacKind kind, std::string_view ns, std::string_view name) {
  if (!is_role(kind)) return remove_binding({std::string(ns), std::string(name)});
  ByName<RolePtr>& roles = *roles_in(role_kind(kind), ns);
  const auto at = roles.find(name);
  if (at == roles.end()) return;
  *at->second = {};
  forget_role_if_unused({std::string(role_kind(kind)), std::string(name)}, ns);
}

// Those that a binding in the namespace means; null: there is no such kind.
Rbac::ByName<Rbac::RolePtr>* Rbac::roles_in(std::string_view kind, std::string_view ns) {
  if (kind == "ClusterRole") return &cluster_roles_;
  return kind == "Role" ? &roles_[std::string(ns)] : nullptr;
}

const Rbac::Role* Rbac::find_role(const RoleReference& reference, std::string_view ns) const {
  const ByName<RolePtr>* roles = reference.kind == "ClusterRole" ? &cluster_roles_ : nullptr;
  if (reference.kind == "Role") {
    const auto at = roles_.find(ns);
    if (at != roles_.end()) roles = &at->second;
  }
  if (!roles) return nullptr;
  const auto at = roles->find(reference.name);
  return at == roles->end() ? nullptr : at->second.get();
}

void Rbac::forget_role_if_unused(const RoleReference& reference, std::string_view ns) {
  ByName<RolePtr>* roles = roles_in(reference.kind, ns);
  if (!roles) return;
  const auto at = roles->find(reference.name);
  if (at != roles->end() && !at->second->exists && at->second.use_count() == 1) roles->erase(at);
  if (roles != &cluster_roles_ && roles->empty()) roles_.erase(roles_.find(ns));
}

void Rbac::put_binding(Binding read) {
  remove_binding(read.key);
  const BindingKey key = read.key;
  Binding& binding = bindings_.emplace(key, std::move(read)).first->second;
  const std::string& ns = key.first;
  if (ByName<RolePtr>* roles = roles_in(binding.reference.kind, ns)) {
    binding.role = (*roles)[binding.reference.name];
    if (!binding.role) binding.role = (*roles)[binding.reference.name] = std::make_shared<Role>();
  }
  Index& index = ns.empty() ? cluster_ : namespaces_[ns];
  for (const Subject& subject : binding.subjects) {
    Bindings& list = index.of(subject);
    const auto at = std::ranges::lower_bound(list, key, {}, &Binding::key);
    if (at == list.end() || *at != &binding) list.insert(at, &binding);
  }
}

void Rbac::remove_binding(const BindingKey& key) {
  const auto at = bindings_.find(key);
  if (at == bindings_.end()) return;
  Binding& binding = at->second;
  Index& index = key.first.empty() ? cluster_ : namespaces_[key.first];
  for (const Subject& subject : binding.subjects) {
    Bindings& list = index.of(subject);
    std::erase(list, &binding);
    if (list.empty()) {
      (subject.kind == SubjectKind::Group ? index.groups : index.users).erase(subject.name);
    }
  }
  if (!key.first.empty() && index.users.empty() && index.groups.empty()) {
    namespaces_.erase(key.first);
  }
  binding.role = nullptr;
  forget_role_if_unused(binding.reference, key.first);
  bindings_.erase(at);
}

bool Rbac::applies_to(const Subject& subject, const User& user) {
  if (subject.kind == SubjectKind::Group) return user.is_in(subject.name);
  return user.name == subject.name;
}

// The visitor says false to stop.
template <typename Visit>
void Rbac::visit_index(const Index& index, const User& user, Visit visit) const {
  const auto visit_list = [&](const auto& by_name, const std::string& name) {
    const auto at = by_name.find(name);
    if (at == by_name.end()) return true;
    return std::ranges::all_of(at->second, [&](const Binding* binding) { return visit(*binding); });
  };
  if (!visit_list(index.users, user.name)) return;
  for (const std::string& group : user.groups) {
    if (!visit_list(index.groups, group)) return;
  }
}

template <typename Visit>
void Rbac::visit_bindings(const User& user, std::string_view ns, Visit visit) const {
  bool goes_on = true;
  const auto watched = [&](const Binding& binding) { return goes_on = visit(binding); };
  visit_index(cluster_, user, watched);
  if (ns.empty() || !goes_on) return;
  const auto at = namespaces_.find(ns);
  if (at != namespaces_.end()) visit_index(at->second, user, watched);
}

bool Rbac::allows(const User& user, const Attributes& attributes) const {
  if (user.is_in(kMasters)) return true;
  bool allowed = false;
  visit_bindings(user, attributes.ns, [&](const Binding& binding) {
    const std::vector<PolicyRule>* rules = binding.rules();
    allowed = rules && std::ranges::any_of(
                           *rules, [&](const PolicyRule& rule) { return rule.allows(attributes); });
    return !allowed;
  });
  return allowed;
}

// Each once, those of the cluster first, then by namespace and name.
std::vector<const Rbac::Binding*> Rbac::bindings_of(const User& user, std::string_view ns) const {
  std::vector<const Binding*> found;
  visit_bindings(user, ns, [&](const Binding& binding) {
    found.push_back(&binding);
    return true;
  });
  std::ranges::sort(found, {}, &Binding::key);
  found.erase(std::ranges::unique(found).begin(), found.end());
  return found;
}

std::string Rbac::describe(const Binding& binding, const User& user) {
  const auto subject = std::ranges::find_if(
      binding.subjects, [&](const Subject& one) { return applies_to(one, user); });
  const auto& [ns, name] = binding.key;
  return fmt::format("{} {} of {} {} to {}", ns.empty() ? "ClusterRoleBinding" : "RoleBinding",
                     quote(ns.empty() ? name : name + "/" + ns), binding.reference.kind,
                     quote(binding.reference.name), subject->described);
}

Decision Rbac::decide(const User& user, const Attributes& attributes) const {
  if (user.is_in(kMasters)) return {.allowed = true};
  std::vector<RoleReference> missing;
  for (const Binding* binding : bindings_of(user, attributes.ns)) {
    const std::vector<PolicyRule>* rules = binding->rules();
    if (rules == nullptr) {
      missing.push_back(binding->reference);
    } else if (std::ranges::any_of(
                   *rules, [&](const PolicyRule& rule) { return rule.allows(attributes); })) {
      return {.allowed = true, .reason = "RBAC: allowed by " + describe(*binding, user)};
    }
  }
  return {.allowed = false, .reason = missing_roles_text(missing)};
}

HeldRules Rbac::rules_for(const User& user, std::string_view ns) const {
  HeldRules held;
  for (const Binding* binding : bindings_of(user, ns)) {
    if (const std::vector<PolicyRule>* rules = binding->rules()) {
      held.rules.insert(held.rules.end(), rules->begin(), rules->end());
    } else {
      held.missing.push_back(binding->reference);
    }
  }
  return held;
}

const std::vector<PolicyRule>* Rbac::find_rules(const RoleReference& reference,
                                                std::string_view ns) const {
  const Role* role = find_role(reference, ns);
  return role && role->exists ? &role->rules : nullptr;
}

std::string missing_roles_text(std::span<const RoleReference> roles) {
  std::vector<std::string> texts;
  for (const RoleReference& role : roles) {
    const bool is_known = role.kind == "Role" || role.kind == "ClusterRole";
    std::string text = is_known ? fmt::format("{}.{} {} not found", lower_ascii(role.kind),
                                              kRbacGroup, quote(role.name))
                                : "unsupported role reference kind: " + quote(role.kind);
    if (std::ranges::find(texts, text) == texts.end()) texts.push_back(std::move(text));
  }
  if (texts.empty()) return {};
  if (texts.size() == 1) return "RBAC: " + texts.front();
  return fmt::format("RBAC: [{}]", join(texts, ", "));
}

}  // namespace berth::apiserver
