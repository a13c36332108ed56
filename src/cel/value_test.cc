#include "cel/value.h"

#include <gtest/gtest.h>

#include "cel/display.h"
#include "json/parse.h"

namespace berth::cel {
namespace {

TEST(Value, IsSmallAndTrivialToCopy) {
  EXPECT_EQ(sizeof(Value), 16U);
  EXPECT_TRUE(std::is_trivially_copyable_v<Value>);
}

TEST(Value, LooksAtJsonWhereItLies) {
  const auto document = json::parse(R"({"a":[1,2.5,"x",null,true],"b":{"c":1e2}})").value();
  const Value value = Value::json(document);
  EXPECT_EQ(display(value), R"({"a": [1, 2.5, "x", null, true], "b": {"c": 100.0}})");
  EXPECT_EQ(value.find("a")->element(0).as_int(), 1);
  EXPECT_FALSE(value.find("z"));
  EXPECT_FALSE(value.find(Value::integer(1)));
  EXPECT_EQ(value.type_name(), "map");
}

TEST(Value, MayReadEveryJsonNumberAsADouble) {
  const auto document = json::parse(R"([1,{"a":2}])").value();
  EXPECT_EQ(display(Value::json_with_doubles(document)), R"([1.0, {"a": 2.0}])");
}

TEST(Value, FindsKeysAcrossNumberKinds) {
  const MapEntry entries[] = {{Value::integer(1), Value::string("int")},
                              {Value::unsigned_integer(2), Value::string("uint")}};
  const MapData data = {.entries = entries};
  const Value map = Value::map(data);
  EXPECT_EQ(map.find(Value::unsigned_integer(1))->text(), "int");
  EXPECT_EQ(map.find(Value::floating(2.0))->text(), "uint");
  EXPECT_FALSE(map.find(Value::floating(1.5)));
  EXPECT_FALSE(map.find(Value::integer(-1)));
}

TEST(Value, KeepsTimestampsToTheNanosecond) {
  const Time time = Time::from_unix(-62'135'596'800, 5);
  EXPECT_EQ(Value::timestamp(time).as_timestamp(), time);
}

}  // namespace
}  // namespace berth::cel
