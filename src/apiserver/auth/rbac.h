// Rbac: all Roles, ClusterRoles and their bindings, compiled so that a question costs a few lookups
// (bindings are found by their subjects) and a change what it is about.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "apiserver/auth/attributes.h"
#include "apiserver/auth/policy_rule.h"
#include "apiserver/user.h"
#include "base/strings.h"
#include "json/value.h"

namespace berth::apiserver {

inline constexpr std::string_view kRbacGroup = "rbac.authorization.k8s.io";

struct Decision {
  bool allowed = false;
  // `RBAC: allowed by ClusterRoleBinding "x" of ClusterRole "y" to Group "z"`; of a refusal, which
  // roles are missing that bindings name. Mostly empty then.
  std::string reason = {};
};

// How to ask for one more right, for those who must not see the whole of Rbac.
using Authorizer = std::function<bool(const User&, const Attributes&)>;

struct RoleReference {
  std::string kind;  // "Role" or "ClusterRole".
  std::string name;
};

struct HeldRules {
  std::vector<PolicyRule> rules = {};
  std::vector<RoleReference> missing = {};  // Roles that bindings name and that do not exist.
};

enum class RbacKind : std::uint8_t { Role, ClusterRole, RoleBinding, ClusterRoleBinding };

// Members of system:masters may do everything, whatever the objects say.
class Rbac {
 public:
  Rbac() = default;

  // Objects of the four kinds in any order, told apart by their `kind`; others are passed over.
  // Where several bindings allow the same, the reason names the first by name.
  explicit Rbac(std::span<const json::Value> objects);

  Rbac(Rbac&&) = default;
  Rbac& operator=(Rbac&&) = default;

  void put(RbacKind kind, const json::Value& object);  // Adds or replaces.
  void remove(RbacKind kind, std::string_view ns, std::string_view name);

  bool allows(const User& user, const Attributes& attributes) const;
  Decision decide(const User& user, const Attributes& attributes) const;

  // All that the user may do in the namespace; an empty one: across the cluster.
  HeldRules rules_for(const User& user, std::string_view ns) const;

  // Of the role that a binding in the namespace names; nullptr if there is none.
  const std::vector<PolicyRule>* find_rules(const RoleReference& reference,
                                            std::string_view ns) const;

 private:
  template <typename T>
  using ByName = boost::unordered_flat_map<std::string, T, StringHash, std::equal_to<>>;

  // Also of a role that does not exist, as long as a binding names it.
  struct Role {
    bool exists = false;
    std::vector<PolicyRule> rules = {};
  };
  using RolePtr = std::shared_ptr<Role>;

  enum class SubjectKind : std::uint8_t { User, Group, ServiceAccount };
  struct Subject {
    SubjectKind kind;
    std::string name;       // What the user or one of its groups must be called.
    std::string described;  // `ServiceAccount "name/namespace"`
  };
  using BindingKey = std::pair<std::string, std::string>;  // Namespace, or none, and name.
  struct Binding {
    BindingKey key;
    RoleReference reference;
    std::vector<Subject> subjects;
    RolePtr role = nullptr;  // Null: of a kind that is none.

    const std::vector<PolicyRule>* rules() const {  // Null: no such role.
      return role && role->exists ? &role->rules : nullptr;
    }
  };
  using Bindings = std::vector<const Binding*>;  // In the order of their keys.

  // Who is bound in one namespace or across the cluster.
  struct Index {
    ByName<Bindings> users;
    ByName<Bindings> groups;

    Bindings& of(const Subject& subject) {
      return (subject.kind == SubjectKind::Group ? groups : users)[subject.name];
    }
  };

  static Binding read_binding(const json::Value& object);
  ByName<RolePtr>* roles_in(std::string_view kind, std::string_view ns);
  const Role* find_role(const RoleReference& reference, std::string_view ns) const;
  void forget_role_if_unused(const RoleReference& reference, std::string_view ns);
  void put_binding(Binding binding);
  void remove_binding(const BindingKey& key);
  static bool applies_to(const Subject& subject, const User& user);
  static std::string describe(const Binding& binding, const User& user);
  template <typename Visit>
  void visit_index(const Index& index, const User& user, Visit visit) const;
  template <typename Visit>
  void visit_bindings(const User& user, std::string_view ns, Visit visit) const;
  std::vector<const Binding*> bindings_of(const User& user, std::string_view ns) const;

  ByName<RolePtr> cluster_roles_;
  ByName<ByName<RolePtr>> roles_;  // By namespace, then by name.
  std::map<BindingKey, Binding> bindings_;
  Index cluster_;
  ByName<Index> namespaces_;
};

// `RBAC: clusterrole.rbac.authorization.k8s.io "x" not found`, several in brackets; empty: none.
std::string missing_roles_text(std::span<const RoleReference> roles);

}  // namespace berth::apiserver
