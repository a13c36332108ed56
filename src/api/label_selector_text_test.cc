#include "api/label_selector_text.h"

#include <array>
#include <string>

#include <gtest/gtest.h>

#include "api/label_selector.h"

namespace berth::api {
namespace {

TEST(LabelSelectorText, ReadsEveryFormAndPrintsItCanonically) {
  struct Case {
    std::string_view text;
    std::string_view canonical;
  };
  constexpr std::array kCases = {
      Case{"", ""},
      Case{" \t", ""},
      Case{"a", "a"},
      Case{"! a", "!a"},
      Case{"a=b", "a=b"},
      Case{"a ==b", "a==b"},
      Case{"a != b", "a!=b"},
      Case{"a=", "a="},
      Case{"a=,b", "a=,b"},
      Case{"h>1,i<2", "h>1,i<2"},
      Case{"c,b,a", "a,b,c"},
      Case{"a=2,a=1", "a=2,a=1"},
      Case{"e in (y,x)", "e in (x,y)"},
      Case{"e in (x,x)", "e in (x)"},
      Case{"e in(x)", "e in (x)"},
      Case{"e notin ()", "e notin ()"},
      Case{"e in (,)", "e in ()"},
      Case{"e in (,a)", "e in (,a)"},
      Case{"e in (a,,b)", "e in (,a,b)"},
      Case{"in in (notin)", "in in (notin)"},
      Case{"notin=in", "notin=in"},
      Case{"example.com/a=b", "example.com/a=b"},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.text);
    const auto selector = LabelSelector::parse(c.text);
    ASSERT_TRUE(selector.ok()) << selector.error().message;
    EXPECT_EQ(selector->to_string(), c.canonical);
    EXPECT_EQ(LabelSelector::parse(c.canonical).value(), *selector);
  }
}

TEST(LabelSelectorText, RefusesWithKubernetesTexts) {
  struct Case {
    std::string_view text;
    std::string_view message;
  };
  constexpr std::array kCases = {
      Case{",a", "found ',', expected: !, identifier, or 'end of string'"},
      Case{"a,", "found '', expected: identifier after ','"},
      Case{"a,,b", "found ',', expected: identifier after ','"},
      Case{"a b", "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"},
      Case{"a=b c", "found 'c', expected: ',' or 'end of string'"},
      Case{"!a=b", "found '=', expected: ',' or 'end of string'"},
      Case{"!", "unable to parse requirement: found '', expected: identifier"},
      Case{"a=(", "unable to parse requirement: found '(', expected: identifier"},
      Case{"a===b", "unable to parse requirement: found '=', expected: identifier"},
      Case{"a in b", "unable to parse requirement: found 'b' expected: '('"},
      Case{"a in (", "unable to parse requirement: found '', expected: ',', ')' or identifier"},
      Case{"a in (b", "unable to parse requirement: found '', expected: ',' or ')'"},
      Case{"a in (b,=", "unable to parse requirement: found '=', expected: ',', or identifier"},
      Case{"/a",
           "unable to parse requirement: <nil>: Invalid value: \"/a\": prefix part must be "
           "non-empty"},
      Case{
          "a>b",
          "unable to parse requirement: values[0]: Invalid value: \"b\": for 'Gt', 'Lt' operators, "
          "the value must be an integer"},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.text);
    const auto requirements = parse_label_requirements(c.text);
    ASSERT_FALSE(requirements.ok());
    EXPECT_EQ(requirements.error().message, c.message);
    EXPECT_EQ(requirements.error().code, Code::BadRequest);
  }
}

}  // namespace
}  // namespace berth::api
