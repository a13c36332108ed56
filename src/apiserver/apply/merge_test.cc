#include "apiserver/apply/merge.h"

#include <gtest/gtest.h>

#include "apiserver/apply/testing/sets.h"
#include "apiserver/apply/testing/thing_schema.h"

namespace berth::apiserver {
namespace {

using testing::json_of;
using testing::set_of;
using testing::ThingType;

TEST(Merge, TakesWhatIsAppliedAndKeepsTheRest) {
  struct Case {
    std::string_view live;
    std::string_view applied;
    std::string_view merged;
  };
  const Case cases[] = {
      {R"({"n":1,"s":"x"})", R"({"n":2})", R"({"n":2,"s":"x"})"},
      {R"({"nested":{"a":"x"}})", R"({"nested":{"b":"y"}})", R"({"nested":{"a":"x","b":"y"}})"},
      {R"({"nested":{"a":"x"}})", R"({"nested":{}})", R"({"nested":{"a":"x"}})"},
      {R"({"atomic":["a"]})", R"({"atomic":["b"]})", R"({"atomic":["b"]})"},
      {R"({"whole":{"a":"x"}})", R"({"whole":{"b":"y"}})", R"({"whole":{"b":"y"}})"},
      {R"({"set":["a","b"]})", R"({"set":["c","b"]})", R"({"set":["a","c","b"]})"},
      {R"({"set":["a"]})", R"({"set":[]})", R"({"set":["a"]})"},
      {R"({"ports":[{"port":80,"protocol":"TCP","name":"x"}]})", R"({"ports":[{"port":80}]})",
       R"({"ports":[{"port":80,"protocol":"TCP","name":"x"}]})"},
      {R"({"named":[{"name":"a","v":1},{"name":"a","v":2}]})", R"({"named":[{"name":"a"}]})",
       R"({"named":[{"name":"a"}]})"},
      {R"({"free":{"a":{"b":1},"l":[1]}})", R"({"free":{"a":{"c":2},"l":[2]}})",
       R"({"free":{"a":{"b":1,"c":2},"l":[2]}})"},
      {R"({"any":{"a":1}})", R"({"any":"x"})", R"({"any":"x"})"},
  };
  const ThingType thing;
  for (const Case& c : cases) {
    SCOPED_TRACE(c.applied);
    EXPECT_EQ(merge(json_of(c.live), json_of(c.applied), thing.type.member("spec")),
              json_of(c.merged));
  }
}

TEST(Merge, RemovesFieldsAndElements) {
  struct Case {
    std::string_view value;
    std::string_view fields;
    std::string_view rest;
  };
  const Case cases[] = {
      {R"({"n":1,"s":"x"})", R"({"f:n":{}})", R"({"s":"x"})"},
      {R"({"n":1})", R"({"f:n":{}})", R"(null)"},
      {R"({"nested":{"a":"x","b":"y"}})", R"({"f:nested":{"f:a":{}}})", R"({"nested":{"b":"y"}})"},
      {R"({"set":["a","b"]})", R"({"f:set":{"v:\"a\"":{}}})", R"({"set":["b"]})"},
      {R"({"set":["a"]})", R"({"f:set":{"v:\"a\"":{}}})", R"({"set":null})"},
      {R"({"named":[{"name":"a","v":1}]})", R"({"f:named":{"k:{\"name\":\"a\"}":{"f:v":{}}}})",
       R"({"named":[{"name":"a"}]})"},
      {R"({"whole":{"a":"x"}})", R"({"f:whole":{"f:a":{}}})", R"({"whole":null})"},
      {R"({"n":1})", R"({"f:s":{}})", R"({"n":1})"},
  };
  const ThingType thing;
  for (const Case& c : cases) {
    SCOPED_TRACE(c.value);
    EXPECT_EQ(remove_fields(json_of(c.value), set_of(c.fields), thing.type.member("spec")),
              json_of(c.rest));
  }
}

}  // namespace
}  // namespace berth::apiserver
