#include "apiserver/auth/rbac.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "api/metadata.h"
#include "apiserver/auth/testing/naive_rbac.h"
#include "apiserver/auth/testing/random_rbac.h"
#include "base/random.h"
#include "json/yaml_read.h"

namespace berth::apiserver {
namespace {

Rbac rbac(std::string_view yaml) {
  const json::Value list = json::read_one_yaml(yaml).value();
  return Rbac({list.elements().data(), list.elements().size()});
}

RbacKind kind_of(const json::Value& object) {
  const std::string_view kind = object.find("kind")->string_or_empty();
  if (kind == "Role") return RbacKind::Role;
  if (kind == "ClusterRole") return RbacKind::ClusterRole;
  return kind == "RoleBinding" ? RbacKind::RoleBinding : RbacKind::ClusterRoleBinding;
}

void remove(Rbac& rbac, const json::Value& object) {
  const api::Metadata metadata(object);
  rbac.remove(kind_of(object), metadata.namespace_name(), metadata.name());
}

bool holds(const std::vector<json::Value>& objects, const json::Value& wanted) {
  const api::Metadata key(wanted);
  return std::ranges::any_of(objects, [&](const json::Value& object) {
    const api::Metadata metadata(object);
    return kind_of(object) == kind_of(wanted) && metadata.name() == key.name() &&
           metadata.namespace_name() == key.namespace_name();
  });
}

constexpr std::string_view kObjects = R"(
- {kind: ClusterRole, metadata: {name: reader},
   rules: [{verbs: [get, list], apiGroups: [""], resources: [pods]}]}
- {kind: ClusterRole, metadata: {name: health},
   rules: [{verbs: [get], nonResourceURLs: [/healthz, /livez/*]}]}
- {kind: Role, metadata: {name: writer, namespace: a},
   rules: [{verbs: ["*"], apiGroups: [""], resources: [secrets]}]}
- kind: ClusterRoleBinding
  metadata: {name: everybody}
  roleRef: {kind: ClusterRole, name: health}
  subjects: [{kind: Group, name: "system:authenticated"}, {kind: User, name: jane}]
- kind: RoleBinding
  metadata: {name: readers, namespace: a}
  roleRef: {kind: ClusterRole, name: reader}
  subjects: [{kind: User, name: jane}]
- kind: RoleBinding
  metadata: {name: writers, namespace: a}
  roleRef: {kind: Role, name: writer}
  subjects: [{kind: ServiceAccount, name: app}, {kind: ServiceAccount, name: app, namespace: b}]
- kind: RoleBinding
  metadata: {name: broken, namespace: a}
  roleRef: {kind: Role, name: gone}
  subjects: [{kind: User, name: joe}]
- kind: ClusterRoleBinding
  metadata: {name: broken}
  roleRef: {kind: ClusterRole, name: gone}
  subjects: [{kind: User, name: joe}]
)";

TEST(Rbac, DecidesAndSaysWhy) {
  const Rbac rules = rbac(kObjects);
  struct Case {
    User user;
    Attributes question;
    bool allowed;
    std::string_view reason;
  };
  const User jane{.name = "jane", .groups = {"system:authenticated"}};
  const Attributes pods{.verb = "get", .resource = "pods", .ns = "a", .name = "p"};
  const Attributes secrets{.verb = "create", .resource = "secrets", .ns = "a"};
  const Case cases[] = {
      {jane, pods, true,
       R"(RBAC: allowed by RoleBinding "readers/a" of ClusterRole "reader" to User "jane")"},
      {jane, {.verb = "get", .resource = "pods", .ns = "b"}, false, ""},
      {jane, {.verb = "list", .resource = "pods"}, false, ""},
      {jane,
       {.verb = "get", .is_resource = false, .path = "/livez/ping"},
       true,
       R"(RBAC: allowed by ClusterRoleBinding "everybody" of ClusterRole "health" to Group "system:authenticated")"},
      {{.name = "jane"},
       {.verb = "get", .is_resource = false, .path = "/healthz"},
       true,
       R"(RBAC: allowed by ClusterRoleBinding "everybody" of ClusterRole "health" to User "jane")"},
      {{.name = "system:serviceaccount:a:app"},
       secrets,
       true,
       R"(RBAC: allowed by RoleBinding "writers/a" of Role "writer" to ServiceAccount "app/a")"},
      {{.name = "system:serviceaccount:b:app"},
       secrets,
       true,
       R"(RBAC: allowed by RoleBinding "writers/a" of Role "writer" to ServiceAccount "app/b")"},
      {{.name = "system:serviceaccount:c:app"}, secrets, false, ""},
      {{.name = "joe"},
       secrets,
       false,
       R"(RBAC: [clusterrole.rbac.authorization.k8s.io "gone" not found, role.rbac.authorization.k8s.io "gone" not found])"},
      {{.name = "joe"},
       {.verb = "get", .resource = "nodes"},
       false,
       R"(RBAC: clusterrole.rbac.authorization.k8s.io "gone" not found)"},
      {{.name = "root", .groups = {"system:masters"}}, secrets, true, ""},
      {{.name = ""}, secrets, false, ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(forbidden_message(c.user, c.question));
    const Decision decision = rules.decide(c.user, c.question);
    EXPECT_EQ(decision.allowed, c.allowed);
    EXPECT_EQ(decision.reason, c.reason);
    EXPECT_EQ(rules.allows(c.user, c.question), c.allowed);
  }
}

TEST(Rbac, RulesForAUserComeFromTheClusterAndTheNamespace) {
  const Rbac rules = rbac(kObjects);
  const User jane{.name = "jane"};
  EXPECT_EQ(rules.rules_for(jane, "").rules.size(), 1U);
  EXPECT_EQ(rules.rules_for(jane, "a").rules.size(), 2U);
  EXPECT_EQ(rules.rules_for({.name = "joe"}, "a").missing.size(), 2U);
}

// Any set of roles and bindings, any question: the index answers as the ten-line reading of the
// rules does.
// From one random set to another and back, one object at a time, in any order.
RC_GTEST_PROP(RbacProperty, ComesToTheSameOneChangeAtATime, (std::uint64_t seed)) {
  testing::RandomRbac random(seed);
  Random order(seed);
  const std::vector<json::Value> first = random.objects();
  const std::vector<json::Value> second = random.objects();
  Rbac changed(first);
  std::vector<std::function<void()>> changes;
  for (const json::Value& object : first) {
    if (!holds(second, object)) changes.push_back([&] { remove(changed, object); });
  }
  for (const json::Value& object : second) {
    changes.push_back([&] { changed.put(kind_of(object), object); });
  }
  for (std::size_t i = changes.size(); i > 1; --i) {
    std::swap(changes[i - 1], changes[order.below(i)]);
  }
  for (const auto& change : changes) change();
  const Rbac made(second);
  for (int i = 0; i < 100; ++i) {
    const auto [user, question] = random.question();
    const Decision expected = made.decide(user, question);
    const Decision decision = changed.decide(user, question);
    RC_ASSERT(decision.allowed == expected.allowed);
    RC_ASSERT(decision.reason == expected.reason);
    RC_ASSERT(changed.allows(user, question) == expected.allowed);
  }
}

RC_GTEST_PROP(RbacProperty, AgreesWithTheNaiveModel, (std::uint64_t seed)) {
  testing::RandomRbac random(seed);
  const std::vector<json::Value> objects = random.objects();
  const Rbac compiled(objects);
  for (int i = 0; i < 200; ++i) {
    const auto [user, attributes] = random.question();
    const bool expected = testing::naive_allows(objects, user, attributes);
    RC_ASSERT(compiled.allows(user, attributes) == expected);
    const Decision decision = compiled.decide(user, attributes);
    RC_ASSERT(decision.allowed == expected);
    RC_ASSERT(!expected || user.is_in(kMasters) ||
              decision.reason.starts_with("RBAC: allowed by "));
  }
}

}  // namespace
}  // namespace berth::apiserver
