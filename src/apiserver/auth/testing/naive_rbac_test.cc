#include "apiserver/auth/testing/naive_rbac.h"

#include <gtest/gtest.h>

#include "json/yaml_read.h"

namespace berth::apiserver::testing {
namespace {

TEST(NaiveRbac, KnowsTheRulesByHeart) {
  const json::Value list = json::read_one_yaml(R"(
- {kind: Role, metadata: {name: r, namespace: ns1},
   rules: [{verbs: [get], apiGroups: [""], resources: ["*/log"]}]}
- {kind: RoleBinding, metadata: {name: b, namespace: ns1},
   roleRef: {kind: Role, name: r},
   subjects: [{kind: User, name: u}]}
)")
                               .value();
  const Attributes logs{.verb = "get", .resource = "pods", .subresource = "log", .ns = "ns1"};
  EXPECT_TRUE(naive_allows(list.elements(), {.name = "u"}, logs));
  EXPECT_FALSE(naive_allows(list.elements(), {.name = "v"}, logs));
  EXPECT_FALSE(naive_allows(list.elements(), {.name = "u"},
                            {.verb = "get", .resource = "pods", .ns = "ns1"}));
  Attributes elsewhere = logs;
  elsewhere.ns = "m";
  EXPECT_FALSE(naive_allows(list.elements(), {.name = "u"}, elsewhere));
}

}  // namespace
}  // namespace berth::apiserver::testing
