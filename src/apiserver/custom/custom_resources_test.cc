#include "apiserver/custom/custom_resources.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "apiserver/custom/definition_status.h"
#include "apiserver/schema/testing/object_meta.h"
#include "json/parse.h"

namespace berth::apiserver {
namespace {

Definition definition() {
  const auto object = json::parse(R"json({"metadata": {"name": "bars.ex.io", "uid": "u"},
    "spec": {"group": "ex.io", "scope": "Cluster",
      "names": {"plural": "bars", "kind": "Bar", "shortNames": ["b"], "categories": ["all"]},
      "versions": [
        {"name": "v1", "served": true, "storage": true,
         "schema": {"openAPIV3Schema": {"type": "object", "properties": {
            "spec": {"type": "object", "properties": {"color": {"type": "string"}}}}}},
         "subresources": {"status": {}, "scale": {"specReplicasPath": ".spec.r",
                                                  "statusReplicasPath": ".status.r"}},
         "additionalPrinterColumns": [{"name": "Color", "type": "string", "jsonPath": ".spec.color"}],
         "selectableFields": [{"jsonPath": ".spec.color"}]},
        {"name": "v1beta1", "served": true, "deprecated": true,
         "schema": {"openAPIV3Schema": {"type": "object"}}},
        {"name": "v0", "served": false, "schema": {"openAPIV3Schema": {"type": "object"}}}]}})json")
                          .value();
  return read_definition(with_definition_status(object, {}, Time::from_unix(0, 0)));
}

TEST(CustomResources, AreTheServedVersions) {
  SchemaSet nodes;
  const Schema& object_meta = testing::object_meta(nodes);
  const auto resources = custom_resources(definition(), &object_meta);
  ASSERT_EQ(resources.size(), 2U);
  const Resource& resource = *resources[0];
  EXPECT_EQ(resource.gvr, (api::Gvr{.group = "ex.io", .version = "v1", .resource = "bars"}));
  EXPECT_EQ(resource.kind + resource.list_kind + resource.singular, "BarBarListbar");
  EXPECT_EQ(resource.scope, Scope::Cluster);
  EXPECT_EQ(resource.table, "bars.ex.io");
  EXPECT_EQ(resource.storage_version, "ex.io/v1");
  EXPECT_TRUE(resource.has_verb("deletecollection") && resource.has_verb("watch"));
  ASSERT_TRUE(resource.find_subresource("scale") && resource.find_subresource("status"));
  EXPECT_EQ(resource.find_subresource("scale")->kind.kind, "Scale");
  EXPECT_EQ(resource.find_subresource("status")->kind.version, "v1");
  EXPECT_EQ(resource.custom->columns.at(0).name, "Color");
  EXPECT_EQ(resource.custom->definition_uid, "u");
  EXPECT_EQ(resource.custom->warning, "");
  EXPECT_EQ(resource.schema->find("metadata")->schema, &object_meta);
  EXPECT_EQ(resource.schema->find("apiVersion")->schema->form, Form::String);
  EXPECT_EQ(resource.schema->find("spec")->schema->find("color")->schema->form, Form::String);

  EXPECT_EQ(resources[1]->storage_version, "ex.io/v1");
  EXPECT_TRUE(resources[1]->subresources.empty());
  EXPECT_EQ(resources[1]->custom->columns.at(0).name, "Age");
}

TEST(CustomResources, AreNoneBeforeTheDefinitionIsEstablished) {
  Definition pending = definition();
  pending.is_established = false;
  EXPECT_TRUE(custom_resources(pending, nullptr).empty());
}

TEST(CustomResources, WarnOfDeprecatedVersionsAndNameABetterOne) {
  Definition it = definition();
  EXPECT_EQ(deprecation_warning(it, it.versions[1]),
            "ex.io/v1beta1 Bar is deprecated; use ex.io/v1 Bar");
  EXPECT_EQ(deprecation_warning(it, it.versions[0]), "");
  it.versions[0].is_deprecated = true;
  EXPECT_EQ(deprecation_warning(it, it.versions[0]), "ex.io/v1 Bar is deprecated");
  it.versions[0].deprecation_warning = "gone soon";
  EXPECT_EQ(deprecation_warning(it, it.versions[0]), "gone soon");
}

}  // namespace
}  // namespace berth::apiserver
