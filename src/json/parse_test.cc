#include "json/parse.h"

#include <string>

#include <gtest/gtest.h>

#include "json/print.h"

namespace berth::json {
namespace {

std::string nest(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(Parse, ReadsEveryKindOfValue) {
  const Value value =
      parse(
          R"( {"a": [1, -2.50, "x", true, false, null, {}, []], "a long member name": "\u00e9"} )")
          .value();
  EXPECT_EQ(value,
            Value::object({{"a", Value::array({1, Value::number_from_text("-2.5"), "x", true, false,
                                               nullptr, Value::object(), Value::array()})},
                           {"a long member name", "\xc3\xa9"}}));
  EXPECT_EQ(print(value),
            "{\"a\":[1,-2.50,\"x\",true,false,null,{},[]],\"a long member name\":\"\xc3\xa9\"}");
}

TEST(Parse, ADocumentMayBeAScalar) {
  EXPECT_EQ(parse("7").value(), Value(7));
  EXPECT_EQ(parse(" \"x\"\n").value(), Value("x"));
  EXPECT_EQ(parse("null").value(), Value());
  EXPECT_EQ(parse("\"\"").value(), Value(""));
}

TEST(Parse, KeepsTheTextOfNumbers) {
  for (const std::string text : {"0", "-0", "1.50", "1e999999", "-1E-999999", "9223372036854775808",
                                 "0.1e+7", "123456789012345678901234567890"}) {
    EXPECT_EQ(print(parse(text).value()), text);
  }
}

TEST(Parse, OfEqualNamesTheLastValueStays) {
  EXPECT_EQ(print(parse(R"({"a":1,"b":2,"a":3,"\u0061":4})").value()), R"({"a":4,"b":2})");
}

TEST(Parse, ReportsEveryDuplicateAsKubernetesSpellsIt) {
  const std::string_view text = R"({
    "metadata": {"labels": {"a/b.c": "1", "a/b.c": "2", "a/b.c": "3"}},
    "spec": {"containers": [{"name": "x"}, {"name": "y", "args": [[], [{"k": 1, "k": 2}]],
                                            "name": "z"}], "containers": []},
    "metadata": {}
  })";
  const ParsedDocument document = parse_document(text).value();
  EXPECT_EQ(document.duplicate_fields,
            (std::vector<std::string>{"metadata.labels.a/b.c", "spec.containers[1].args[1][0].k",
                                      "spec.containers[1].name", "spec.containers", "metadata"}));
  EXPECT_EQ(document.value, parse(R"({"metadata": {}, "spec": {"containers": []}})").value());
  EXPECT_TRUE(parse_document(R"([{"a":1},{"a":1}])").value().duplicate_fields.empty());
}

TEST(Parse, FindsDuplicatesAmongManyMembersToo) {
  std::string text = "{";
  for (int i = 0; i < 5000; ++i) text += "\"name" + std::to_string(i) + "\":1,";
  const ParsedDocument document = parse_document(text + "\"name17\":2,\"name9\":3}").value();
  EXPECT_EQ(document.duplicate_fields, (std::vector<std::string>{"name17", "name9"}));
  EXPECT_EQ(document.value.size(), 5000u);
  EXPECT_EQ(document.value.find("name17")->as_int(), 2);
}

TEST(Parse, TheListOfDuplicatesIsBounded) {
  std::string text = "[";
  for (int i = 0; i < 1000; ++i) text += R"({"a":1,"a":2},)";
  EXPECT_EQ(parse_document(text + "0]").value().duplicate_fields.size(), kDuplicatesMax);
}

TEST(Parse, RefusesWithThePlaceAndWhatWasExpected) {
  struct Case {
    std::string_view text;
    std::string_view message;
  };
  const Case cases[] = {
      {"", "line 1, column 1: expected a value, found the end of the text"},
      {" \n ", "line 2, column 2: expected a value, found the end of the text"},
      {"{", "line 1, column 2: expected a name in double quotes or '}', found the end of the text"},
      {"[1,]", "line 1, column 4: expected a value, found ']'"},
      {"[,1]", "line 1, column 2: expected a value or ']', found ','"},
      {"[1 2]", "line 1, column 4: expected ',' or ']', found '2'"},
      {"[1}", "line 1, column 3: expected ',' or ']', found '}'"},
      {"[1", "line 1, column 3: expected ',' or ']', found the end of the text"},
      {"{\"a\" 1}", "line 1, column 6: expected ':' after the name, found '1'"},
      {"{\"a\":}", "line 1, column 6: expected a value, found '}'"},
      {"{\"a\":1,}", "line 1, column 8: expected a name in double quotes, found '}'"},
      {"{\n\"a\":1\n\"b\":2}", "line 3, column 1: expected ',' or '}', found '\"'"},
      {"{a:1}", "line 1, column 2: expected a name in double quotes or '}', found 'a'"},
      {"{1:1}", "line 1, column 2: expected a name in double quotes or '}', found '1'"},
      {"1 2", "line 1, column 3: expected nothing after the document, found '2'"},
      {"{} x", "line 1, column 4: expected nothing after the document, found 'x'"},
      {"[]]", "line 1, column 3: expected nothing after the document, found ']'"},
      {"tru", "line 1, column 1: \"tru\" is not a JSON value"},
      {"[nullx]", "line 1, column 2: \"nullx\" is not a JSON value"},
      {"[01]", "line 1, column 2: \"01\" is not a JSON value"},
      {"-", "line 1, column 1: \"-\" is not a JSON value"},
      {"+1", "line 1, column 1: expected a value, found '+'"},
      {"[1.]", "line 1, column 2: \"1.\" is not a JSON value"},
      {".5", "line 1, column 1: expected a value, found '.'"},
      {"1e", "line 1, column 1: \"1e\" is not a JSON value"},
      {"NaN", "line 1, column 1: expected a value, found 'N'"},
      {"-Infinity", "line 1, column 1: \"-Infinity\" is not a JSON value"},
      {"0x10", "line 1, column 1: \"0x10\" is not a JSON value"},
      {"'a'", "line 1, column 1: expected a value, found '''"},
      {"\xef\xbb\xbf{}", "line 1, column 1: expected a value, found byte 0xef"},
      {"[1 /* no */]", "line 1, column 4: expected ',' or ']', found '/'"},
      {"\"a", "line 1, column 1: the string that starts here has no closing quote"},
      {"[\"a\\\"]", "line 1, column 2: the string that starts here has no closing quote"},
      {"[\"a\"b]", "line 1, column 5: expected ',' or ']', found 'b'"},
      {"[\"a\"\"b\"]", "line 1, column 5: expected ',' or ']', found '\"'"},
      {"[1\"b\"]", "line 1, column 2: \"1\\\"b\\\"\" is not a JSON value"},
      {"[\"a\tb\"]", "line 1, column 4: control character 0x09 in a string must be escaped"},
      {"[\"\\q\"]", "line 1, column 3: bad escape in a string"},
      {"{\"\\u12\":1}", "line 1, column 3: bad escape in a string"},
      {"[\"ab\\ud800\"]", "line 1, column 5: bad escape in a string"},
      {"[\"ab\\udc00\"]", "line 1, column 5: bad escape in a string"},
      {"[\"\xff\"]", "line 1, column 3: byte 0xff is not UTF-8"},
      {"[\"\xed\xa0\x80\"]", "line 1, column 3: byte 0xed is not UTF-8"},
      {"[1,\xc3]", "line 1, column 4: byte 0xc3 is not UTF-8"},
      {"[1]\x01", "line 1, column 4: expected nothing after the document, found byte 0x01"},
      {std::string_view("[1]\0", 4),
       "line 1, column 4: expected nothing after the document, found byte 0x00"},
      {std::string_view("\0", 1), "line 1, column 1: expected a value, found byte 0x00"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    const auto parsed = parse(c.text);
    ASSERT_FALSE(parsed.ok());
    EXPECT_EQ(parsed.error().message, c.message);
    EXPECT_EQ(parsed.error().code, Code::BadRequest);
  }
}

TEST(Parse, DepthIsLimited) {
  EXPECT_TRUE(parse(nest(kDepthMax)).ok());
  EXPECT_EQ(parse(nest(kDepthMax + 1)).error().message,
            "line 1, column 1001: nested deeper than 1000 levels");
  EXPECT_TRUE(parse("[[{}]]", {.depth_max = 3}).ok());
  EXPECT_FALSE(parse("[[{}]]", {.depth_max = 2}).ok());
}

TEST(Parse, SizeIsLimited) {
  EXPECT_TRUE(parse("[1]", {.size_max = 3}).ok());
  const auto parsed = parse("[12]", {.size_max = 3});
  ASSERT_FALSE(parsed.ok());
  EXPECT_EQ(parsed.error().code, Code::RequestEntityTooLarge);
  EXPECT_EQ(parsed.error().message, "the text has 4 bytes, the limit is 3");
}

TEST(Parse, HostileTextsEndWithAnError) {
  EXPECT_EQ(parse(std::string(1 << 20, '[')).error().message,
            "line 1, column 1001: nested deeper than 1000 levels");
  std::string objects;
  for (int i = 0; i < 200'000; ++i) objects += "{\"a\":";
  EXPECT_EQ(parse(objects).error().message, "line 1, column 5001: nested deeper than 1000 levels");
  EXPECT_EQ(parse(std::string(1 << 20, ',')).error().message,
            "line 1, column 1: expected a value, found ','");
  EXPECT_EQ(parse(std::string(10 << 20, '"')).error().message,
            "line 1, column 3: expected nothing after the document, found '\"'");
}

TEST(Parse, ALongStringIsJustAString) {
  const std::string text(10 << 20, 'x');
  EXPECT_EQ(parse("[\"" + text + "\"]").value().elements()[0].as_string(), text);
}

TEST(Parse, AParserIsReusableAfterSuccessAndFailure) {
  Parser parser;
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(parser.parse(R"({"a":[1,{"b":2}]})").value(),
              Value::object({{"a", Value::array({1, Value::object({{"b", 2}})})}}));
    EXPECT_FALSE(parser.parse(R"({"a":[1,{"b":}]})").ok());
    EXPECT_EQ(parser.parse(nest(100) + std::string(100'000 * static_cast<std::size_t>(round), ' '))
                  .value()
                  .size(),
              1u);
  }
}

}  // namespace
}  // namespace berth::json
