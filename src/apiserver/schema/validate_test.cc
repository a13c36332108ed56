#include "apiserver/schema/validate.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "apiserver/schema/defaulting.h"
#include "apiserver/schema/prune.h"
#include "apiserver/schema/structural.h"
#include "apiserver/schema/testing/object_meta.h"
#include "json/parse.h"

// What kube-apiserver says of values is in object_validation_test.cc.

namespace berth::apiserver {
namespace {

using json::Value;

TEST(ValidateValues, ComplainsOnlySoOften) {
  SchemaSet nodes;
  const Schema& schema =
      *build_structural(nodes, json::parse(R"({"type": "object", "properties": {"l": {
          "type": "array", "items": {"type": "string"}}}})")
                                   .value())
           .root;
  Value list = Value::array();
  for (int i = 0; i < 10'000; ++i) list.push_back(Value(i));
  EXPECT_EQ(validate_values(schema, Value::object({{"l", list}})).size(), kCausesMax);
}

TEST(ValidateValues, TakesNullEverywhereInBuiltInTypes) {
  SchemaSet nodes;
  const Schema& schema = *build_structural(nodes, json::parse(R"({"type": "object"})").value(),
                                           {.object_meta = &testing::object_meta(nodes)})
                              .root;
  const auto check = [&schema](const char* metadata) {
    return validate_values(schema, Value::object({{"metadata", json::parse(metadata).value()}}));
  };
  EXPECT_TRUE(check(R"({"creationTimestamp": null, "labels": null, "name": "a"})").empty());
  ASSERT_EQ(check(R"({"labels": {"a": 5}})").size(), 1U);
  EXPECT_EQ(check(R"({"labels": {"a": 5}})")[0].field, "metadata.labels.a");
  EXPECT_EQ(check(R"({"creationTimestamp": "soon"})").size(), 1U);
  EXPECT_EQ(check("5").size(), 1U);
}

TEST(ValidateValues, PutsThePlaceOfTheValueBeforeTheField) {
  Schema schema;
  schema.form = Form::String;
  const auto causes = validate_values(schema, Value(5), {.path = "spec.default"});
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(causes[0].field, "spec.default");
}

// Objects of a few names, so that schemas and values meet.
Value random_value(int depth) {
  const int kind = *rc::gen::inRange(0, depth > 0 ? 8 : 6);
  switch (kind) {
    case 0:
      return {};
    case 1:
      return Value(*rc::gen::arbitrary<bool>());
    case 2:
      return Value(*rc::gen::inRange(-3, 8));
    case 3:
      return json::parse(*rc::gen::element<std::string>("1.5", "2.0", "-0.25")).value();
    case 4:
    case 5:
      return Value(*rc::gen::element<std::string>("", "a", "bb", "ccc"));
    case 6: {
      Value list = Value::array();
      for (int i = *rc::gen::inRange(0, 4); i > 0; --i) list.push_back(random_value(depth - 1));
      return list;
    }
    default: {
      Value object = Value::object();
      for (int i = *rc::gen::inRange(0, 5); i > 0; --i) {
        object[*rc::gen::element<std::string>("a", "b", "c", "d", "spec")] =
            random_value(depth - 1);
      }
      return object;
    }
  }
}

Value random_schema(int depth) {
  Value schema = Value::object();
  const std::string type =
      depth > 0
          ? *rc::gen::element<std::string>("object", "object", "array", "string", "integer", "")
          : *rc::gen::element<std::string>("string", "integer", "boolean");
  if (type.empty()) {
    schema["x-kubernetes-preserve-unknown-fields"] = true;
    return schema;
  }
  schema["type"] = type;
  if (*rc::gen::inRange(0, 4) == 0) schema["nullable"] = true;
  if (type == "string") schema["maxLength"] = *rc::gen::inRange(0, 3);
  if (type == "integer") schema["minimum"] = *rc::gen::inRange(-2, 5);
  if (type == "string" && *rc::gen::inRange(0, 2) == 0) schema["default"] = "a";
  if (type == "array") {
    schema["items"] = random_schema(depth - 1);
    schema["maxItems"] = 2;
  }
  if (type != "object") return schema;
  if (*rc::gen::inRange(0, 5) == 0) {
    schema["additionalProperties"] = random_schema(depth - 1);
    return schema;
  }
  for (const char* name : {"a", "b", "c"}) schema["properties"][name] = random_schema(depth - 1);
  if (*rc::gen::inRange(0, 4) == 0) schema["x-kubernetes-preserve-unknown-fields"] = true;
  if (*rc::gen::inRange(0, 3) == 0) schema["required"] = Value::array({Value("c"), Value("a")});
  if (*rc::gen::inRange(0, 3) == 0) schema["default"] = Value::object();
  return schema;
}

Value random_root() {
  Value schema = Value::object({{"type", "object"}});
  schema["properties"]["spec"] = random_schema(3);
  return schema;
}

Value with_members_turned(const Value& value) {
  if (value.is_array()) {
    Value list = Value::array();
    for (const Value& element : value.elements()) list.push_back(with_members_turned(element));
    return list;
  }
  if (!value.is_object()) return value;
  Value object = Value::object();
  const auto members = value.members();
  for (std::size_t i = members.size(); i-- > 0;) {
    object[members[i].name()] = with_members_turned(members[i].value);
  }
  return object;
}

RC_GTEST_PROP(Schemas, PruneAndDefaultTheSameTwice, ()) {
  SchemaSet nodes;
  const Schema& schema = *build_structural(nodes, random_root()).root;
  const Value value = Value::object({{"spec", random_value(4)}});
  const Value pruned = prune(schema, value).value;
  RC_ASSERT(prune(schema, pruned).value == pruned);
  RC_ASSERT(prune(schema, pruned).unknown_fields.empty());
  const Value filled = with_defaults(schema, pruned);
  RC_ASSERT(with_defaults(schema, filled) == filled);
}

RC_GTEST_PROP(Schemas, DoNotDependOnTheOrderOfMembers, ()) {
  SchemaSet nodes;
  const Schema& schema = *build_structural(nodes, random_root()).root;
  const Value value = Value::object({{"spec", random_value(4)}});
  const auto run = [&schema](const Value& object) {
    return with_defaults(schema, prune(schema, object).value);
  };
  const Value turned = with_members_turned(value);
  RC_ASSERT(run(value) == run(turned));
  RC_ASSERT(validate_values(schema, run(value)) == validate_values(schema, run(turned)));
}

RC_GTEST_PROP(Schemas, TolerateEverythingThatDidNotChange, ()) {
  SchemaSet nodes;
  const Schema& schema = *build_structural(nodes, random_root()).root;
  const Value value = Value::object({{"spec", random_value(4)}});
  RC_ASSERT(validate_values(schema, value, {.old = &value}).empty());
}

}  // namespace
}  // namespace berth::apiserver
