#include "apiserver/apply/compare.h"

#include <gtest/gtest.h>

#include "apiserver/apply/testing/sets.h"
#include "apiserver/apply/testing/thing_schema.h"

namespace berth::apiserver {
namespace {

using testing::json_of;
using testing::parse_schema;
using testing::text_of_set;
using testing::ThingType;

struct Case {
  std::string_view what;
  std::string_view before;  // Of spec.
  std::string_view after;
  std::string_view removed = "{}";
  std::string_view modified = "{}";
  std::string_view added = "{}";
};

// The part of the set below spec.
std::string below_spec(const FieldSet& set) {
  const FieldSet::Node* spec = set.find(PathElement::field("spec"));
  return spec ? text_of_set(spec->children) : "{}";
}

TEST(Compare, FindsWhatWasRemovedModifiedAndAdded) {
  const Case cases[] = {
      {"the same", R"({"n":1,"set":["a"]})", R"({"set":["a"],"n":1.0})"},
      {"scalars", R"({"n":1,"s":"x"})", R"({"n":2,"truth":true})", R"({"f:s":{}})", R"({"f:n":{}})",
       R"({"f:truth":{}})"},
      {"a struct appears with its parts", R"({"n":1})", R"({"n":1,"nested":{"a":"x"}})", "{}", "{}",
       R"({"f:nested":{".":{},"f:a":{}}})"},
      {"an empty struct appears", R"({"n":1})", R"({"n":1,"nested":{}})", "{}", "{}",
       R"({"f:nested":{}})"},
      {"a struct becomes empty", R"({"nested":{"a":"x"}})", R"({"nested":{}})",
       R"({"f:nested":{"f:a":{}}})"},
      {"null is not empty", R"({"nested":{}})", R"({"nested":null})", "{}", R"({"f:nested":{}})"},
      {"atomic lists are one", R"({"atomic":["a"]})", R"({"atomic":["a","b"]})", "{}",
       R"({"f:atomic":{}})"},
      {"atomic maps are one", R"({"whole":{"a":"x"}})", R"({"whole":{"a":"y"}})", "{}",
       R"({"f:whole":{}})"},
      {"sets by element, in any order", R"({"set":["a","b"]})", R"({"set":["c","a"]})",
       R"({"f:set":{"v:\"b\"":{}}})", "{}", R"({"f:set":{"v:\"c\"":{}}})"},
      {"maps by key", R"({"texts":{"a":"x","b":"y"}})", R"({"texts":{"b":"z"}})",
       R"({"f:texts":{"f:a":{}}})", R"({"f:texts":{"f:b":{}}})"},
      {"lists by keys with defaults", R"({"ports":[{"port":80}]})",
       R"({"ports":[{"port":80,"protocol":"TCP","name":"x"}]})", "{}", "{}",
       R"({"f:ports":{"k:{\"port\":80,\"protocol\":\"TCP\"}":{"f:name":{},"f:protocol":{}}}})"},
      {"elements of lists appear with their parts", R"({"named":[{"name":"a"}]})",
       R"({"named":[{"name":"b"},{"name":"a"}]})", "{}", "{}",
       R"({"f:named":{"k:{\"name\":\"b\"}":{".":{},"f:name":{}}}})"},
      {"undeclared parts", R"({"free":{"a":{"b":1},"l":[1]}})", R"({"free":{"a":{"b":2},"l":[2]}})",
       "{}", R"({"f:free":{"f:a":{"f:b":{}},"f:l":{}}})"},
      {"a scalar becomes a map", R"({"any":1})", R"({"any":{"a":1}})", "{}", R"({"f:any":{}})",
       R"({"f:any":{"f:a":{}}})"},
      {"a map becomes a list", R"({"any":{"a":1}})", R"({"any":[1]})", R"({"f:any":{"f:a":{}}})",
       R"({"f:any":{}})"},
      {"duplicates stay", R"({"set":["a","a"]})", R"({"set":["a","a"],"n":1})", "{}", "{}",
       R"({"f:n":{}})"},
      {"duplicates of a list change together",
       R"({"named":[{"name":"a","v":1},{"name":"a","v":2}]})",
       R"({"named":[{"name":"a","v":2},{"name":"a","v":1}]})", "{}",
       R"({"f:named":{"k:{\"name\":\"a\"}":{}}})"},
      {"duplicates become one", R"({"named":[{"name":"a","v":1},{"name":"a","v":2}]})",
       R"({"named":[{"name":"a","v":1}]})", R"({"f:named":{"k:{\"name\":\"a\"}":{}}})", "{}",
       R"({"f:named":{"k:{\"name\":\"a\"}":{".":{},"f:name":{},"f:v":{}}}})"},
      {"one becomes duplicates", R"({"named":[{"name":"a"}]})",
       R"({"named":[{"name":"a"},{"name":"a"}]})",
       R"({"f:named":{"k:{\"name\":\"a\"}":{".":{},"f:name":{}}}})", "{}",
       R"({"f:named":{"k:{\"name\":\"a\"}":{}}})"},
  };
  const ThingType thing;
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const auto changes = compare(json::Value::object({{"spec", json_of(c.before)}}),
                                 json::Value::object({{"spec", json_of(c.after)}}), thing.type);
    ASSERT_TRUE(changes.ok()) << changes.error().message;
    EXPECT_EQ(below_spec(changes->removed), c.removed);
    EXPECT_EQ(below_spec(changes->modified), c.modified);
    EXPECT_EQ(below_spec(changes->added), c.added);
  }
}

TEST(Compare, LargeObjectsInAnotherOrderAreFoundEqual) {
  json::Value before = json::Value::object();
  json::Value after = json::Value::object();
  for (int i = 0; i < 1000; ++i) before["k" + std::to_string(i)] = i;
  for (int i = 1000; i-- > 0;) after["k" + std::to_string(i)] = i;
  const TypeRef type = TypeRef().member("x");
  EXPECT_TRUE(compare(before, after, type)->is_empty());
  after["k500"] = "other";
  EXPECT_EQ(text_of_set(compare(before, after, type)->modified), R"({"f:k500":{}})");
}

TEST(Compare, AnElementWithoutItsKeyIsAnError) {
  const ThingType thing;
  const auto changes = compare(json_of(R"({"spec":{"named":[{"name":"a"}]}})"),
                               json_of(R"({"spec":{"named":[{"v":1}]}})"), thing.type);
  EXPECT_FALSE(changes.ok());
}

// As a Deployment shows on a real server: .spec.template and .spec.template.spec.containers are no
// paths of their own, for they are there before anybody writes them; .metadata.labels is.
TEST(Compare, StructsOfBuiltInTypesAreAlwaysThere) {
  const auto schema = parse_schema(R"({"type":"object","x-type-name":"Deployment","properties":{
    "spec":{"type":"object","default":{},"x-type-name":"DeploymentSpec","properties":{
      "template":{"type":"object","default":{},"x-type-name":"PodSpec","required":["containers"],
        "properties":{"containers":{"type":"array","x-kubernetes-list-type":"map",
          "x-kubernetes-list-map-keys":["name"],"items":{"type":"object","properties":{
            "name":{"type":"string"}}}},
          "security":{"type":"object","properties":{"user":{"type":"integer"}}}}}}}}})");
  const auto changes = compare(
      json::Value::object(),
      json_of(R"({"spec":{"template":{"containers":[{"name":"x"}],"security":{"user":1}}}})"),
      TypeRef::of_object(*schema.root));
  EXPECT_EQ(
      text_of_set(changes->added),
      R"({"f:spec":{"f:template":{"f:containers":{"k:{\"name\":\"x\"}":{".":{},"f:name":{}}},)"
      R"("f:security":{".":{},"f:user":{}}}}})");
}

}  // namespace
}  // namespace berth::apiserver
