#include "fleet/work/manifest_work.h"

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/yaml_read.h"

namespace berth::fleet {
namespace {

json::Value read(std::string_view yaml) { return json::read_yaml(std::string(yaml)).value().at(0); }

const ResourceIdentifier kWeb{
    .group = "apps", .resource = "deployments", .ns = "ns", .name = "web"};

TEST(ManifestWork, IsReadWhole) {
  const json::Value object = read(R"(
spec:
  workload: {manifests: [{kind: A}, {kind: B}]}
  deleteOption: {propagationPolicy: SelectivelyOrphan, selectivelyOrphans: {orphaningRules: [
    {group: apps, resource: deployments, name: web, namespace: ns}]}}
  executor: {subject: {type: ServiceAccount, serviceAccount: {namespace: ns, name: bot}}}
  manifestConfigs:
  - resourceIdentifier: {group: apps, resource: deployments, name: web, namespace: ns}
    updateStrategy: {type: ServerSideApply, serverSideApply: {force: true, fieldManager: work-agent-x,
      ignoreFields: [{condition: OnSpokeChange, jsonPaths: [.spec.replicas], jsonPointers: [/spec/x]}]}}
    feedbackRules: [{type: JSONPaths, jsonPaths: [{name: a, path: .a, version: v1}]}]
    conditionRules: [{type: CEL, condition: Ready, celExpressions: ["true"], message: m}]
)");
  const ManifestWork work = read_manifest_work(object);
  ASSERT_EQ(work.manifests.size(), 2U);
  EXPECT_EQ(work.manifests[1]->find("kind")->string_or_empty(), "B");
  EXPECT_FALSE(is_owned(kWeb, work.deletion));
  ASSERT_TRUE(work.executor && work.executor->account);
  EXPECT_EQ(work.executor->account->user(), "system:serviceaccount:ns:bot");
  const ManifestOption option = option_for(kWeb, work.configs);
  EXPECT_EQ(option.update.type, UpdateType::ServerSideApply);
  EXPECT_TRUE(option.update.force);
  EXPECT_EQ(option.update.field_manager, "work-agent-x");
  ASSERT_EQ(option.update.ignored.size(), 1U);
  EXPECT_EQ(option.update.ignored[0].since, IgnoredFields::Since::Change);
  EXPECT_EQ(option.update.ignored[0].json_pointers.at(0), "/spec/x");
  EXPECT_EQ(option.feedback.at(0).paths.at(0).version, "v1");
  EXPECT_EQ(option.conditions.at(0).condition, "Ready");
}

TEST(ManifestWork, OfNonsenseHasNoManifests) {
  EXPECT_TRUE(
      read_manifest_work(read("{spec: {workload: [], manifestConfigs: 7}}")).manifests.empty());
  EXPECT_TRUE(read_manifest_work(json::Value()).manifests.empty());
}

TEST(ManifestWork, EachPartOfTheOptionComesFromTheFirstConfigThatHasIt) {
  const ManifestWork work = read_manifest_work(read(R"(
spec:
  manifestConfigs:
  - resourceIdentifier: {group: apps, resource: deployments, name: other, namespace: ns}
    updateStrategy: {type: ReadOnly}
  - resourceIdentifier: {group: apps, resource: deployments, name: 'we*', namespace: '*'}
    feedbackRules: [{type: WellKnownStatus}]
  - resourceIdentifier: {group: apps, resource: deployments, name: web, namespace: ns}
    updateStrategy: {type: CreateOnly}
    feedbackRules: [{type: JSONPaths}]
  - resourceIdentifier: {group: apps, resource: deployments, name: web, namespace: ns}
    updateStrategy: {type: Update}
)"));
  const ManifestOption option = option_for(kWeb, work.configs);
  EXPECT_EQ(option.update.type, UpdateType::CreateOnly);
  EXPECT_EQ(option.feedback.at(0).type, FeedbackRule::Type::WellKnown);
  EXPECT_EQ(option_for({}, work.configs).update.type, UpdateType::Update);
}

TEST(ManifestWork, OrphansAreNotOwned) {
  using Policy = DeleteOption::Policy;
  EXPECT_TRUE(is_owned(kWeb, {}));
  EXPECT_FALSE(is_owned(kWeb, {.policy = Policy::Orphan}));
  EXPECT_TRUE(is_owned(kWeb, {.policy = Policy::SelectivelyOrphan}));
  EXPECT_TRUE(is_owned(kWeb, {.policy = Policy::Foreground, .orphans = {kWeb}}));
}

TEST(ManifestWork, WishesDifferWhereverTheOutcomeCould) {
  const json::Value work = read("{spec: {deleteOption: {propagationPolicy: Orphan}}}");
  const std::string wish = wish_text(read("{a: b}"), work);
  EXPECT_EQ(wish, wish_text(read("{a: b}"), work));
  EXPECT_NE(wish, wish_text(read("{a: c}"), work));
  EXPECT_NE(wish, wish_text(read("{a: b}"), read("{spec: {}}")));
}

}  // namespace
}  // namespace berth::fleet
