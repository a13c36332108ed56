#include "json/print.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "json/parse.h"
#include "json/testing/arbitrary_value.h"

namespace berth::json {
namespace {

TEST(Print, WritesStringsAsGoDoes) {
  struct Case {
    std::string_view string;
    std::string_view text;
  };
  const Case cases[] = {
      {"", R"("")"},
      {"plain", R"("plain")"},
      {"\"\\/", R"("\"\\/")"},
      {"\b\f\n\r\t", R"("\b\f\n\r\t")"},
      {std::string_view("\0\x01\x1f\x7f", 4), "\"\\u0000\\u0001\\u001f\x7f\""},
      {"<a href='x'>&", "\"<a href='x'>&\""},
      {"caf\xc3\xa9 \xf0\x9f\x9a\xa2", "\"caf\xc3\xa9 \xf0\x9f\x9a\xa2\""},
      {"\xe2\x80\xa8|\xe2\x80\xa9|\xe2\x80\xaa", "\"\\u2028|\\u2029|\xe2\x80\xaa\""},
      {"a\xff\xc3", R"("a\ufffd\ufffd")"},
      {"\xed\xa0\x80", R"("\ufffd\ufffd\ufffd")"},
      {"\xc3\xa9\x80z", "\"\xc3\xa9\\ufffdz\""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(print(c.string), c.text);
  }
}

TEST(Print, EscapesHtmlOnDemand) {
  EXPECT_EQ(print(Value::object({{"<&>", "a<b"}}), {.html = HtmlEscape::Yes}),
            R"({"\u003c\u0026\u003e":"a\u003cb"})");
}

TEST(Print, IndentsAsKubectlDoes) {
  const Value value = parse(R"({"a":[1,{"b":null}],"c":{},"d":[],"e":"x"})").value();
  EXPECT_EQ(print(value, {.indent = kKubectlIndent}), R"({
    "a": [
        1,
        {
            "b": null
        }
    ],
    "c": {},
    "d": [],
    "e": "x"
})");
}

TEST(Print, AppendsToWhatIsThere) {
  std::string text = "[";
  append(text, Value(1));
  text += ',';
  append(text, Value(true));
  append_quoted(text, "<", HtmlEscape::Yes);
  EXPECT_EQ(text, R"([1,true"\u003c")");
}

RC_GTEST_PROP(PrintProperty, ParsesBackWhatItPrints, (Value value)) {
  RC_ASSERT(parse(print(value)).value() == value);
  RC_ASSERT(parse(print(value, {.html = HtmlEscape::Yes, .indent = 2})).value() == value);
}

}  // namespace
}  // namespace berth::json
