#include "apiserver/schema/object_validation.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "apiserver/schema/defaulting.h"
#include "apiserver/schema/prune.h"
#include "apiserver/schema/structural.h"
#include "apiserver/schema/testing/object_meta.h"
#include "apiserver/schema/testing/recorded_objects.h"
#include "base/strings.h"
#include "json/parse.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

using json::Value;

// Without "FieldValue", sorted because the reference walks through objects in random order.
std::string lines_of(const std::vector<Cause>& causes) {
  std::vector<std::string> lines;
  for (const Cause& cause : causes) {
    if (cause.message.contains("some validation rules were not checked")) {
      EXPECT_EQ(cause.field, "<nil>");
      lines.emplace_back("(rules not checked)");
      continue;
    }
    EXPECT_TRUE(cause.reason.starts_with("FieldValue"));
    lines.push_back(cause.field + " " + cause.reason.substr(10) + " " + cause.message);
  }
  std::ranges::sort(lines);
  return join(lines, "\n");
}

Value object_with(std::string_view spec) {
  return Value::object({{"apiVersion", "ex.io/v1"},
                        {"kind", "Foo"},
                        {"metadata", Value::object({{"name", "a"}})},
                        {"spec", json::parse(spec).value()}});
}

Value completed(const Schema& schema, Value object) {
  return with_defaults(schema, prune(schema, std::move(object)).value);
}

std::string outcome_of(const Schema& schema, std::string_view spec) {
  const Value object = completed(schema, object_with(spec));
  const std::vector<Cause> causes = validate_object(schema, object);
  return causes.empty() ? "=" + json::print(*object.find("spec")) : lines_of(causes);
}

TEST(RecordedObjects, AreStoredAndRefusedAsByKubernetes) {
  SchemaSet nodes;
  const StructuralSchema built =
      build_structural(nodes, json::parse(testing::kRecordedSchema).value(),
                       {.object_meta = &testing::object_meta(nodes)});
  ASSERT_TRUE(built.rule_problems.empty()) << built.rule_problems[0].message;
  for (const testing::RecordedObject& c : testing::kRecordedObjects) {
    SCOPED_TRACE(c.spec);
    const std::string outcome = outcome_of(*built.root, c.spec);
    if (c.outcome.starts_with('=') && outcome.starts_with('=')) {
      EXPECT_EQ(json::parse(outcome.substr(1)).value(), json::parse(c.outcome.substr(1)).value());
    } else {
      EXPECT_EQ(outcome, c.outcome);
    }
  }
}

constexpr std::string_view kStricter = R"json(
{"type":"object","properties":{"status":{"type":"object","properties":{"n":{"type":"integer",
"minimum":5},"l":{"type":"array","items":{"type":"object","properties":{"s":{"type":"string",
"maxLength":1}}}}}},"spec":{"type":"object","required":["must"],"properties":{"must":{
"type":"string"},"n":{"type":"integer","minimum":5},"m":{"type":"integer","minimum":5},"o":{
"type":"object","properties":{"a":{"type":"string","maxLength":1},"b":{"type":"string",
"maxLength":1}}},"l":{"type":"array","items":{"type":"string","maxLength":1}},"ml":{
"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],"items":{
"type":"object","required":["k"],"properties":{"k":{"type":"string"},"v":{"type":"string",
"maxLength":1},"w":{"type":"string"}}}},"set":{"type":"array","x-kubernetes-list-type":"set",
"items":{"type":"string"}},"r":{"type":"object","properties":{"a":{"type":"integer"},"b":{
"type":"integer"}},"x-kubernetes-validations":[{"rule":"!has(self.a) || self.a > 5",
"message":"a"},{"rule":"!has(self.b) || self.b == oldSelf.b","message":"b"}]},"rl":{
"type":"array","maxItems":5,"items":{"type":"integer","x-kubernetes-validations":[{
"rule":"self > 5"}]}},"im":{"type":"string","x-kubernetes-validations":[{
"rule":"self == oldSelf","message":"immutable"}]}}}}}
)json";

struct Update {
  std::string_view old_spec;
  std::string_view new_spec;
  std::string_view outcome;
};

// The schema became stricter after the old object had been stored.
constexpr Update kUpdates[] = {
    {"{\"must\":\"x\",\"n\":1}", "{\"must\":\"x\",\"n\":1,\"m\":6}", ""},
    {"{\"must\":\"x\",\"n\":1}", "{\"must\":\"x\",\"n\":2}",
     "spec.n Invalid Invalid value: 2: spec.n in body should be greater than or equ"
     "al to 5"},
    {"{\"n\":1}", "{\"n\":1,\"m\":6}", "(rules not checked)\nspec.must Required Required value"},
    {"{\"n\":1}", "{\"n\":1}", ""},
    {"{\"must\":\"x\",\"o\":{\"a\":\"long\"}}",
     "{\"must\":\"x\",\"o\":{\"a\":\"long\",\"b\":\"y\"}}", ""},
    {"{\"must\":\"x\",\"o\":{\"a\":\"long\"}}",
     "{\"must\":\"x\",\"o\":{\"a\":\"long\",\"b\":\"yy\"}}",
     "(rules not checked)\nspec.o.b TooLong Too long: may not be more than 1 byte"},
    {"{\"must\":\"x\",\"l\":[\"long\"]}", "{\"must\":\"x\",\"l\":[\"long\"],\"m\":7}", ""},
    {"{\"must\":\"x\",\"l\":[\"long\"]}", "{\"must\":\"x\",\"l\":[\"long\",\"a\"]}",
     "(rules not checked)\nspec.l[0] TooLong Too long: may not be more than 1 byte"},
    {"{\"must\":\"x\",\"ml\":[{\"k\":\"a\",\"v\":\"long\"}]}",
     "{\"must\":\"x\",\"ml\":[{\"k\":\"b\"},{\"k\":\"a\",\"v\":\"long"
     "\",\"w\":\"z\"}]}",
     ""},
    {"{\"must\":\"x\",\"ml\":[{\"k\":\"a\",\"v\":\"long\"}]}",
     "{\"must\":\"x\",\"ml\":[{\"k\":\"b\",\"v\":\"long\"}]}",
     "(rules not checked)\nspec.ml[0].v TooLong Too long: may not be more than 1 by"
     "te"},
    {"{\"must\":\"x\",\"set\":[\"a\",\"a\"]}", "{\"must\":\"x\",\"set\":[\"a\",\"a\",\"b\"]}", ""},
    {"{\"must\":\"x\",\"set\":[\"a\"]}", "{\"must\":\"x\",\"set\":[\"a\",\"a\"]}",
     "spec.set[1] Duplicate Duplicate value: \"a\""},
    {"{\"must\":\"x\",\"r\":{\"a\":1}}", "{\"must\":\"x\",\"r\":{\"a\":1},\"m\":6}", ""},
    {"{\"must\":\"x\",\"r\":{\"a\":1}}", "{\"must\":\"x\",\"r\":{\"a\":1,\"b\":1}}",
     "spec.r Invalid Invalid value: \"object\": no such key: b evaluating rule: b"
     "\nspec.r Invalid Invalid value: a"},
    {"{\"must\":\"x\",\"r\":{\"a\":9,\"b\":1}}", "{\"must\":\"x\",\"r\":{\"a\":9,\"b\":2}}",
     "spec.r Invalid Invalid value: b"},
    {"{\"must\":\"x\",\"r\":{\"a\":1,\"b\":1}}", "{\"must\":\"x\",\"r\":{\"a\":1,\"b\":1},\"m\":6}",
     ""},
    {"{\"must\":\"x\",\"rl\":[1]}", "{\"must\":\"x\",\"rl\":[1],\"m\":6}", ""},
    {"{\"must\":\"x\",\"rl\":[1]}", "{\"must\":\"x\",\"rl\":[1,9]}",
     "spec.rl[0] Invalid Invalid value: 1: failed rule: self > 5"},
    {"{\"must\":\"x\",\"im\":\"a\"}", "{\"must\":\"x\",\"im\":\"b\"}",
     "spec.im Invalid Invalid value: \"b\": immutable"},
    {"{\"must\":\"x\",\"im\":\"a\"}", "{\"must\":\"x\",\"im\":\"a\"}", ""},
    {"{\"must\":\"x\"}", "{\"must\":\"x\",\"im\":\"b\"}", ""},
};

TEST(RecordedUpdates, TolerateWhatDidNotChangeAsKubernetesDoes) {
  SchemaSet nodes;
  const Schema& schema = *build_structural(nodes, json::parse(kStricter).value()).root;
  for (const Update& update : kUpdates) {
    SCOPED_TRACE(update.new_spec);
    const Value before = object_with(update.old_spec);
    EXPECT_EQ(lines_of(validate_object(schema, object_with(update.new_spec), {.old = &before})),
              update.outcome);
  }
}

TEST(RecordedUpdates, OfTheStatusTellThePlaceInsideOfIt) {
  SchemaSet nodes;
  const Schema& schema = *build_structural(nodes, json::parse(kStricter).value()).root;
  const Value before = object_with("{}");
  Value after = before;
  after["status"] = Value::object({{"n", 1}});
  EXPECT_EQ(lines_of(validate_object(schema, after, {.old = &before, .part = ObjectPart::Status})),
            "status.n Invalid Invalid value: 1: n in body should be greater than or equal to 5");
}

}  // namespace
}  // namespace berth::apiserver
