#include "apiserver/custom/definition.h"

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

TEST(Definition, HasWhatTheObjectSays) {
  const auto object = json::parse(R"json({"metadata": {"name": "bars.ex.io", "uid": "u"},
    "spec": {"group": "ex.io", "scope": "Cluster",
      "names": {"plural": "bars", "singular": "bar", "kind": "Bar", "listKind": "BarList",
                "shortNames": ["b"], "categories": ["all"]},
      "conversion": {"strategy": "None"},
      "versions": [
        {"name": "v1", "served": true, "storage": true,
         "schema": {"openAPIV3Schema": {"type": "object"}},
         "subresources": {"status": {}, "scale": {"specReplicasPath": ".spec.r",
            "statusReplicasPath": ".status.r", "labelSelectorPath": ".status.s"}},
         "additionalPrinterColumns": [{"name": "A", "type": "integer", "priority": 1,
            "jsonPath": ".a", "description": "d", "format": "int32"}],
         "selectableFields": [{"jsonPath": ".spec.color"}]},
        {"name": "v0", "deprecated": true, "deprecationWarning": "old"}]},
    "status": {"storedVersions": ["v1"], "acceptedNames": {"plural": "bars"},
               "conditions": [{"type": "Established", "status": "True"}]}})json")
                          .value();
  const Definition definition = read_definition(object);
  EXPECT_EQ(definition.name, "bars.ex.io");
  EXPECT_EQ(definition.uid, "u");
  EXPECT_EQ(definition.scope, Scope::Cluster);
  EXPECT_EQ(definition.names.short_names, std::vector<std::string>{"b"});
  EXPECT_EQ(definition.accepted_names.plural, "bars");
  EXPECT_TRUE(definition.is_established);
  ASSERT_EQ(definition.versions.size(), 2U);
  const DefinitionVersion& version = definition.versions[0];
  EXPECT_EQ(definition.storage_version(), &version);
  EXPECT_TRUE(version.is_served && version.has_status);
  EXPECT_EQ(version.scale->selector, ".status.s");
  EXPECT_EQ(version.columns.at(0).priority, 1);
  EXPECT_EQ(version.selectable, std::vector<std::string>{".spec.color"});
  EXPECT_EQ(definition.versions[1].deprecation_warning, "old");
  EXPECT_FALSE(definition.versions[1].schema);
}

TEST(Definition, ReadsAnythingWithoutComplaint) {
  for (const char* text : {"null", "{}", "[]", R"({"spec": 5, "status": [], "metadata": "x"})",
                           R"({"spec": {"versions": [5, {}], "names": [], "conversion": 1}})"}) {
    const auto object = json::parse(text).value();
    read_definition(object);
    with_definition_defaults(object);
  }
}

TEST(Definition, GetsItsDefaults) {
  const auto object = json::parse(R"({"spec": {"names": {"kind": "Bar"},
      "versions": [{"name": "v1", "storage": true}]}})")
                          .value();
  const json::Value filled = with_definition_defaults(object);
  EXPECT_EQ(json::print(*filled.find_path({"spec", "names"})),
            R"({"kind":"Bar","singular":"bar","listKind":"BarList"})");
  EXPECT_EQ(json::print(*filled.find_path({"spec", "conversion"})), R"({"strategy":"None"})");
  EXPECT_EQ(json::print(*filled.find("status")), R"({"storedVersions":["v1"]})");
  EXPECT_EQ(with_definition_defaults(filled), filled);
}

}  // namespace
}  // namespace berth::apiserver
