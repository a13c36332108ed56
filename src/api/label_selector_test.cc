#include "api/label_selector.h"

#include <gtest/gtest.h>

namespace berth::api {
namespace {

using json::Value;

Value expression(std::string_view key, std::string_view op, Value values = nullptr) {
  return Value::object({{"key", Value(key)}, {"operator", Value(op)}, {"values", values}});
}

Value selector_of(Value expressions) {
  return Value::object({{"matchExpressions", std::move(expressions)}});
}

std::string message(const Value& selector) {
  const auto read = LabelSelector::from_json(selector);
  return read.ok() ? "" : read.error().message;
}

TEST(LabelSelector, NullSelectsNothingAndAnEmptyObjectEverything) {
  const Labels none;
  EXPECT_FALSE(LabelSelector::from_json(nullptr).value().matches(none));
  EXPECT_TRUE(LabelSelector::from_json(Value::object()).value().matches(none));
  EXPECT_TRUE(LabelSelector::from_json(Value::object()).value().is_everything());
  EXPECT_FALSE(LabelSelector::nothing().is_everything());
}

TEST(LabelSelector, WantsAllLabelsAndAllExpressions) {
  const auto selector =
      LabelSelector::from_json(
          Value::object({{"matchLabels", Value::object({{"tier", "web"}})},
                         {"matchExpressions",
                          Value::array({expression("env", "In", Value::array({"prod", "test"})),
                                        expression("old", "DoesNotExist")})}}))
          .value();
  const auto matches = [&selector](const Value& labels) {
    return selector.matches(Labels(labels));
  };
  EXPECT_TRUE(matches(Value::object({{"tier", "web"}, {"env", "prod"}})));
  EXPECT_FALSE(matches(Value::object({{"tier", "db"}, {"env", "prod"}})));
  EXPECT_FALSE(matches(Value::object({{"tier", "web"}, {"env", "dev"}})));
  EXPECT_FALSE(matches(Value::object({{"tier", "web"}, {"env", "prod"}, {"old", ""}})));
  EXPECT_EQ(selector.to_string(), "env in (prod,test),!old,tier=web");
}

// These become messages of a Placement's conditions.
TEST(LabelSelector, RefusesObjectsWithKubernetesTexts) {
  EXPECT_EQ(message(selector_of(Value::array({expression("a", "Gt", Value::array({"1"}))}))),
            "\"Gt\" is not a valid label selector operator");
  EXPECT_EQ(message(selector_of(Value::array({expression("a", "In", Value::array())}))),
            "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty");
  EXPECT_EQ(
      message(selector_of(Value::array({expression("a", "Exists", Value::array({"x"}))}))),
      "values: Invalid value: [\"x\"]: values set must be empty for exists and does not exist");
  EXPECT_EQ(message(Value::object({{"matchLabels", Value::object({{"/a", "b"}})},
                                   {"matchExpressions", Value::array({expression("a", "?")})}})),
            "key: Invalid value: \"/a\": prefix part must be non-empty");
}

TEST(LabelSelector, RefusesOtherShapesByName) {
  EXPECT_EQ(message("a=b"), "labelSelector: expected an object, found string");
  EXPECT_EQ(message(Value::object({{"matchLabels", Value::array()}})),
            "matchLabels: expected an object, found array");
  EXPECT_EQ(message(Value::object({{"matchLabels", Value::object({{"a", 1}})}})),
            "matchLabels: expected strings, found number");
  EXPECT_EQ(message(selector_of("x")), "matchExpressions: expected an array, found string");
  EXPECT_EQ(message(selector_of(Value::array({1}))),
            "matchExpressions: expected objects, found number");
  EXPECT_EQ(message(selector_of(Value::array({expression("a", "In", "x")}))),
            "values: expected an array, found string");
  EXPECT_EQ(message(selector_of(Value::array({expression("a", "In", Value::array({1}))}))),
            "values: expected strings, found number");
}

TEST(LabelSelector, KnowsTheOnlyValueALabelMayHave) {
  EXPECT_EQ(LabelSelector::parse("a=x,b").value().exact_value("a"), "x");
  EXPECT_EQ(LabelSelector::parse("a in (x)").value().exact_value("a"), "x");
  EXPECT_EQ(LabelSelector::parse("a in (x,y)").value().exact_value("a"), std::nullopt);
  EXPECT_EQ(LabelSelector::parse("a!=x").value().exact_value("a"), std::nullopt);
  EXPECT_EQ(LabelSelector::parse("b=x").value().exact_value("a"), std::nullopt);
}

}  // namespace
}  // namespace berth::api
