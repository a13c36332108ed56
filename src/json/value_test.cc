#include "json/value.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace berth::json {
namespace {

static_assert(sizeof(Value) == 16);

std::vector<std::string> names(const Value& object) {
  std::vector<std::string> result;
  for (const Member& member : object.members()) result.emplace_back(member.name());
  return result;
}

TEST(Value, AnEmptyViewThatPointsNowhereIsAnEmptyString) {
  EXPECT_EQ(Value(std::string_view()), Value(""));
}

TEST(Value, KnowsItsKind) {
  EXPECT_EQ(Value().kind(), Kind::Null);
  EXPECT_EQ(Value(true).kind(), Kind::Boolean);
  EXPECT_EQ(Value(7).kind(), Kind::Number);
  EXPECT_EQ(Value(1.5).kind(), Kind::Number);
  EXPECT_EQ(Value("x").kind(), Kind::String);
  EXPECT_EQ(Value::array().kind(), Kind::Array);
  EXPECT_EQ(Value::object().kind(), Kind::Object);
}

TEST(Value, HoldsStringsOfEveryLength) {
  for (std::size_t length = 0; length < 40; ++length) {
    const std::string text(length, 'x');
    const Value original = text;
    const Value copy = original;
    EXPECT_EQ(copy.as_string(), text);
    EXPECT_EQ(original, copy);
  }
  EXPECT_EQ(Value(std::string_view("a\0b", 3)).as_string(), std::string_view("a\0b", 3));
}

TEST(Value, KeepsTheTextOfNumbers) {
  for (const std::string text : {"1.50", "1e3", "-0", "18446744073709551615",
                                 "3.141592653589793238462643383279", "0", "-12"}) {
    const Value number = Value::number_from_text(text);
    EXPECT_EQ(number.number_text(), text);
    EXPECT_EQ(Value(number).number_text(), text);
  }
  EXPECT_EQ(Value(std::numeric_limits<std::uint64_t>::max()).as_uint(),
            std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(Value(2.0).as_int(), 2);
  EXPECT_EQ(Value(-9223372036854775808.0).as_int(), std::nullopt);
  EXPECT_EQ(Value(1234567890123456768.0).as_int(), 1234567890123456800);
  EXPECT_EQ(Value::number_from_text("2.0").as_int(), std::nullopt);
  EXPECT_EQ(Value::number_from_text("2.5").as_double(), 2.5);
}

TEST(Value, ObjectsKeepTheOrderOfTheirMembers) {
  Value object;
  object["zeta"] = 1;
  object["alpha"] = "a";
  object["a name that does not fit inline"] = true;
  object["zeta"] = 2;
  EXPECT_EQ(names(object),
            (std::vector<std::string>{"zeta", "alpha", "a name that does not fit inline"}));
  EXPECT_TRUE(object.erase("alpha"));
  EXPECT_FALSE(object.erase("alpha"));
  EXPECT_EQ(object.find("alpha"), nullptr);
  EXPECT_EQ(object.find("zeta")->as_int(), 2);
}

TEST(Value, ArraysInsertAndErase) {
  Value array = Value::array({1, 3});
  array.insert_at(1, 2);
  array.insert_at(3, "end");
  array.erase_at(0);
  EXPECT_EQ(array, Value::array({2, 3, "end"}));
}

TEST(Value, FindsAlongAPath) {
  const Value object = Value::object({{"metadata", Value::object({{"name", "web"}})}});
  EXPECT_EQ(object.find_path({"metadata", "name"})->as_string(), "web");
  EXPECT_EQ(object.find_path({"metadata", "labels", "app"}), nullptr);
}

TEST(Value, ComparesAsJson) {
  const Value a = Value::object({{"x", 1}, {"y", Value::array({1, nullptr})}});
  const Value b =
      Value::object({{"y", Value::array({Value::number_from_text("1.0"), nullptr})}, {"x", 1}});
  EXPECT_EQ(a, b);
  EXPECT_NE(Value::array({1, 2}), Value::array({2, 1}));
  EXPECT_NE(Value("1"), Value(1));
  EXPECT_NE(Value(nullptr), Value(false));
}

TEST(Value, LargeObjectsAreEqualInAnyOrder) {
  Value a = Value::object();
  Value b = Value::object();
  for (int i = 0; i < 1000; ++i) {
    a.append_member("name" + std::to_string(i), i);
    b.append_member("name" + std::to_string(999 - i), 999 - i);
  }
  EXPECT_EQ(a, b);
  b["name7"] = 8;
  EXPECT_NE(a, b);
}

TEST(Value, TakesAPartOfItselfAsItsNewContent) {
  Value value = Value::object({{"inner", Value::array({1, "a string beyond the inline length"})}});
  value = std::move(*value.find("inner"));
  EXPECT_EQ(value, Value::array({1, "a string beyond the inline length"}));
  value = value.elements()[1];
  EXPECT_EQ(value, Value("a string beyond the inline length"));
}

TEST(Value, AMovedFromValueIsNull) {
  Value from = Value::array({1});
  const Value to = std::move(from);
  EXPECT_TRUE(from.is_null());
  EXPECT_EQ(to.size(), 1u);
}

TEST(Value, TakesCollectedItems) {
  std::vector<Value> elements = {1, "a string beyond the inline length", Value::array({2})};
  const Value array = Value::take_array(elements);
  EXPECT_EQ(array, Value::array({1, "a string beyond the inline length", Value::array({2})}));
  EXPECT_TRUE(elements[2].is_null());
  std::vector<Member> members = {{"b", 1}, {"a", 2}};
  EXPECT_EQ(names(Value::take_object(members)), (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(Value::take_object({}), Value::object());
  EXPECT_EQ(Value::take_array({}), Value::array());
}

RC_GTEST_PROP(ValueProperty, ACopyIsEqualAndIndependent, (std::vector<std::string> texts)) {
  Value array = Value::array();
  for (const std::string& text : texts) array.push_back(text);
  Value copy = array;
  RC_ASSERT(copy == array);
  copy.push_back(1);
  RC_ASSERT(array.size() == texts.size());
}

}  // namespace
}  // namespace berth::json
