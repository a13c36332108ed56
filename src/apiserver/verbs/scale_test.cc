#include "apiserver/verbs/scale.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "apiserver/testing/foos.h"
#include "apiserver/testing/test_hub.h"

namespace berth::apiserver {
namespace {

using testing::HubAnswer;
using testing::TestHub;

class Scaling : public ::testing::Test {
 protected:
  Scaling() {
    hub.post(std::string(testing::kDefinitions), std::string(testing::kFooDefinition));
    hub.post(std::string(testing::kFoos), R"({"metadata":{"name":"a"},"spec":{"replicas":2}})");
    hub.merge(std::string(testing::kFoos) + "/a/status",
              R"({"status":{"replicas":1,"selector":"app=x"}})");
  }

  TestHub hub;
  std::string a = std::string(testing::kFoos) + "/a";
  std::string scale = a + "/scale";
};

TEST_F(Scaling, ShowsTheNumbersOfACustomResource) {
  const HubAnswer answer = hub.get(scale);
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.at("/kind"), "Scale");
  EXPECT_EQ(answer.at("/apiVersion"), "autoscaling/v1");
  EXPECT_EQ(answer.at("/spec"), R"({"replicas":2})");
  EXPECT_EQ(answer.at("/status"), R"({"replicas":1,"selector":"app=x"})");
  EXPECT_EQ(answer.at("/metadata/name"), "a");
  EXPECT_EQ(answer.at("/metadata/namespace"), "team");
  EXPECT_EQ(answer.at("/metadata/resourceVersion"), hub.get(a).at("/metadata/resourceVersion"));
  EXPECT_EQ(hub.get(std::string(testing::kFoos) + "/b/scale").status, 404);
}

TEST_F(Scaling, APatchChangesTheNumberAndNothingElse) {
  const HubAnswer patched = hub.merge(scale, R"({"spec":{"replicas":5}})");
  EXPECT_EQ(patched.status, 200);
  EXPECT_EQ(patched.at("/kind"), "Scale");
  EXPECT_EQ(patched.at("/spec/replicas"), "5");
  const HubAnswer object = hub.get(a);
  EXPECT_EQ(object.at("/spec"), R"({"replicas":5,"s":"dflt"})");
  EXPECT_EQ(object.at("/metadata/generation"), "2");
  EXPECT_EQ(patched.at("/metadata/resourceVersion"), object.at("/metadata/resourceVersion"));
  EXPECT_EQ(hub.patch(scale, R"([{"op":"replace","path":"/spec/replicas","value":6}])",
                      "application/json-patch+json")
                .at("/spec/replicas"),
            "6");
}

TEST_F(Scaling, AnUpdateMayInsistOnAVersionAndNeedNot) {
  const std::string body = R"({{"metadata":{{"name":"a"{}}},"spec":{{"replicas":{}}}}})";
  EXPECT_EQ(hub.put(scale, fmt::format(fmt::runtime(body), R"(,"resourceVersion":"1")", 3)).status,
            409);
  EXPECT_EQ(hub.put(scale, fmt::format(fmt::runtime(body), "", 3)).at("/spec/replicas"), "3");
  EXPECT_EQ(hub.put(scale, R"({"metadata":{"name":"other"},"spec":{"replicas":1}})").status, 400);
}

TEST_F(Scaling, AnotherObjectOfThatNameIsNotScaled) {
  const std::string other =
      R"({"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{"name":"a","namespace":"team",
          "uid":"other"},"spec":{"replicas":5}})";
  const HubAnswer refused = hub.put(scale, other);
  EXPECT_EQ(refused.status, 409);
  EXPECT_TRUE(refused.at("/message").contains("UID in precondition: other")) << refused.body;
  EXPECT_EQ(hub.merge(scale, R"({"metadata":{"uid":"other"},"spec":{"replicas":5}})").status, 409);
  EXPECT_EQ(hub.get(scale).at("/spec/replicas"), "2");
}

TEST_F(Scaling, NumbersBelowZeroAreInvalid) {
  const HubAnswer refused = hub.merge(scale, R"({"spec":{"replicas":-1}})");
  EXPECT_EQ(refused.status, 422);
  EXPECT_EQ(refused.at("/details/kind"), "Scale");
  EXPECT_EQ(refused.at("/details/causes/0/field"), "spec.replicas");
  EXPECT_EQ(hub.merge(scale, R"({"spec":{"replicas":"x"}})").status, 422);
}

TEST_F(Scaling, TheSameNumberIsNotWritten) {
  const store::Revision before = hub.revision();
  const HubAnswer same = hub.merge(scale, R"({"spec":{"replicas":2}})");
  EXPECT_EQ(same.status, 200);
  EXPECT_EQ(same.at("/metadata/resourceVersion"), std::to_string(before));
  const HubAnswer trial = hub.merge(scale + "?dryRun=All", R"({"spec":{"replicas":9}})");
  EXPECT_EQ(trial.at("/spec/replicas"), "9");
  EXPECT_EQ(hub.revision(), before);
}

TEST_F(Scaling, ACustomResourceWithoutTheFieldHasNoScale) {
  hub.merge(a, R"({"spec":{"replicas":null}})");
  const HubAnswer answer = hub.get(scale);
  EXPECT_EQ(answer.status, 500);
  EXPECT_TRUE(answer.at("/message").contains("\".spec.replicas\" does not exist"));
}

TEST_F(Scaling, WorkloadsTellTheirSelector) {
  const std::string deployments = "/apis/apps/v1/namespaces/team/deployments";
  const HubAnswer made = hub.post(deployments, R"({"metadata":{"name":"d"},"spec":{"replicas":0,
      "selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},
      "spec":{"containers":[{"name":"c","image":"i"}]}}}})");
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(hub.get(deployments + "/d/scale").at("/spec"), "{}");
  EXPECT_EQ(hub.get(deployments + "/d/scale").at("/status"),
            R"({"replicas":0,"selector":"app=web"})");
  EXPECT_EQ(hub.merge(deployments + "/d/scale", R"({"spec":{"replicas":4}})").at("/spec/replicas"),
            "4");
  EXPECT_EQ(hub.get(deployments + "/d").at("/metadata/generation"), "2");
}

}  // namespace
}  // namespace berth::apiserver
