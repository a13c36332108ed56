#include "apiserver/apply/type_ref.h"

#include <gtest/gtest.h>

#include "apiserver/apply/testing/sets.h"
#include "apiserver/apply/testing/thing_schema.h"

namespace berth::apiserver {
namespace {

using json::Value;
using testing::json_of;
using testing::parse_schema;
using testing::ThingType;

TEST(TypeRef, WholeObjectsHaveMetadataWithoutDeclaringIt) {
  const ThingType thing;
  EXPECT_TRUE(thing.type.declares("metadata") && thing.type.declares("apiVersion"));
  EXPECT_FALSE(thing.type.allows("bogus"));
  EXPECT_FALSE(thing.type.member("metadata").member("finalizers").is_atomic(Shape::List));
  const TypeRef spec = thing.type.member("spec");
  EXPECT_FALSE(spec.declares("metadata"));
  EXPECT_TRUE(spec.member("pod").declares("metadata")) << "an embedded object is whole too";
}

TEST(TypeRef, UndeclaredPartsAreGranularMapsAndAtomicLists) {
  const ThingType thing;
  const TypeRef part = thing.type.member("spec").member("free").member("x");
  EXPECT_TRUE(part.allows("anything"));
  EXPECT_FALSE(part.is_atomic(Shape::Map));
  EXPECT_TRUE(part.is_atomic(Shape::List));
  EXPECT_TRUE(part.is_free_form_map());
}

TEST(TypeRef, UnknownFieldsAreAllowedBelowWhereTheyAreKept) {
  const auto schema = parse_schema(R"({"type":"object","properties":{"spec":{"type":"object",
    "x-kubernetes-preserve-unknown-fields":true,"properties":{"in":{"type":"object",
    "properties":{"a":{"type":"string"}}}}}}})");
  const TypeRef type = TypeRef::of_object(*schema.root);
  EXPECT_FALSE(type.allows("x"));
  EXPECT_TRUE(type.member("spec").allows("x"));
  EXPECT_TRUE(type.member("spec").member("in").allows("x"));
}

TEST(TypeRef, ValuesHaveTheirOwnShapeOrAllThatAreAllowed) {
  const ThingType thing;
  const TypeRef any = thing.type.member("spec").member("any");
  const Value map = Value::object();
  const Value list = Value::array();
  const Value text = "x";
  const Value null;
  EXPECT_EQ(any.shapes_for(&map).first(), Shape::Map);
  EXPECT_EQ(any.shapes_for(&list).first(), Shape::List);
  EXPECT_EQ(any.shapes_for(&text).first(), Shape::Scalar);
  EXPECT_EQ(any.shapes_for(&null), any.shapes_for(nullptr));
  EXPECT_EQ(thing.type.shapes_for(&text), thing.type.shapes_for(&map)) << "objects are maps only";
}

TEST(TypeRef, ElementsAreNamedByTheirKeysAndDefaults) {
  const ThingType thing;
  const TypeRef spec = thing.type.member("spec");
  const TypeRef ports = spec.member("ports");
  EXPECT_EQ(encode_element(*ports.element_of(json_of(R"({"port":80,"name":"x"})"))),
            R"(k:{"port":80,"protocol":"TCP"})");
  EXPECT_EQ(encode_element(*spec.member("set").element_of("x")), R"(v:"x")");

  EXPECT_FALSE(ports.element_of(Value()).ok());
  EXPECT_FALSE(ports.element_of("x").ok());
  EXPECT_FALSE(spec.member("set").element_of(Value()).ok());
  EXPECT_FALSE(spec.member("set").element_of(Value::object()).ok());
  EXPECT_FALSE(spec.member("set").element_of(Value::array()).ok());
  EXPECT_FALSE(spec.member("atomic").element_of("x").ok());
  EXPECT_EQ(spec.member("named").element_of(Value::object()).error().message,
            "associative list with keys has an element that omits all key fields [\"name\"] (and "
            "doesn't have default values for any key fields)");
}

TEST(TypeRef, DeepPlacesAreAtomic) {
  const ThingType thing;
  TypeRef type = thing.type.member("spec").member("free");
  for (int i = 0; i < TypeRef::kDepthMax; ++i) type = type.member("x");
  EXPECT_TRUE(type.is_atomic(Shape::Map));
}

TEST(TypeRef, OnlyBuiltInStructsAreThereWithoutBeingWritten) {
  const auto schema = parse_schema(R"({"type":"object","x-type-name":"Pod","required":["list"],
    "properties":{"spec":{"type":"object","default":{}},"maybe":{"type":"object"},
    "list":{"type":"array"}}})");
  const TypeRef type = TypeRef::of_object(*schema.root);
  ASSERT_TRUE(type.zero_of("spec"));
  EXPECT_EQ(*type.zero_of("spec"), Value::object());
  EXPECT_EQ(type.zero_of("maybe"), nullptr);
  ASSERT_TRUE(type.zero_of("list"));
  EXPECT_TRUE(type.zero_of("list")->is_null());
  EXPECT_EQ(ThingType().type.zero_of("spec"), nullptr);
}

}  // namespace
}  // namespace berth::apiserver
