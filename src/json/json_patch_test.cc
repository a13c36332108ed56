#include "json/json_patch.h"

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"

namespace berth::json {
namespace {

Value json(std::string_view text) { return parse(text).value(); }

// The result as text, or the message of the error.
std::string apply(std::string_view document, std::string_view patch) {
  const auto result = apply_json_patch(json(document), json(patch));
  return result.ok() ? print(*result) : result.error().message;
}

TEST(JsonPatch, AppliesEachOperation) {
  struct Case {
    std::string_view document;
    std::string_view patch;
    std::string_view result;
  };
  const Case cases[] = {
      {R"({"a":1})", R"([])", R"({"a":1})"},
      {R"({"a":1})", R"([{"op":"add","path":"/b","value":[2]}])", R"({"a":1,"b":[2]})"},
      {R"({"a":1,"b":2})", R"([{"op":"add","path":"/a","value":3}])", R"({"a":3,"b":2})"},
      {R"({"a":[1,2]})", R"([{"op":"add","path":"/a/1","value":9}])", R"({"a":[1,9,2]})"},
      {R"({"a":[1,2]})", R"([{"op":"add","path":"/a/2","value":9}])", R"({"a":[1,2,9]})"},
      {R"({"a":[1,2]})", R"([{"op":"add","path":"/a/-","value":9}])", R"({"a":[1,2,9]})"},
      {R"({"a":[1,2]})", R"([{"op":"add","path":"/a/-1","value":9}])", R"({"a":[1,2,9]})"},
      {R"({"a":1})", R"([{"op":"add","path":"/b"}])", R"({"a":1,"b":null})"},
      {R"({"a":1,"b":2})", R"([{"op":"remove","path":"/a"}])", R"({"b":2})"},
      {R"({"a":[1,2,3]})", R"([{"op":"remove","path":"/a/1"}])", R"({"a":[1,3]})"},
      {R"({"a":1,"b":2})", R"([{"op":"replace","path":"/a","value":"x"}])", R"({"a":"x","b":2})"},
      {R"({"a":1})", R"([{"op":"replace","path":"/new","value":2}])", R"({"a":1,"new":2})"},
      {R"({"a":[1,2]})", R"([{"op":"replace","path":"/a/-1","value":9}])", R"({"a":[1,9]})"},
      {R"({"a":1})", R"([{"op":"replace","path":"","value":{"z":1}}])", R"({"z":1})"},
      {R"({"a":{"b":1},"c":{}})", R"([{"op":"move","from":"/a/b","path":"/c/d"}])",
       R"({"a":{},"c":{"d":1}})"},
      {R"({"a":[1,2,3]})", R"([{"op":"move","from":"/a/0","path":"/a/-"}])", R"({"a":[2,3,1]})"},
      {R"({"a":{"b":1}})", R"([{"op":"copy","from":"/a","path":"/c"}])",
       R"({"a":{"b":1},"c":{"b":1}})"},
      {R"({"a":1})", R"([{"op":"copy","from":"/zz","path":"/b"}])", R"({"a":1,"b":null})"},
      {R"({"a":{"x":1.0,"y":[2]}})", R"([{"op":"test","path":"/a","value":{"y":[2],"x":1}}])",
       R"({"a":{"x":1.0,"y":[2]}})"},
      {R"({"a":1})", R"([{"op":"test","path":"","value":{"a":1}}])", R"({"a":1})"},
      {R"({"a":1})", R"([{"op":"test","path":"/b","value":null}])", R"({"a":1})"},
      {R"({"a/b":{"m~n":1}})", R"([{"op":"remove","path":"/a~1b/m~0n"}])", R"({"a/b":{}})"},
      {R"({"a":1})", R"([{"op":"add","path":"/b","value":1,"extra":true}])", R"({"a":1,"b":1})"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.patch);
    EXPECT_EQ(apply(c.document, c.patch), c.result);
  }
}

TEST(JsonPatch, SaysWhyItDoesNotApply) {
  struct Case {
    std::string_view patch;
    std::string_view message;
  };
  const std::string_view document = R"({"a":[1,2],"b":{"c":null},"s":"x"})";
  const Case cases[] = {
      {R"([{"op":"add","path":"/x/y","value":1}])",
       R"(add operation does not apply: doc is missing path: /x/y: missing value)"},
      {R"([{"op":"add","path":"/b/c/d","value":1}])",
       R"(add operation does not apply: doc is missing path: /b/c/d: missing value)"},
      {R"([{"op":"add","path":"/s/d","value":1}])",
       R"(add operation does not apply: doc is missing path: /s/d: missing value)"},
      {R"([{"op":"add","path":"","value":1}])",
       R"(add operation does not apply: doc is missing path: : missing value)"},
      {R"([{"op":"add","path":"nope","value":1}])",
       R"(add operation does not apply: doc is missing path: nope: missing value)"},
      {R"([{"op":"add","path":"/a/3","value":1}])",
       "error in add for path: '/a/3': Unable to access invalid index: 3: invalid index "
       "referenced"},
      {R"([{"op":"add","path":"/a/x","value":1}])",
       "error in add for path: '/a/x': value was not a proper array index: 'x'"},
      {R"([{"op":"add","value":1}])", "add operation failed to decode path: missing value"},
      {R"([{"op":"remove","path":"/x"}])",
       "error in remove for path: '/x': Unable to remove nonexistent key: x: missing value"},
      {R"([{"op":"remove","path":"/a/2"}])",
       "error in remove for path: '/a/2': Unable to access invalid index: 2: invalid index "
       "referenced"},
      {R"([{"op":"remove","path":"/x/y"}])",
       "remove operation does not apply: doc is missing path: /x/y: missing value"},
      {R"([{"op":"replace","path":"/a/2","value":1}])",
       "replace operation does not apply: doc is missing key: /a/2: missing value"},
      {R"([{"op":"replace","path":"/x/y","value":1}])",
       "replace operation does not apply: doc is missing path: /x/y: missing value"},
      {R"([{"op":"replace","path":"","value":1}])",
       "replace operation value must be object or array"},
      {R"([{"op":"move","from":"/x","path":"/y"}])",
       "error in move for path: 'x': Unable to remove nonexistent key: x: missing value"},
      {R"([{"op":"move","from":"/b","path":"/b/c"}])",
       "move operation does not apply: doc is missing destination path: /b/c: missing value"},
      {R"([{"op":"move","path":"/y"}])", "move operation failed to decode from: missing value"},
      {R"([{"op":"copy","from":"/x/y","path":"/z"}])",
       "copy operation does not apply: doc is missing from path: /x/y: missing value"},
      {R"([{"op":"copy","from":"/a/7","path":"/z"}])",
       "error in copy for from: '/a/7': Unable to access invalid index: 7: invalid index "
       "referenced"},
      {R"([{"op":"test","path":"/a","value":[2,1]}])", "testing value /a failed: test failed"},
      {R"([{"op":"test","path":"/x","value":1}])", "testing value /x failed: test failed"},
      {R"([{"op":"test","path":"/a/9","value":1}])",
       "error in test for path: '/a/9': Unable to access invalid index: 9: invalid index "
       "referenced"},
      {R"([{"op":"test","path":"/x/y","value":1}])",
       "test operation does not apply: is missing path: /x/y: missing value"},
      {R"([{"op":"spam","path":"/a"}])", "Unexpected kind: spam"},
      {R"([{"path":"/a"}])", "Unexpected kind: unknown"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.patch);
    const auto result = apply_json_patch(json(document), json(c.patch));
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().message, c.message);
    EXPECT_EQ(result.error().code, Code::Invalid);
  }
}

TEST(JsonPatch, RefusesWhatIsNoPatch) {
  EXPECT_EQ(apply_json_patch({}, json("{}")).error().code, Code::BadRequest);
  EXPECT_EQ(apply("{}", R"({"op":"add"})"), "a JSON patch is an array of operations, not a object");
  EXPECT_EQ(apply("{}", "[1]"), "an operation of a JSON patch is an object, not a number");
}

TEST(JsonPatch, TheNumberOfOperationsIsLimited) {
  Value patch = Value::array();
  for (int i = 0; i < 10'001; ++i) {
    patch.push_back(json(R"({"op":"add","path":"/a","value":1})"));
  }
  const auto result = apply_json_patch(Value::object(), patch);
  EXPECT_EQ(result.error().code, Code::RequestEntityTooLarge);
  EXPECT_EQ(result.error().message,
            "The allowed maximum operations in a JSON patch is 10000, got 10001");
  patch.erase_at(0);
  EXPECT_TRUE(apply_json_patch(Value::object(), patch).ok());
}

TEST(JsonPatch, TheGrowthByCopyingIsLimited) {
  Value patch = Value::array({json(R"({"op":"add","path":"/a","value":["0123456789"]})")});
  for (int i = 0; i < 40; ++i) patch.push_back(json(R"({"op":"copy","from":"/a","path":"/a/-"})"));
  const auto result = apply_json_patch(Value::object(), patch);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, Code::RequestEntityTooLarge);
  EXPECT_NE(result.error().message.find("exceeding the limit 3145728"), std::string::npos);
}

TEST(JsonPatch, TheDepthOfTheResultIsLimited) {
  Value patch = Value::array();
  for (std::size_t i = 0; i < kDepthMax; ++i) {
    patch.push_back(json(R"({"op":"copy","from":"/a","path":"/a/b"})"));
  }
  const JsonPatchLimits limits{.copied_bytes_max = 100 << 20};
  const auto result = apply_json_patch(json(R"({"a":{}})"), patch, limits);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message, "the value at path '/a/b' is nested deeper than 1000 levels");
  patch.erase_at(0);
  patch.erase_at(0);
  EXPECT_TRUE(apply_json_patch(json(R"({"a":{}})"), patch, limits).ok());
}

}  // namespace
}  // namespace berth::json
