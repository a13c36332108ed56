#include "json/yaml_print.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "json/parse.h"
#include "json/testing/arbitrary_value.h"
#include "json/yaml_read.h"

namespace berth::json {
namespace {

std::string yaml(std::string_view json) { return print_yaml(parse(json).value()); }

// What stands behind "k: " for {"k": string}, without the last newline.
std::string printed(std::string_view string) {
  const std::string text = print_yaml(Value::object({{"k", string}}));
  return text.substr(3, text.size() - 4);
}

TEST(YamlPrint, QuotesStringsAsKubectlDoes) {
  struct Case {
    std::string_view string;
    std::string_view text;
  };
  const Case cases[] = {
      {"x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x "
       "x x x x x x x x x x x x x x x ",
       "'x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x\n  x x x x "
       "x x x x x x x x x x x x x x x x x '"},
      {"a: b", "'a: b'"},
      {"a:b", "a:b"},
      {"a #b", "'a #b'"},
      {"a#b", "a#b"},
      {"- a", "'- a'"},
      {"-a", "-a"},
      {"-", "'-'"},
      {"?", "'?'"},
      {"? a", "'? a'"},
      {":", "':'"},
      {"::", "'::'"},
      {"a,b", "a,b"},
      {"[a", "'[a'"},
      {"a]", "a]"},
      {"{a", "'{a'"},
      {"a}", "a}"},
      {"#a", "'#a'"},
      {"&a", "'&a'"},
      {"*a", "'*a'"},
      {"!a", "'!a'"},
      {"|a", "'|a'"},
      {">a", "'>a'"},
      {"'a", "'''a'"},
      {"\"a", "'\"a'"},
      {"%a", "'%a'"},
      {"@a", "'@a'"},
      {"`a", "'`a'"},
      {"a\tb", "\"a\\tb\""},
      {"\ta", "\"\\ta\""},
      {"a\t", "\"a\\t\""},
      {" a", "' a'"},
      {"a ", "'a '"},
      {"", "\"\""},
      {"~", "\"~\""},
      {"null", "\"null\""},
      {"NULL", "\"NULL\""},
      {"nULL", "nULL"},
      {"yes", "\"yes\""},
      {"Yes", "\"Yes\""},
      {"yES", "yES"},
      {"y", "\"y\""},
      {"on", "\"on\""},
      {"off", "\"off\""},
      {"1", "\"1\""},
      {"1.5", "\"1.5\""},
      {"0x1", "\"0x1\""},
      {"0o7", "\"0o7\""},
      {"08", "\"08\""},
      {"1e3", "\"1e3\""},
      {"1_000", "\"1_000\""},
      {".5", "\".5\""},
      {".", "."},
      {"..", ".."},
      {"...", "'...'"},
      {"---", "'---'"},
      {"--- a", "'--- a'"},
      {"...a", "'...a'"},
      {"2024-01-01", "\"2024-01-01\""},
      {"2024-13-01", "2024-13-01"},
      {"2024-1-1", "\"2024-1-1\""},
      {"2024-02-30", "2024-02-30"},
      {"2024-01-01T00:00:00Z", "\"2024-01-01T00:00:00Z\""},
      {"2024-01-01 00:00:00", "\"2024-01-01 00:00:00\""},
      {"2024-01-01T1:2:3Z", "\"2024-01-01T1:2:3Z\""},
      {"1:30", "\"1:30\""},
      {"1:90", "1:90"},
      {"190:20:30", "\"190:20:30\""},
      {"0:0", "\"0:0\""},
      {"<<", "<<"},
      {"=", "="},
      {"a\nb", "|-\n  a\n  b"},
      {"a\nb\n", "|\n  a\n  b"},
      {"a\n\nb\n\n", "|+\n  a\n\n  b\n"},
      {"\n", "|2+\n"},
      {"\na", "|2-\n\n  a"},
      {" a\nb", "|2-\n   a\n  b"},
      {"a \nb", "\"a \\nb\""},
      {"a\n b", "|-\n  a\n   b"},
      {"a\n\tb", "\"a\\n\\tb\""},
      {"a\r\nb", "\"a\\r\\nb\""},
      {"a\rb", "\"a\\rb\""},
      {"\xc3\xa9", "\xc3\xa9"},
      {"\xc3\xa9\n", "|\n  \xc3\xa9"},
      {"\xf0\x9f\x9a\xa2", "\"\\U0001F6A2\""},
      {"\xf0\x9f\x9a\xa2\nb", "\"\\U0001F6A2\\nb\""},
      {"\x01", "\"\\x01\""},
      {"\xc2\xa0", "\xc2\xa0"},
      {"\xef\xbf\xbd", "\xef\xbf\xbd"},
      {" ", "' '"},
      {"  ", "'  '"},
      {"\n\n", "|2+\n\n"},
      {"a\n\n", "|+\n  a\n"},
      {"a\n ", "\"a\\n \""},
      {"a\n  \nb", "\"a\\n  \\nb\""},
      {"true", "\"true\""},
      {"True", "\"True\""},
      {"tRUE", "tRUE"},
      {"+1", "\"+1\""},
      {"-1", "\"-1\""},
      {"+", "+"},
      {"1.", "\"1.\""},
      {"1e400", "1e400"},
      {"12345678901234567890", "\"12345678901234567890\""},
      {".inf", "\".inf\""},
      {".nan", "\".nan\""},
      {"+.inf", "\"+.inf\""},
      {"-.INF", "\"-.INF\""},
      {"0b1", "\"0b1\""},
      {"0b2", "0b2"},
      {"0b-1", "\"0b-1\""},
      {"123abc", "123abc"},
      {"a: ", "'a: '"},
      {"a:", "'a:'"},
      {"a :b", "a :b"},
      {"a\\b", "a\\b"},
      {"a'b", "a'b"},
      {"a\"b", "a\"b"},
      {"'", "''''"},
      {"\"", "'\"'"},
      {"#", "'#'"},
      {"key: |", "'key: |'"},
      {"- - a", "'- - a'"},
      {"\xe2\x80\x8b", "\xe2\x80\x8b"},
      {"\xc2\xad", "\xc2\xad"},
      {"0.0.0.0", "0.0.0.0"},
      {"10.0.0.0/8", "10.0.0.0/8"},
      {"1.2.3", "1.2.3"},
      {"a\x1f"
       "b",
       "\"a\\x1Fb\""},
      {"\x1b[0m", "\"\\e[0m\""},
      {"! a", "'! a'"},
      {"%", "'%'"},
      {"@", "'@'"},
      {"`", "'`'"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(printed(c.string), c.text);
    EXPECT_EQ(read_one_yaml(print_yaml(Value::array({c.string}))).value(),
              Value::array({c.string}));
  }
}

TEST(YamlPrint, LaysOutListsAndObjects) {
  EXPECT_EQ(yaml(R"({"a":[]})"), "a: []\n");
  EXPECT_EQ(yaml(R"({"a":{}})"), "a: {}\n");
  EXPECT_EQ(yaml("[]"), "[]\n");
  EXPECT_EQ(yaml("{}"), "{}\n");
  EXPECT_EQ(yaml("null"), "null\n");
  EXPECT_EQ(yaml("[1,[2,[3]],[]]"), "- 1\n- - 2\n  - - 3\n- []\n");
  EXPECT_EQ(yaml(R"({"a":[{"b":1,"c":[1,{"d":2}]},{}]})"),
            "a:\n- b: 1\n  c:\n  - 1\n  - d: 2\n- {}\n");
  EXPECT_EQ(yaml(R"({"a":["x\ny\n"]})"), "a:\n- |\n  x\n  y\n");
  EXPECT_EQ(yaml(R"({"a\nb":1})"), "? |-\n  a\n  b\n: 1\n");
}

TEST(YamlPrint, SortsNumbersInNamesByTheirValue) {
  std::vector<std::string> names = {"a10", "a2", "b",   "A",   "a-b", "a.b", "1",  "_",  "a/b",
                                    "ab",  "a1", "a01", "a00", "a0",  "",    "10", "09", "9"};
  std::ranges::sort(names, yaml_name_less);
  EXPECT_EQ(names,
            (std::vector<std::string>{"", "_", "1", "9", "09", "10", "A", "a-b", "a.b", "a/b", "a0",
                                      "a00", "a1", "a01", "a2", "a10", "ab", "b"}));
}

TEST(YamlPrint, PrintsNumbersAsYamlReadsThem) {
  struct Case {
    std::string_view json;
    std::string_view text;
  };
  const Case cases[] = {
      {"1.0", "1\n"},
      {"1.50", "1.5\n"},
      {"1e3", "1000\n"},
      {"1e6", "1e+06\n"},
      {"-0", "0\n"},
      {"-0.0", "-0\n"},
      {"1e999", "1e999\n"},
      {"0.0001", "0.0001\n"},
      {"1e-5", "1e-05\n"},
      {"123456.5", "123456.5\n"},
      {"1234567.5", "1.2345675e+06\n"},
      {"18446744073709551615", "18446744073709551615\n"},
      {"18446744073709551616", "1.8446744073709552e+19\n"},
  };
  for (const Case& c : cases) EXPECT_EQ(yaml(c.json), c.text);
}

TEST(YamlPrint, FoldsLongStringsAtBlanks) {
  std::string words;
  for (int i = 0; i < 20; ++i) words += "0123456789 ";
  words.pop_back();
  EXPECT_EQ(printed(words),
            "0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 "
            "0123456789\n  0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 "
            "0123456789 0123456789\n  0123456789 0123456789 0123456789 0123456789");
  EXPECT_EQ(printed(std::string(300, 'x')), std::string(300, 'x'));
}

TEST(YamlPrint, EscapesWhatOnlyYamlTakesForALineBreak) {
  EXPECT_EQ(printed("a\xc2\x85\xe2\x80\xa8\xe2\x80\xa9z"), R"("a\N\L\Pz")");
  EXPECT_EQ(printed("\xef\xbb\xbf"), R"("\uFEFF")");
  EXPECT_EQ(printed("a\n\x7f"), R"("a\n\x7F")");
  EXPECT_EQ(printed(std::string_view("a\0b", 3)), R"("a\0b")");
}

TEST(YamlPrint, ReplacesWhatIsNotUtf8) {
  EXPECT_EQ(printed("a\xff\xfe!"), "a\xef\xbf\xbd\xef\xbf\xbd!");
}

RC_GTEST_PROP(YamlPrintProperty, ReadsBackWhatItPrints, (Value value)) {
  RC_PRE(!value.is_null());  // An empty document.
  RC_ASSERT(read_one_yaml("---\n" + print_yaml(value)).value() == value);
}

}  // namespace
}  // namespace berth::json
