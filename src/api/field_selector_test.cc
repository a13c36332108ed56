#include "api/field_selector.h"

#include <array>

#include <gtest/gtest.h>

namespace berth::api {
namespace {

bool matches(std::string_view text, std::string_view name) {
  return FieldSelector::parse(text).value().matches([name](std::string_view field) {
    return field == "metadata.name" ? name : std::string_view();
  });
}

TEST(FieldSelector, WantsAllTerms) {
  EXPECT_TRUE(matches("", "x"));
  EXPECT_TRUE(matches("metadata.name=x", "x"));
  EXPECT_TRUE(matches("metadata.name==x", "x"));
  EXPECT_FALSE(matches("metadata.name!=x", "x"));
  EXPECT_TRUE(matches("metadata.name=x,spec.nodeName!=n", "x"));
  EXPECT_TRUE(matches("metadata.name=x,spec.nodeName=", "x")) << "a field without value is empty";
  EXPECT_FALSE(matches("metadata.name=x,spec.nodeName=n", "x"));
}

TEST(FieldSelector, UnderstandsEscapesInValues) {
  EXPECT_TRUE(matches(R"(metadata.name=a\,b\=c\\d)", R"(a,b=c\d)"));
  const auto selector = FieldSelector::parse(R"(b=2,a=x\,y)").value();
  EXPECT_EQ(selector.to_string(), R"(a=x\,y,b=2)");
  EXPECT_EQ(FieldSelector::parse(selector.to_string()).value(), selector);
}

TEST(FieldSelector, SkipsTermsThatSayNothing) {
  EXPECT_TRUE(FieldSelector::parse(",,").value().is_everything());
  EXPECT_TRUE(FieldSelector::parse("=").value().is_everything());
  EXPECT_FALSE(FieldSelector::parse("a=").value().is_everything());
}

TEST(FieldSelector, KnowsTheOnlyValueAFieldMayHave) {
  const auto selector = FieldSelector::parse("metadata.name=x,a!=b").value();
  EXPECT_EQ(selector.exact_value("metadata.name"), "x");
  EXPECT_EQ(selector.exact_value("a"), std::nullopt);
  EXPECT_EQ(selector.exact_value("other"), std::nullopt);
}

TEST(FieldSelector, RefusesWithKubernetesTexts) {
  struct Case {
    std::string_view text;
    std::string_view message;
  };
  constexpr std::array kCases = {
      Case{"a", "invalid selector: 'a'; can't understand 'a'"},
      Case{"b=1,a", "invalid selector: 'b=1,a'; can't understand 'a'"},
      Case{"a=b=c", "invalid field selector: unescaped character in value: 61"},
      Case{R"(a=\x)", R"(invalid field selector: invalid escape sequence: \x)"},
      Case{R"(a=b\)", R"(invalid field selector: invalid escape sequence: \)"},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.text);
    const auto selector = FieldSelector::parse(c.text);
    ASSERT_FALSE(selector.ok());
    EXPECT_EQ(selector.error().message, c.message);
    EXPECT_EQ(selector.error().code, Code::BadRequest);
  }
}

}  // namespace
}  // namespace berth::api
