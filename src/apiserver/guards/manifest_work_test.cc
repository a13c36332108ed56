#include "apiserver/guards/manifest_work.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/yaml_read.h"

namespace berth::apiserver {
namespace {

using ::testing::StartsWith;

json::Value work(const std::string& manifests, const std::string& more = "") {
  return json::read_one_yaml(
             "{metadata: {name: w, namespace: cluster1}, spec: {workload: "
             "{manifests: [" +
             manifests + "]}" + more + "}}")
      .value();
}

std::string refusal(const json::Value* before, json::Value after) {
  const Authorizer authorizer = [](const User&, const Attributes& a) {
    return a.verb == "execute-as" && a.group == "work.open-cluster-management.io" &&
           a.resource == "manifestworks" && a.ns == "cluster1" &&
           a.name == "system:serviceaccount:apps:good";
  };
  const User user{.name = "jane"};
  const auto written = guard_manifest_work(
      {.before = before, .user = user, .authorizer = authorizer, .now = {}}, std::move(after));
  return written.has_value() ? "" : written.error().error.message;
}

const std::string kMap = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: ns}}";

std::string executor(const std::string& name) {
  return ", executor: {subject: {type: ServiceAccount, serviceAccount: {namespace: apps, name: " +
         name + "}}}";
}

TEST(ManifestWorkGuard, LetsSoundWorksIn) {
  EXPECT_EQ(refusal(nullptr, work(kMap)), "");
  EXPECT_EQ(refusal(nullptr, work(kMap + ", {apiVersion: v1, kind: ConfigMap, metadata: {name: a, "
                                         "namespace: m}}")),
            "");
}

TEST(ManifestWorkGuard, RefusesWhatNoAgentCouldApply) {
  EXPECT_EQ(refusal(nullptr, work("")), "manifests should not be empty");
  EXPECT_EQ(refusal(nullptr, work("{apiVersion: v1, kind: ConfigMap, metadata: {}}")),
            "name must be set in manifest");
  EXPECT_EQ(refusal(nullptr, work("{kind: A, metadata: {name: a, generateName: b}}")),
            "generateName must not be set in manifest");
  EXPECT_EQ(refusal(nullptr, work(kMap + ", " + kMap)),
            "duplicate manifest for resource ns/a with resource type v1.ConfigMap");
  EXPECT_THAT(
      refusal(nullptr,
              work("{kind: A, metadata: {name: a}, data: " + std::string(512'000, 'x') + "}")),
      StartsWith("the size of manifests is 5120"));
}

TEST(ManifestWorkGuard, AnotherExecutorNeedsTheRightToExecuteAsIt) {
  EXPECT_EQ(refusal(nullptr, work(kMap, executor("good"))), "");
  EXPECT_EQ(refusal(nullptr, work(kMap, executor("bad"))),
            "user jane cannot manipulate the Manifestwork with executor apps/bad in namespace "
            "cluster1");
  const json::Value before = work(kMap, executor("bad"));
  EXPECT_EQ(refusal(&before, work(kMap, executor("bad"))), "");
  const json::Value other = work(kMap, executor("good"));
  EXPECT_NE(refusal(&other, work(kMap, executor("bad"))), "");
  EXPECT_EQ(refusal(nullptr, work(kMap, ", executor: {subject: {type: ServiceAccount}}")),
            "executor service account can not be nil");
}

}  // namespace
}  // namespace berth::apiserver
