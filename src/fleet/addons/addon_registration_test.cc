#include "fleet/addons/addon_registration.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::fleet {
namespace {

json::Value parsed(std::string_view text) { return json::parse(text).value(); }

const AddOnKey kKey{.cluster = "c1", .name = "score"};
const json::Value kTemplate = parsed(R"({"spec":{"registration":[{"type":"KubeClient"},
    {"type":"CustomSigner","customSigner":{"signerName":"a.b/c","subject":{"user":"me",
     "groups":["g"],"organizationUnit":["o"]}}},
    {"type":"CustomSigner","customSigner":{"signerName":"a.b/d"}}]}})");

TEST(AddOnRegistrations, AskForTheStandardIdentityUnlessTheTemplateNamesAnother) {
  const auto all = template_registrations(kTemplate, kKey);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].signer, "kubernetes.io/kube-apiserver-client");
  EXPECT_EQ(all[0].subject.common_name,
            "system:open-cluster-management:cluster:c1:addon:score:agent:score-agent");
  EXPECT_EQ(all[1].subject.common_name, "me");
  EXPECT_EQ(all[1].subject.organizational_units, std::vector<std::string>{"o"});
  EXPECT_EQ(all[2].subject, all[0].subject);
}

TEST(AddOnRegistrations, AreReadAsTheyWereWritten) {
  const auto all = template_registrations(kTemplate, kKey);
  json::Value status = json::Value::object();
  status["registrations"] = registrations_json(all);
  EXPECT_EQ(read_registrations(status), all);
}

TEST(AddOnRegistrations, AreWrittenWithTheConfigsAndTheNamespace) {
  const auto all = template_registrations(parsed(R"({"spec":{}})"), kKey);
  EXPECT_EQ(with_registration(json::Value::object(), all, "ns"), parsed(R"({"supportedConfigs":[
      {"group":"addon.open-cluster-management.io","resource":"addondeploymentconfigs"},
      {"group":"addon.open-cluster-management.io","resource":"addontemplates"}],
      "namespace":"ns"})"));
  const json::Value other_order = parsed(R"({"supportedConfigs":[
      {"group":"addon.open-cluster-management.io","resource":"addontemplates"},
      {"group":"addon.open-cluster-management.io","resource":"addondeploymentconfigs"}],
      "namespace":"ns"})");
  EXPECT_EQ(with_registration(other_order, all, "ns"), other_order);
}

TEST(AddOnRegistrations, LeaveTheSubjectOfATokenToTheAgent) {
  const json::Value before = parsed(R"({"kubeClientDriver":"token","registrations":[
      {"signerName":"kubernetes.io/kube-apiserver-client","subject":{"user":"sa"}}]})");
  const auto all =
      read_registrations(with_registration(before, template_registrations(kTemplate, kKey), "ns"));
  EXPECT_EQ(all[0].subject.common_name, "sa");
  EXPECT_EQ(all[1].subject.common_name, "me");
}

}  // namespace
}  // namespace berth::fleet
