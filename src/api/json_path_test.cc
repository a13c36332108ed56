#include "api/json_path.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"

namespace berth::api {
namespace {

std::string found(std::string_view path) {
  const auto parsed = JsonPath::parse(path);
  if (!parsed.ok()) return "!" + parsed.error().message;
  const json::Value document =
      json::parse(R"({"spec": {"a.b": 1, "list": [{"n": 1, "s": "x"}, {"n": 2, "s": "y"}, {"n": 3}],
                      "words": ["a", "b", "c"], "map": {"k": "v", "l": "w"}, "t": true}})")
          .value();
  std::string text;
  for (const json::Value* value : parsed->find(document)) {
    if (!text.empty()) text += ' ';
    text += json::print(*value);
  }
  return text;
}

TEST(JsonPath, FindsWhatItLeadsTo) {
  struct Case {
    std::string_view path;
    std::string_view found;
  };
  const Case cases[] = {
      {".spec.words[0]", R"("a")"},
      {".spec.words[-1]", R"("c")"},
      {".spec.words[0,2]", R"("a" "c")"},
      {".spec.words[1:]", R"("b" "c")"},
      {".spec.words[:-1]", R"("a" "b")"},
      {".spec.words[*]", R"("a" "b" "c")"},
      {".spec.words[9]", ""},
      {".spec.map.*", R"("v" "w")"},
      {".spec.map['k','l']", R"("v" "w")"},
      {R"(.spec["a.b"])", "1"},
      {R"(.spec.a\.b)", "1"},
      {".spec.list[*].n", "1 2 3"},
      {R"(.spec.list[?(@.s=="y")].n)", "2"},
      {R"(.spec.list[?( @.s == 'x' )].n)", "1"},
      {".spec.list[?(@.s)].n", "1 2"},
      {".spec.list[?(@.n>=2)].n", "2 3"},
      {".spec.list[?(@.n!=2)].n", "1 3"},
      {".spec.list[?(@.n==@.n)].n", "1 2 3"},
      {R"(.spec.list[?(@.n=="1")].n)", ""},
      {".spec.words[?(@ == 'b')]", R"("b")"},
      {".spec.t[?(@.x)]", ""},
      {".spec.none.deeper", ""},
      {".spec.t", "true"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.path);
    EXPECT_EQ(found(c.path), c.found);
  }
  EXPECT_TRUE(found(".").starts_with("{"));
}

TEST(JsonPath, SaysWhatItExpectedAndWhere) {
  EXPECT_EQ(found("spec"), "!JSON path, offset 0: expected '.' or '[', found \"s\"");
  EXPECT_EQ(found(".spec."), "!JSON path, offset 6: expected a name, found the end");
  EXPECT_EQ(found("..a"), "!JSON path, offset 1: expected a name, found \".\"");
  EXPECT_EQ(found(".a[x]"),
            "!JSON path, offset 3: expected an index, a name, '*' or a filter, found \"x\"");
  EXPECT_EQ(found(".a[1"), "!JSON path, offset 4: expected ']', found the end");
  EXPECT_EQ(found(".a[?(@.b=="),
            "!JSON path, offset 10: expected a number, a text in quotes, true "
            "or false, found the end");
  EXPECT_EQ(found(".a[?(@.b[?(@.c)])]"),
            "!JSON path, offset 11: expected no filter inside of a filter, found \"@\"");
  EXPECT_TRUE(found("." + std::string(5000, 'a')).starts_with("!JSON path: longer than"));
}

TEST(JsonPath, FindsNoMoreThanItsLimit) {
  json::Value list = json::Value::array();
  for (std::size_t i = 0; i < JsonPath::kFoundMax + 5; ++i) list.push_back(json::Value(i));
  EXPECT_EQ(JsonPath::parse("[*]")->find(list).size(), JsonPath::kFoundMax);
}

}  // namespace
}  // namespace berth::api
