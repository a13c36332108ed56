#include "apiserver/schema/builtin_types.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/kinds/kinds_files.h"
#include "json/parse.h"

namespace berth::apiserver {
namespace {

using ::testing::ElementsAre;

class BuiltinTypesOfTheTable : public ::testing::Test {
 protected:
  // The node at the end of the names, each of a field.
  const Schema& at(std::string_view type, std::initializer_list<std::string_view> names) {
    const Schema* node = types_.find(type);
    for (const std::string_view name : names) node = node->find(name)->schema;
    return *node;
  }

  BuiltinTypes types_{read_kinds_file("types")};
};

TEST_F(BuiltinTypesOfTheTable, PodIsFoundByKind) {
  const Schema* pod = types_.find_kind({.version = "v1", .kind = "Pod"});
  ASSERT_NE(pod, nullptr);
  EXPECT_EQ(pod->form, Form::Object);
  EXPECT_EQ(pod->type_name, "io.k8s.api.core.v1.Pod");
  EXPECT_EQ(pod->find("spec")->schema, types_.find("io.k8s.api.core.v1.PodSpec"));
  EXPECT_EQ(types_.find_kind({.version = "v2", .kind = "Pod"}), nullptr);
  EXPECT_EQ(types_.find("io.k8s.api.core.v1.Pot"), nullptr);
}

TEST_F(BuiltinTypesOfTheTable, ListsKnowTheirKeysAndHowTheyArePatched) {
  const Field& containers = *types_.find("io.k8s.api.core.v1.PodSpec")->find("containers");
  EXPECT_EQ(containers.patch_strategy, json::PatchStrategy::Merge);
  EXPECT_EQ(containers.patch_merge_key, "name");
  EXPECT_EQ(containers.schema->form, Form::Array);
  EXPECT_EQ(containers.schema->list_kind, ListKind::Map);
  EXPECT_THAT(containers.schema->list_keys, ElementsAre("name"));
  const Schema& container = *containers.schema->items;
  EXPECT_THAT(container.find("ports")->schema->list_keys, ElementsAre("containerPort", "protocol"));
  EXPECT_THAT(container.required, ElementsAre("name"));
  EXPECT_EQ(at("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta", {"finalizers"}).list_kind,
            ListKind::Set);
  EXPECT_EQ(types_.find("io.k8s.api.apps.v1.DeploymentSpec")->find("strategy")->patch_strategy,
            json::PatchStrategy::Default);
  EXPECT_EQ(types_.find("io.k8s.api.core.v1.PodSpec")->find("volumes")->patch_strategy,
            json::PatchStrategy::Merge);
}

TEST_F(BuiltinTypesOfTheTable, MapsHaveValuesAndMayBeAtomic) {
  const Schema& labels = at("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta", {"labels"});
  EXPECT_EQ(labels.form, Form::Object);
  EXPECT_EQ(labels.additional->form, Form::String);
  EXPECT_EQ(labels.map_kind, MapKind::Granular);
  EXPECT_FALSE(labels.keeps_unknown);
  EXPECT_EQ(at("io.k8s.api.core.v1.PodSpec", {"nodeSelector"}).map_kind, MapKind::Atomic);
  EXPECT_EQ(at("io.k8s.api.core.v1.ObjectReference", {}).map_kind, MapKind::Atomic);
}

TEST_F(BuiltinTypesOfTheTable, AReferenceMaySaySomethingElseOfItsType) {
  const Schema& claim = at("io.k8s.api.core.v1.PersistentVolumeSpec", {"claimRef"});
  EXPECT_EQ(claim.map_kind, MapKind::Granular);
  EXPECT_EQ(claim.type_name, "io.k8s.api.core.v1.ObjectReference");
  EXPECT_NE(claim.find("uid"), nullptr);
}

TEST_F(BuiltinTypesOfTheTable, TypesWithAFormOfTheirOwn) {
  const Schema& quantity = at("io.k8s.apimachinery.pkg.api.resource.Quantity", {});
  EXPECT_EQ(quantity.form, Form::Any);
  EXPECT_TRUE(quantity.keeps_unknown);
  EXPECT_EQ(at("io.k8s.api.core.v1.ServicePort", {"targetPort"}).form, Form::IntOrString);
  const Schema& time = at("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta", {"creationTimestamp"});
  EXPECT_EQ(time.form, Form::String);
  EXPECT_EQ(time.format, "date-time");
  EXPECT_EQ(at("io.k8s.api.coordination.v1.LeaseSpec", {"renewTime"}).type_name,
            "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime");
  EXPECT_TRUE(at("io.k8s.apimachinery.pkg.runtime.RawExtension", {}).keeps_unknown);
  EXPECT_EQ(at("io.k8s.api.core.v1.Secret", {"data"}).additional->format, "byte");
}

TEST_F(BuiltinTypesOfTheTable, MayContainThemselves) {
  const Schema* schema =
      types_.find("io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps");
  EXPECT_EQ(schema->find("properties")->schema->additional, schema);
  EXPECT_EQ(schema->find("default")->schema->form, Form::Any);
}

TEST_F(BuiltinTypesOfTheTable, HaveNoDefaultsAndNoConstraints) {
  const Schema& phase = at("io.k8s.api.core.v1.PodSpec", {"restartPolicy"});
  EXPECT_FALSE(phase.default_value.has_value());
  EXPECT_EQ(phase.constraints, nullptr);
}

TEST(BuiltinTypes, AReferenceToNothingIsAMistakeOfOurs) {
  const auto table =
      json::parse(R"({"a": {"properties": {"b": {"$ref": "c"}}, "type": "object"}})");
  EXPECT_DEATH(BuiltinTypes{*table}, "nodes_.end");
}

}  // namespace
}  // namespace berth::apiserver
