#include "apiserver/openapi/custom_schema.h"

#include <gtest/gtest.h>

#include "apiserver/discovery/testing/some_registry.h"
#include "json/parse.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

using json::Value;

Value published(const char* raw) {
  const Value schema = json::parse(raw).value();
  return published_object(*testing::some_registry().find("zz.io", "v1", "foos"), &schema);
}

TEST(CustomSchema, GetsWhatEveryObjectHas) {
  const Value schema = published(R"({"type": "object", "description": "A foo.",
      "required": ["spec"], "properties": {"spec": {"type": "object"}}})");
  EXPECT_EQ(schema.find("description")->string_or_empty(), "A foo.");
  EXPECT_EQ(json::print(*schema.find("required")), R"(["spec"])");
  EXPECT_EQ(json::print(*schema.find_path({"properties", "spec"})), R"({"type":"object"})");
  EXPECT_EQ(json::print(*schema.find_path({"properties", "metadata", "allOf"})),
            R"([{"$ref":"#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"}])");
  EXPECT_EQ(json::print(*schema.find("x-kubernetes-group-version-kind")),
            R"([{"group":"zz.io","kind":"Foo","version":"v1"}])");
}

TEST(CustomSchema, MayBeNothingAtAll) {
  const Value schema =
      published_object(*testing::some_registry().find("zz.io", "v1beta1", "foos"), nullptr);
  EXPECT_EQ(schema.find("type")->string_or_empty(), "object");
  EXPECT_NE(schema.find_path({"properties", "kind"}), nullptr);
}

TEST(CustomSchema, EmbeddedObjectsAndIntOrStringAreSpelledOut) {
  const Value schema = published(R"({"type": "object", "properties": {
      "l": {"type": "array", "items": {"type": "object", "required": ["spec"],
            "x-kubernetes-embedded-resource": true,
            "x-kubernetes-preserve-unknown-fields": true}},
      "p": {"x-kubernetes-int-or-string": true}}})");
  const Value& items = *schema.find_path({"properties", "l", "items"});
  EXPECT_EQ(json::print(*items.find("required")), R"(["spec","kind","apiVersion"])");
  EXPECT_NE(items.find_path({"properties", "metadata"}), nullptr);
  EXPECT_EQ(json::print(*schema.find_path({"properties", "p", "anyOf"})),
            R"([{"type":"integer"},{"type":"string"}])");
}

TEST(CustomSchema, ListsHoldTheObjects) {
  const Value schema = published_list(*testing::some_registry().find("zz.io", "v1", "foos"));
  EXPECT_EQ(json::print(*schema.find_path({"properties", "items", "items"})),
            R"({"$ref":"#/components/schemas/io.zz.v1.Foo"})");
  EXPECT_EQ(json::print(*schema.find("x-kubernetes-group-version-kind")),
            R"([{"group":"zz.io","kind":"FooList","version":"v1"}])");
}

}  // namespace
}  // namespace berth::apiserver
