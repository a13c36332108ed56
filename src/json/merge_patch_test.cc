#include "json/merge_patch.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "json/parse.h"
#include "json/print.h"
#include "json/testing/arbitrary_value.h"

namespace berth::json {
namespace {

Value json(std::string_view text) { return parse(text).value(); }

TEST(MergePatch, AppliesAsTheTableOfTheRfcSays) {
  struct Case {
    std::string_view target;
    std::string_view patch;
    std::string_view result;
  };
  const Case cases[] = {
      {R"({"a":"b"})", R"({"a":"c"})", R"({"a":"c"})"},
      {R"({"a":"b"})", R"({"b":"c"})", R"({"a":"b","b":"c"})"},
      {R"({"a":"b"})", R"({"a":null})", R"({})"},
      {R"({"a":"b","b":"c"})", R"({"a":null})", R"({"b":"c"})"},
      {R"({"a":["b"]})", R"({"a":"c"})", R"({"a":"c"})"},
      {R"({"a":"c"})", R"({"a":["b"]})", R"({"a":["b"]})"},
      {R"({"a":{"b":"c"}})", R"({"a":{"b":"d","c":null}})", R"({"a":{"b":"d"}})"},
      {R"({"a":[{"b":"c"}]})", R"({"a":[1]})", R"({"a":[1]})"},
      {R"(["a","b"])", R"(["c","d"])", R"(["c","d"])"},
      {R"({"a":"b"})", R"(["c"])", R"(["c"])"},
      {R"({"a":"foo"})", R"(null)", R"(null)"},
      {R"({"a":"foo"})", R"("bar")", R"("bar")"},
      {R"({"e":null})", R"({"a":1})", R"({"e":null,"a":1})"},
      {R"([1,2])", R"({"a":"b","c":null})", R"({"a":"b"})"},
      {R"({})", R"({"a":{"bb":{"ccc":null}}})", R"({"a":{"bb":{}}})"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.patch);
    EXPECT_EQ(print(apply_merge_patch(json(c.target), json(c.patch))), c.result);
  }
}

TEST(MergePatch, LargeObjectsArePatchedTheSameWay) {
  Value target = Value::object();
  Value patch = Value::object();
  Value result = Value::object();
  for (int i = 0; i < 300; ++i) {
    const std::string name = "name" + std::to_string(i);
    target.append_member(name, Value::object({{"old", i}}));
    if (i % 3 == 0) patch.append_member(name, nullptr);
    if (i % 3 == 1) patch.append_member(name, Value::object({{"new", i}, {"gone", nullptr}}));
    if (i % 3 == 1) result.append_member(name, Value::object({{"old", i}, {"new", i}}));
    if (i % 3 == 2) result.append_member(name, Value::object({{"old", i}}));
  }
  patch.append_member("added", Value::object({{"x", nullptr}}));
  patch.append_member("never there", nullptr);
  result.append_member("added", Value::object());
  EXPECT_EQ(print(apply_merge_patch(target, patch)), print(result));
}

TEST(MergePatch, CreatesTheSmallestPatch) {
  struct Case {
    std::string_view from;
    std::string_view to;
    std::string_view patch;
  };
  const Case cases[] = {
      {R"({"a":1})", R"({"a":1.0})", R"({})"},
      {R"({"a":1,"b":{"c":2,"d":3}})", R"({"b":{"c":2,"d":4}})", R"({"a":null,"b":{"d":4}})"},
      {R"({"a":[1]})", R"({"a":[1,2]})", R"({"a":[1,2]})"},
      {R"({"a":1})", R"({"a":{"b":1},"c":{}})", R"({"a":{"b":1},"c":{}})"},
      {R"({"a":1})", R"([])", R"([])"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.patch);
    EXPECT_EQ(print(create_merge_patch(json(c.from), json(c.to))), c.patch);
    EXPECT_EQ(apply_merge_patch(json(c.from), json(c.patch)), json(c.to));
  }
}

// No merge patch can make a null.
Value without_nulls(Value value) {
  std::vector<Member> kept;
  for (const Member& member : value.members()) {
    if (!member.value.is_null()) kept.push_back({member.key, without_nulls(member.value)});
  }
  return value.is_object() ? Value::take_object(kept) : value;
}

RC_GTEST_PROP(MergePatchProperty, ACreatedPatchLeadsToItsGoal, (Value from, Value goal)) {
  const Value to = without_nulls(goal);
  RC_ASSERT(apply_merge_patch(from, create_merge_patch(from, to)) == to);
}

}  // namespace
}  // namespace berth::json
