#include "json/yaml_read.h"

#include <string>

#include <gtest/gtest.h>

#include "json/print.h"

namespace berth::json {
namespace {

// The only document as JSON, or the message of the error.
std::string read(std::string_view text) {
  const auto value = read_one_yaml(text);
  return value.ok() ? print(*value) : value.error().message;
}

TEST(YamlRead, ReadsScalarsAsKubectlDoes) {
  struct Case {
    std::string_view yaml;
    std::string_view json;
  };
  const Case cases[] = {
      {"a: 0644", R"({"a":420})"},
      {"a: 08", R"({"a":8})"},
      {"a: 1_000", R"({"a":1000})"},
      {"a: 1.0", R"({"a":1})"},
      {"a: 1e3", R"({"a":1000})"},
      {"a: 123456789012345678901", R"({"a":123456789012345680000})"},
      {"a: 12345678901234567890", R"({"a":12345678901234567890})"},
      {"a: 1e400", R"({"a":"1e400"})"},
      {"a: yes", R"({"a":true})"},
      {"a: 'yes'", R"({"a":"yes"})"},
      {"a: \"1\"", R"({"a":"1"})"},
      {"a:", R"({"a":null})"},
      {"a: ''", R"({"a":""})"},
      {"a: 2024-01-01", R"({"a":"2024-01-01"})"},
      {"a: 1:30", R"({"a":"1:30"})"},
      {"a: |\n  1\n", R"({"a":"1\n"})"},
      {"a: >-\n  b\n  c\n", R"({"a":"b c"})"},
      {"a: <<", R"({"a":"<<"})"},
      {"a: \t1", R"({"a":1})"},
      {"- 1\n- [2, {b: 3}]", R"([1,[2,{"b":3}]])"},
      {"a: \"\\x41\\u00e9\\L\"", "{\"a\":\"A\xc3\xa9\\u2028\"}"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.yaml);
    EXPECT_EQ(read(c.yaml), c.json);
  }
}

TEST(YamlRead, ObeysTags) {
  EXPECT_EQ(read("a: !!str 123"), R"({"a":"123"})");
  EXPECT_EQ(read("a: !!int '3'"), R"({"a":3})");
  EXPECT_EQ(read("a: !!float 3"), R"({"a":3})");
  EXPECT_EQ(read("a: !!timestamp 2001-01-01"), R"({"a":"2001-01-01"})");
  EXPECT_EQ(read("a: ! 12"), R"({"a":"12"})");
  EXPECT_EQ(read("a: !mine 12"), R"({"a":"12"})");
  EXPECT_EQ(read("!!map {a: !!seq [1]}"), R"({"a":[1]})");
  EXPECT_EQ(read("a: !!bool maybe"),
            "document 1, line 1, column 4: cannot decode !!str \"maybe\" as a !!bool");
  EXPECT_EQ(read("a: !!binary aGk="),
            "document 1, line 1, column 4: !!binary values are not supported");
}

TEST(YamlRead, MakesStringsOfKeys) {
  EXPECT_EQ(read("1: a"), R"({"1":"a"})");
  EXPECT_EQ(read("0x10: a"), R"({"16":"a"})");
  EXPECT_EQ(read("1.50: a"), R"({"1.5":"a"})");
  EXPECT_EQ(read("12345678.9: a"), R"({"1.2345679e+07":"a"})");
  EXPECT_EQ(read("n: a"), R"({"false":"a"})");
  EXPECT_EQ(read("2024-01-01: a"), R"({"2024-01-01":"a"})");
  EXPECT_EQ(read(".inf: a"), R"({".inf":"a"})");
  EXPECT_EQ(read("&k x: 1\ny1: *k"), R"({"x":1,"y1":"x"})");
  EXPECT_EQ(read("a: &k x\n*k : 1"), R"({"a":"x","x":1})");
}

TEST(YamlRead, ExpandsAliasesAndMerges) {
  EXPECT_EQ(read("a: &x [1, {b: 2}]\nc: *x"), R"({"a":[1,{"b":2}],"c":[1,{"b":2}]})");
  EXPECT_EQ(read("a: &x {b: 1}\nc: {<<: *x, d: 2}"), R"({"a":{"b":1},"c":{"b":1,"d":2}})");
  EXPECT_EQ(read("a: &x {b: 1}\nc: &z {d: 2}\ne: {<<: [*x, *z]}"),
            R"({"a":{"b":1},"c":{"d":2},"e":{"b":1,"d":2}})");
  EXPECT_EQ(read("<<: {a: 1}"), R"({"a":1})");
  EXPECT_EQ(read("'<<': {a: 1}"), R"({"<<":{"a":1}})");
  EXPECT_EQ(read("[&x 1, &x 2, *x]"), "[1,2,2]");
  EXPECT_EQ(read("[&x [&x 1], *x]"), "[[1],1]");
}

TEST(YamlRead, ReadsSeveralDocumentsAndSkipsEmptyOnes) {
  const auto documents = read_yaml("# only a comment\n---\na: 1\n---\n---\n~\n---\n- b\n...\n");
  ASSERT_TRUE(documents.ok());
  ASSERT_EQ(documents->size(), 2u);
  EXPECT_EQ(print((*documents)[0]), R"({"a":1})");
  EXPECT_EQ(print((*documents)[1]), R"(["b"])");
  EXPECT_TRUE(read_yaml("").value().empty());
  EXPECT_EQ(read("a: 1\n---\nb: 2"), "expected one document, found 2");
  EXPECT_EQ(read(""), "expected one document, found 0");
}

TEST(YamlRead, AnchorsEndWithTheirDocument) {
  EXPECT_EQ(read_yaml("a: &x 1\n---\nb: *x").error().message,
            "document 2, line 3, column 4: unknown anchor 'x' referenced");
}

TEST(YamlRead, ReadsJson) {
  EXPECT_EQ(read(R"({"a": [1.50, "\ud83d\udea2", null], "b": "\/"})"),
            "{\"a\":[1.50,\"\xf0\x9f\x9a\xa2\",null],\"b\":\"/\"}");
  EXPECT_EQ(read("{\"a\": 1, \"a\": 2}"),
            "document 1, line 1, column 10: key \"a\" already set in map");
  EXPECT_EQ(read("{a: 1, b: [x]}"), R"({"a":1,"b":["x"]})");
}

TEST(YamlRead, RefusesWithThePlace) {
  struct Case {
    std::string_view yaml;
    std::string_view message;
  };
  const Case cases[] = {
      {"a: 1\nb: 2\na: 3", "document 1, line 3, column 1: key \"a\" already set in map"},
      {"1: a\n'1': b", "document 1, line 2, column 1: key \"1\" already set in map"},
      {"a: &x {b: 1}\nc: {<<: *x, b: 2}",
       "document 1, line 2, column 13: key \"b\" already set in map"},
      {"b: {<<: 3}",
       "document 1, line 1, column 9: map merge requires map or sequence of maps as the value"},
      {"~: e", "document 1, line 1, column 1: a key must not be null"},
      {"? [1]\n: 2", "document 1, line 1, column 3: a list or an object cannot be a key"},
      {"18446744073709551615: a",
       "document 1, line 1, column 1: a key beyond 64 bits is not supported"},
      {"a: &x {b: 1}\n*x : 1",
       "document 1, line 2, column 1: an alias as a key must mean a string"},
      {"a: .inf", "document 1, line 1, column 4: JSON has no number \".inf\""},
      {"a: *x", "document 1, line 1, column 4: unknown anchor 'x' referenced"},
      {"a: &x [*x]", "document 1, line 1, column 8: anchor 'x' value contains itself"},
      {"---\na: 1\n---\na:\n\t- 1",
       "document 2, line 5, column 1: found character that cannot start any token while scanning "
       "for the next token that starts in line 5"},
      {"a: 'x",
       "document 1, line 1, column 6: found unexpected end of stream while scanning a quoted "
       "scalar that starts in line 1"},
      {"a: b: c", "document 1, line 1, column 5: mapping values are not allowed in this context"},
      {"a: \xff", "document 1, line 1, column 4: invalid leading UTF-8 octet"},
      {"a: \x01", "document 1, line 1, column 4: control characters are not allowed"},
      {"{a: 1",
       "document 1, line 2, column 1: did not find expected ',' or '}' while parsing a "
       "flow mapping that starts in line 1"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.yaml);
    const auto documents = read_yaml(c.yaml);
    ASSERT_FALSE(documents.ok());
    EXPECT_EQ(documents.error().message, c.message);
    EXPECT_EQ(documents.error().code, Code::BadRequest);
  }
}

TEST(YamlRead, AliasBombsAreRefused) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
    for (int n = 1; n < 10; ++n) bomb += ", " + before;
    bomb += "]\n";
  }
  const auto documents = read_yaml(bomb);
  ASSERT_FALSE(documents.ok());
  EXPECT_NE(documents.error().message.find("document contains excessive aliasing"),
            std::string::npos)
      << documents.error().message;
}

TEST(YamlRead, NestedAnchorsAreRefusedBeforeTheyCostMemory) {
  std::string text;
  for (int i = 0; i < 900; ++i) text += "&a" + std::to_string(i) + " [";
  for (int i = 0; i < 10'000; ++i) text += "1, ";
  EXPECT_FALSE(read_yaml(text + std::string(900, ']')).ok());
}

TEST(YamlRead, DepthIsLimited) {
  const auto nest = [](std::size_t depth) {
    return "- " + std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_TRUE(read_yaml(nest(900)).ok());
  EXPECT_FALSE(read_yaml(nest(1000)).ok());
  EXPECT_FALSE(read_yaml("- " + std::string(1 << 20, '[')).ok());
  EXPECT_EQ(read_yaml("a: [[]]", {.depth_max = 2}).error().message,
            "document 1, line 1, column 5: nested deeper than 2 levels");
  EXPECT_EQ(read_yaml("a: &x [[]]\nb: [*x]", {.depth_max = 3}).error().message,
            "document 1, line 2, column 5: nested deeper than 3 levels");
}

TEST(YamlRead, SizeIsLimited) {
  const auto documents = read_yaml("a: 12", {.size_max = 4});
  ASSERT_FALSE(documents.ok());
  EXPECT_EQ(documents.error().code, Code::RequestEntityTooLarge);
}

TEST(YamlRead, ALongStringIsJustAString) {
  const std::string text(10 << 20, 'x');
  EXPECT_EQ(read_one_yaml("a: \"" + text + "\"").value().find("a")->as_string(), text);
}

}  // namespace
}  // namespace berth::json
