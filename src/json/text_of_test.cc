#include "json/text_of.h"

#include <gtest/gtest.h>

namespace berth::json {
namespace {

TEST(TextOf, IsEmptyWhereThereIsNone) {
  const Value object = Value::object({{"name", "rome"}, {"count", 3}});
  EXPECT_EQ(text_of(object, "name"), "rome");
  EXPECT_EQ(text_of(&object, "name"), "rome");
  EXPECT_EQ(text_of(object, "count"), "");
  EXPECT_EQ(text_of(object, "absent"), "");
  EXPECT_EQ(text_of(nullptr, "name"), "");
  EXPECT_EQ(text_of(Value("a text itself"), "name"), "");
}

}  // namespace
}  // namespace berth::json
