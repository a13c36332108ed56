#include "apiserver/strategies/validated.h"

#include <gtest/gtest.h>

#include "apiserver/testing/test_hub.h"

namespace berth::apiserver {
namespace {

using testing::HubAnswer;
using testing::TestHub;

const std::string kDeployments = "/apis/apps/v1/namespaces/team/deployments";
const std::string kGood =
    R"({"metadata":{"name":"d"},"spec":{"selector":{"matchLabels":{"a":"b"}},"template":{
        "metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}})";

TEST(Validated, WhatIsWrongIsToldWithItsFields) {
  TestHub hub;
  const HubAnswer refused =
      hub.post(kDeployments, R"({"metadata":{"name":"d"},"spec":{"replicas":-1}})");
  EXPECT_EQ(refused.status, 422);
  EXPECT_EQ(refused.at("/reason"), "Invalid");
  EXPECT_EQ(refused.at("/details/causes/0/field"), "spec.replicas");
  EXPECT_EQ(refused.at("/details/causes/1/field"), "spec.selector");
}

TEST(Validated, UpdatesAndScalesAreCheckedToo) {
  TestHub hub;
  EXPECT_EQ(hub.post(kDeployments, kGood).status, 201);
  EXPECT_EQ(hub.merge(kDeployments + "/d", R"({"spec":{"replicas":-1}})").status, 422);
  EXPECT_EQ(hub.merge(kDeployments + "/d/scale", R"({"spec":{"replicas":-1}})").status, 422);
  EXPECT_EQ(hub.merge(kDeployments + "/d/scale", R"({"spec":{"replicas":3}})").status, 200);
}

TEST(Validated, ControllersWriteTheirStatusAsTheyLike) {
  TestHub hub;
  hub.post(kDeployments, kGood);
  EXPECT_EQ(hub.merge(kDeployments + "/d/status", R"({"status":{"replicas":1}})").status, 200);
}

TEST(Validated, AJobIsBornWithItsSelector) {
  TestHub hub;
  const HubAnswer made =
      hub.post("/apis/batch/v1/namespaces/team/jobs",
               R"({"metadata":{"name":"j"},"spec":{"template":{"spec":{"restartPolicy":"Never",
          "containers":[{"name":"c","image":"i"}]}}}})");
  EXPECT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.at("/spec/selector/matchLabels/batch.kubernetes.io~1controller-uid"),
            made.at("/metadata/uid"));
  EXPECT_EQ(made.at("/spec/template/metadata/labels/job-name"), "j");
}

}  // namespace
}  // namespace berth::apiserver
