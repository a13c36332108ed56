#include "fleet/addons/template_text.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::fleet {
namespace {

const TemplateValues kValues = {{"A", "one"}, {"EMPTY", ""}, {"LINES", R"(x\ny)"}, {"Q", R"(a"b)"}};

json::Value in(std::string_view text) {
  return substitute(json::parse(text).value(), kValues).value();
}

TEST(TemplateTags, AreReplacedByTheirValues) {
  EXPECT_EQ(substitute_text("x{{A}}y{{A}}", kValues), "xoneyone");
  EXPECT_EQ(substitute_text("{{B}}{{ A }}{{EMPTY}}", kValues), "");
  EXPECT_EQ(substitute_text("{{A", kValues), "{{A");
  EXPECT_EQ(substitute_text("A}} {{A}} {{", kValues), "A}} one {{");
}

TEST(TemplateTags, AreFoundInAllStringsOfAManifestAndInNames) {
  EXPECT_EQ(in(R"({"a":["{{A}}",1],"{{A}}":{"b":"-{{A}}-"}})"),
            json::parse(R"({"a":["one",1],"one":{"b":"-one-"}})").value());
  EXPECT_EQ(in(R"({"a":"{{LINES}}"})"), json::parse(R"({"a":"x\ny"})").value());
}

TEST(TemplateTags, TakeValuesThatWouldBreakTheJsonAsTheyAre) {
  EXPECT_EQ(in(R"({"a":"{{Q}}","b":{"c":{}}})"),
            json::parse(R"({"a":"a\"b","b":{"c":{}}})").value());
  EXPECT_EQ(in(R"({"a":"{{open","b":{"c":{}}})"),
            json::parse(R"({"a":"{{open","b":{"c":{}}})").value());
}

}  // namespace
}  // namespace berth::fleet
