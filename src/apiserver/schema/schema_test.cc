#include "apiserver/schema/schema.h"

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

TEST(Schema, FindsFieldsByTheirName) {
  SchemaSet set;
  Schema& text = set.add();
  Schema& object = set.add();
  object.fields = {{.name = "a", .schema = &text}, {.name = "c", .schema = &text}};
  EXPECT_EQ(object.find("c"), &object.fields[1]);
  EXPECT_EQ(object.find("b"), nullptr);
  EXPECT_EQ(object.find("d"), nullptr);
}

}  // namespace
}  // namespace berth::apiserver
