// Our authorization against kube-apiserver's: the same roles and bindings, the same questions, the
// same answers, reasons and refusals.

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/auth/escalation.h"
#include "apiserver/auth/rbac.h"
#include "apiserver/auth/testing/random_rbac.h"
#include "base/strings.h"
#include "json/print.h"
#include "kube/blocking_api.h"
#include "kube/server.h"

namespace berth::kube {
namespace {

using apiserver::Attributes;
using apiserver::Decision;
using apiserver::Rbac;
using apiserver::User;
using client::ResourcePath;
using json::Value;
using ::testing::HasSubstr;

constexpr std::uint64_t kSeed = 20'261'116;
constexpr int kQuestions = 2500;

ResourcePath rbac_path(std::string resource, std::string ns = "") {
  return {.resource = {.group = "rbac.authorization.k8s.io", .version = "v1", .resource = resource},
          .ns = std::move(ns)};
}

ResourcePath path_of_kind(const Value& object) {
  const Value* ns = object.find_path({"metadata", "namespace"});
  std::string resource = lower_ascii(object.find("kind")->string_or_empty()) + "s";
  return rbac_path(std::move(resource), std::string(ns == nullptr ? "" : ns->string_or_empty()));
}

Value role(std::string_view kind, std::string_view name, std::string_view resource) {
  return Value::object(
      {{"apiVersion", "rbac.authorization.k8s.io/v1"},
       {"kind", kind},
       {"metadata", Value::object({{"name", name}})},
       {"rules",
        Value::array({Value::object({{"verbs", Value::array({"create", "get"})},
                                     {"apiGroups", Value::array({"", "rbac.authorization.k8s.io"})},
                                     {"resources", Value::array({resource, "rolebindings"})}})})}});
}

Value binding(std::string_view kind, std::string_view name, std::string_view role_kind,
              std::string_view user) {
  return Value::object(
      {{"apiVersion", "rbac.authorization.k8s.io/v1"},
       {"kind", kind},
       {"metadata", Value::object({{"name", name}})},
       {"roleRef",
        Value::object(
            {{"apiGroup", "rbac.authorization.k8s.io"}, {"kind", role_kind}, {"name", name}})},
       {"subjects",
        Value::array({Value::object(
            {{"kind", "User"}, {"apiGroup", "rbac.authorization.k8s.io"}, {"name", user}})})}});
}

Value texts(const std::vector<std::string>& list) {
  Value array = Value::array();
  for (const std::string& text : list) array.push_back(text);
  return array;
}

Value review_of(const User& user, const Attributes& a) {
  Value spec = Value::object({{"user", user.name}, {"groups", texts(user.groups)}});
  if (a.is_resource) {
    spec["resourceAttributes"] = Value::object({{"verb", a.verb},
                                                {"group", a.group},
                                                {"version", a.version},
                                                {"resource", a.resource},
                                                {"subresource", a.subresource},
                                                {"namespace", a.ns},
                                                {"name", a.name}});
  } else {
    spec["nonResourceAttributes"] = Value::object({{"verb", a.verb}, {"path", a.path}});
  }
  return Value::object({{"apiVersion", "authorization.k8s.io/v1"},
                        {"kind", "SubjectAccessReview"},
                        {"spec", std::move(spec)}});
}

// The reference visits bindings in no order. "RBAC: [a, b]" is the same as "RBAC: [b, a]".
std::multiset<std::string> parts_of(std::string_view reason) {
  std::multiset<std::string> parts;
  for (const std::string_view part : split(reason, ',')) {
    std::string word(trim(part));
    std::erase(word, '[');
    std::erase(word, ']');
    if (word.starts_with("RBAC: ")) word.erase(0, 6);
    parts.insert(std::move(word));
  }
  return parts;
}

class RbacComparison : public ::testing::Test {
 protected:
  void SetUp() override {
    auto started = Server::start();
    ASSERT_TRUE(started.ok()) << started.error().message;
    server_ = std::move(*started);
    api_ = std::make_unique<BlockingApi>(server_->kubeconfig(),
                                         client::ApiOptions{.rate = {.per_second = 0}});
  }

  void create(const ResourcePath& path, const Value& object) {
    const auto created = api_->create(path, object);
    ASSERT_TRUE(created.ok()) << created.error().message;
  }
  void create_namespaces() {
    for (const char* ns : {"ns-0", "ns-1", "ns-2"}) {
      create({.resource = {.version = "v1", .resource = "namespaces"}},
             Value::object({{"metadata", Value::object({{"name", ns}})}}));
    }
  }
  Decision ask(const User& user, const Attributes& attributes) {
    const auto answer = api_->create({.resource = {.group = "authorization.k8s.io",
                                                   .version = "v1",
                                                   .resource = "subjectaccessreviews"}},
                                     review_of(user, attributes));
    if (!answer.ok()) return {.reason = "no answer: " + answer.error().message};
    const Value* reason = answer->find_path({"status", "reason"});
    return {.allowed = answer->find_path({"status", "allowed"})->as_bool().value_or(false),
            .reason = std::string(reason == nullptr ? "" : reason->string_or_empty())};
  }
  // Informers of the server are behind its storage: the last object of each kind tells.
  void wait_for_rules() {
    create(rbac_path("clusterroles"), role("ClusterRole", "last", "nodes"));
    create(rbac_path("clusterrolebindings"),
           binding("ClusterRoleBinding", "last", "ClusterRole", "sentinel"));
    create(rbac_path("roles", "ns-0"), role("Role", "last", "roles"));
    create(rbac_path("rolebindings", "ns-0"), binding("RoleBinding", "last", "Role", "jane"));
    const User sentinel{.name = "sentinel"};
    const Attributes nodes{.verb = "get", .resource = "nodes"};
    const Attributes roles{
        .verb = "create", .group = "rbac.authorization.k8s.io", .resource = "roles", .ns = "ns-0"};
    for (int i = 0; i < 10'000; ++i) {
      if (ask(sentinel, nodes).allowed && ask({.name = "jane"}, roles).allowed) return;
    }
    FAIL() << "the server does not see its own rules";
  }
  // Everything that the server has, its own roles included.
  std::vector<Value> all_rules() {
    std::vector<Value> objects;
    for (const std::string kind : {"ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"}) {
      const auto list = api_->list(rbac_path(lower_ascii(kind) + "s"));
      EXPECT_TRUE(list.ok());
      for (Value object : list->find("items")->elements()) {
        object["kind"] = kind;
        objects.push_back(std::move(object));
      }
    }
    return objects;
  }
  // Whether some one binding alone gives that reason.
  static bool is_possible(const std::vector<Value>& objects, const User& user,
                          const Attributes& attributes, const std::string& reason) {
    std::vector<Value> roles;
    for (const Value& object : objects) {
      if (!object.find("kind")->string_or_empty().ends_with("Binding")) roles.push_back(object);
    }
    return std::ranges::any_of(objects, [&](const Value& object) {
      if (!object.find("kind")->string_or_empty().ends_with("Binding")) return false;
      std::vector<Value> one = roles;
      one.push_back(object);
      return Rbac(one).decide(user, attributes).reason == reason;
    });
  }

  std::unique_ptr<Server> server_;
  std::unique_ptr<BlockingApi> api_;
};

TEST_F(RbacComparison, DecidesAndExplainsAsTheReference) {
  apiserver::testing::RandomRbac random(kSeed);
  create_namespaces();
  for (const Value& object : random.objects()) create(path_of_kind(object), object);
  wait_for_rules();
  const std::vector<Value> objects = all_rules();
  const Rbac rbac(objects);
  int allowed = 0;
  for (int i = 0; i < kQuestions; ++i) {
    const auto [user, attributes] = random.question();
    SCOPED_TRACE(forbidden_message(user, attributes) + json::print(review_of(user, attributes)));
    const Decision theirs = ask(user, attributes);
    const Decision ours = rbac.decide(user, attributes);
    ASSERT_EQ(ours.allowed, theirs.allowed) << ours.reason << " / " << theirs.reason;
    if (ours.reason != theirs.reason) {
      ASSERT_TRUE(theirs.allowed ? is_possible(objects, user, attributes, theirs.reason)
                                 : parts_of(ours.reason) == parts_of(theirs.reason))
          << ours.reason << " / " << theirs.reason;
    }
    allowed += ours.allowed ? 1 : 0;
  }
  EXPECT_GT(allowed, kQuestions / 10);
  EXPECT_LT(allowed, kQuestions * 9 / 10);
}

TEST_F(RbacComparison, RefusesInTheSameWords) {
  create_namespaces();
  create(rbac_path("clusterroles"), role("ClusterRole", "other", "secrets"));
  create(rbac_path("clusterrolebindings"),
         binding("ClusterRoleBinding", "gone", "ClusterRole", "jane"));
  wait_for_rules();
  const std::vector<Value> objects = all_rules();
  const Rbac rbac(objects);
  const User jane{.name = "jane", .groups = {"devs", "system:authenticated"}};
  BlockingApi janes(server_->kubeconfig_for({.name = "jane", .group = "devs"}).value());

  const Attributes nodes{.verb = "delete", .version = "v1", .resource = "nodes", .name = "n"};
  const auto deleted =
      janes.remove({.resource = {.version = "v1", .resource = "nodes"}, .name = "n"});
  EXPECT_THAT(deleted.error().message, HasSubstr(apiserver::forbidden(jane, nodes).error.message));

  const Value secrets = role("Role", "more", "secrets");
  const Value to_other = binding("RoleBinding", "other", "ClusterRole", "jane");
  Value to_nothing = binding("RoleBinding", "none", "Role", "jane");
  to_nothing["roleRef"]["name"] = "missing";
  for (const auto& [resource, object] :
       {std::pair{"roles", &secrets}, {"rolebindings", &to_other}, {"rolebindings", &to_nothing}}) {
    SCOPED_TRACE(json::print(*object));
    const auto refusal = apiserver::check_escalation(
        rbac,
        {.user = jane, .resource = resource, .ns = "ns-0", .before = nullptr, .after = *object});
    ASSERT_FALSE(refusal.has_value());
    const auto theirs = janes.create(rbac_path(resource, "ns-0"), *object);
    ASSERT_FALSE(theirs.ok());
    EXPECT_EQ(theirs.error().code, refusal.error().error.code);
    EXPECT_THAT(theirs.error().message, HasSubstr(refusal.error().error.message));
  }
}

}  // namespace
}  // namespace berth::kube
