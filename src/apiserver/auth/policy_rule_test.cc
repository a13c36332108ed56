#include "apiserver/auth/policy_rule.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::apiserver {
namespace {

TEST(PolicyRule, SurvivesJson) {
  const PolicyRule rule{
      .verbs = {"get", "list"}, .api_groups = {""}, .resources = {"pods"}, .resource_names = {"a"}};
  EXPECT_EQ(PolicyRule::from_json(rule.to_json()), rule);
  EXPECT_EQ(rule.to_json(), json::parse(R"({"verbs":["get","list"],"apiGroups":[""],
      "resources":["pods"],"resourceNames":["a"]})")
                                .value());
  EXPECT_TRUE(read_rules(nullptr).empty());
}

TEST(PolicyRule, AllowsWhatItsListsName) {
  struct Case {
    PolicyRule rule;
    Attributes question;
    bool allowed;
  };
  const Case cases[] = {
      {{{"get"}, {""}, {"pods"}}, {.verb = "get", .resource = "pods", .ns = "n"}, true},
      {{{"get"}, {""}, {"pods"}}, {.verb = "list", .resource = "pods"}, false},
      {{{"get"}, {"apps"}, {"pods"}}, {.verb = "get", .resource = "pods"}, false},
      {{{"*"}, {"*"}, {"*"}},
       {.verb = "x", .group = "y", .resource = "z", .subresource = "s"},
       true},
      {{{"get"}, {""}, {"pods"}}, {.verb = "get", .resource = "pods", .subresource = "log"}, false},
      {{{"get"}, {""}, {"pods/log"}},
       {.verb = "get", .resource = "pods", .subresource = "log"},
       true},
      {{{"get"}, {""}, {"pods/log"}}, {.verb = "get", .resource = "pods"}, false},
      {{{"get"}, {""}, {"*/log"}}, {.verb = "get", .resource = "pods", .subresource = "log"}, true},
      {{{"get"}, {""}, {"*/log"}},
       {.verb = "get", .resource = "pods", .subresource = "catalog"},
       false},
      {{{"get"}, {""}, {"*/log"}}, {.verb = "get", .resource = "log"}, false},
      {{{"get"}, {""}, {"pods"}, {"a"}}, {.verb = "get", .resource = "pods", .name = "a"}, true},
      {{{"get"}, {""}, {"pods"}, {"a"}}, {.verb = "get", .resource = "pods", .name = "b"}, false},
      {{{"get"}, {""}, {"pods"}, {"a"}}, {.verb = "get", .resource = "pods"}, false},
      {{{"get"}, {}, {}, {}, {"/a/*"}},
       {.verb = "get", .is_resource = false, .path = "/a/b"},
       true},
      {{{"get"}, {}, {}, {}, {"/a/*"}}, {.verb = "get", .is_resource = false, .path = "/a"}, false},
      {{{"get"}, {}, {}, {}, {"*"}}, {.verb = "get", .is_resource = false, .path = "/x"}, true},
      {{{"get"}, {"*"}, {"*"}}, {.verb = "get", .is_resource = false, .path = "/x"}, false},
      {{{"get"}, {}, {}, {}, {"*"}}, {.verb = "get", .resource = "pods"}, false},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(c.rule.allows(c.question), c.allowed)
        << c.rule.to_string() << forbidden_message({.name = "u"}, c.question);
  }
}

TEST(PolicyRule, PrintsAsTheReferenceDoes) {
  const PolicyRule rule{.verbs = {"get", "list"}, .api_groups = {"apps"}, .resources = {"a"}};
  EXPECT_EQ(rule.to_string(), R"({APIGroups:["apps"], Resources:["a"], Verbs:["get" "list"]})");
}

TEST(UncoveredRules, AreWhatNoSingleHeldRuleCovers) {
  const PolicyRule pods{.verbs = {"get"}, .api_groups = {""}, .resources = {"pods"}};
  const PolicyRule named{
      .verbs = {"get"}, .api_groups = {""}, .resources = {"pods"}, .resource_names = {"a"}};
  const PolicyRule wanted{
      .verbs = {"get", "list", "watch"}, .api_groups = {""}, .resources = {"pods", "*/log"}};
  EXPECT_TRUE(uncovered_rules(std::vector{pods}, std::vector{named}).empty());
  EXPECT_EQ(uncovered_rules(std::vector{named}, std::vector{pods}), std::vector{pods});
  EXPECT_EQ(uncovered_rules(std::vector{pods}, std::vector{wanted}),
            (std::vector<PolicyRule>{
                {.verbs = {"list", "watch"}, .api_groups = {""}, .resources = {"pods"}},
                {.verbs = {"get", "list", "watch"}, .api_groups = {""}, .resources = {"*/log"}}}));
  EXPECT_TRUE(uncovered_rules({}, {}).empty());
}

TEST(UncoveredRules, SubresourcesAndPathsFollowTheirWildcards) {
  const PolicyRule logs{.verbs = {"*"}, .api_groups = {"*"}, .resources = {"*/log"}};
  const PolicyRule pod_log{.verbs = {"get"}, .api_groups = {""}, .resources = {"pods/log"}};
  EXPECT_TRUE(uncovered_rules(std::vector{logs}, std::vector{pod_log}).empty());
  const PolicyRule below{.verbs = {"get"}, .non_resource_urls = {"/a/*"}};
  const PolicyRule one{.verbs = {"get"}, .non_resource_urls = {"/a/b", "/c"}};
  EXPECT_EQ(uncovered_rules(std::vector{below}, std::vector{one}),
            (std::vector<PolicyRule>{{.verbs = {"get"}, .non_resource_urls = {"/c"}}}));
}

TEST(UncoveredRules, ARuleOfBillionsOfPiecesIsNotTakenApart) {
  std::vector<std::string> many;
  for (int i = 0; i < 1000; ++i) many.push_back("r" + std::to_string(i));
  const PolicyRule huge{.verbs = many, .api_groups = many, .resources = many};
  EXPECT_EQ(uncovered_rules(std::vector{huge}, std::vector{huge}), std::vector{huge});
  const std::vector<PolicyRule> everything = {
      {.verbs = {"*"}, .api_groups = {"*"}, .resources = {"*"}},
      {.verbs = {"*"}, .non_resource_urls = {"*"}}};
  EXPECT_TRUE(uncovered_rules(everything, std::vector{huge}).empty());
}

}  // namespace
}  // namespace berth::apiserver
