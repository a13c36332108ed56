#include "apiserver/schema/value_checks.h"

#include <string>

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::apiserver {
namespace {

using json::Value;

std::string text_of(const Check& check) {
  return check ? check->explain("f", "n").message : "fine";
}

TEST(ValueChecks, HoldBuiltInTypesToWhatGoCanRead) {
  Schema number;
  number.form = Form::Integer;
  number.format = "int32";
  EXPECT_EQ(text_of(check_form(number, Value(5), Origin::BuiltIn)), "fine");
  EXPECT_EQ(text_of(check_form(number, Value(), Origin::BuiltIn)), "fine");
  EXPECT_NE(text_of(check_form(number, Value(3'000'000'000), Origin::BuiltIn)), "fine");
  EXPECT_NE(text_of(check_form(number, json::parse("1.0").value(), Origin::BuiltIn)), "fine");
  EXPECT_EQ(text_of(check_form(number, json::parse("1.0").value(), Origin::Custom)), "fine");
  EXPECT_EQ(text_of(check_form(number, Value(3'000'000'000), Origin::Custom)), "fine");
}

TEST(ValueChecks, RefuseListsInPlaceOfFormattedTexts) {
  Schema time;
  time.form = Form::String;
  time.format = "date-time";
  Constraints constraints;
  constraints.format = Format::DateTime;
  time.constraints = std::make_shared<const Constraints>(constraints);
  EXPECT_EQ(text_of(check_form(time, Value::array(), Origin::Custom)),
            R"(Invalid value: "array": n in body must be of type string: "array")");
}

TEST(ValueChecks, CompareNumbersExactly) {
  Constraints constraints;
  constraints.maximum = Bound{.value = 1.5};
  EXPECT_EQ(text_of(check_maximum(constraints, Value(1))), "fine");
  EXPECT_EQ(text_of(check_maximum(constraints, Value(2))),
            "Invalid value: 2: n in body should be less than or equal to 1.5");
  constraints.maximum = Bound{.value = 1'000'000, .is_exclusive = true};
  EXPECT_EQ(text_of(check_maximum(constraints, Value(1'000'000))),
            "Invalid value: 1000000: n in body should be less than 1000000");
  constraints.minimum = Bound{.value = 9007199254740991.0};
  EXPECT_EQ(text_of(check_minimum(constraints, Value(9007199254740992))), "fine");
  constraints.multiple_of = 0.25;
  EXPECT_EQ(text_of(check_multiple(constraints, Value(1))), "fine");
  EXPECT_EQ(text_of(check_multiple(constraints, json::parse("0.3").value())),
            "Invalid value: 0.3: n in body should be a multiple of 0.25");
  constraints.multiple_of = 0;
  EXPECT_NE(text_of(check_multiple(constraints, Value(1))), "fine");
}

TEST(ValueChecks, CountCodePoints) {
  Constraints constraints;
  constraints.length_max = 2;
  EXPECT_EQ(text_of(check_text(constraints, "\xc3\xa4\xc3\xb6")), "fine");
  EXPECT_EQ(text_of(check_text(constraints, "abc")), "Too long: may not be more than 2 bytes");
}

TEST(ValueChecks, NameTypes) {
  EXPECT_EQ(type_name(Form::IntOrString), "integer,string");
  EXPECT_EQ(type_name(Form::Any), "");
  EXPECT_EQ(type_name(Value(1)), "integer");
  EXPECT_EQ(type_name(json::parse("1e2").value()), "number");
  EXPECT_EQ(type_name(Value()), "null");
}

}  // namespace
}  // namespace berth::apiserver
