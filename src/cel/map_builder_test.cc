#include "cel/map_builder.h"

#include <gtest/gtest.h>

#include "cel/display.h"

namespace berth::cel {
namespace {

TEST(MapBuilder, KeepsTheLastValueInTheFirstPlace) {
  Arena arena;
  Context context(arena, {}, {});
  MapBuilder builder;
  builder.set(Value::string("a"), Value::integer(1));
  builder.set(Value::string("b"), Value::integer(2));
  builder.set(Value::string("a"), Value::integer(3));
  EXPECT_EQ(display(builder.build(context)), R"({"a": 3, "b": 2})");
}

TEST(MapBuilder, FindsEveryKeyOfALargeMap) {
  Arena arena;
  Context context(arena, {}, {});
  MapBuilder builder;
  for (int i = 0; i < 1000; ++i) builder.set(Value::integer(i % 500), Value::integer(i));
  builder.erase(Value::integer(7));
  const Value map = builder.build(context);
  EXPECT_EQ(map.size(), 499U);
  EXPECT_EQ(map.find(Value::integer(8))->as_int(), 508);
  EXPECT_FALSE(map.find(Value::integer(7)));
  EXPECT_FALSE(map.find(Value::integer(500)));
}

}  // namespace
}  // namespace berth::cel
