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

TEST(TextAt, FollowsNamesAndIsEmptyWhereTheyEnd) {
  const Value object =
      Value::object({{"kind", "Pod"}, {"metadata", Value::object({{"uid", "u"}, {"n", 3}})}});
  EXPECT_EQ(text_at(object, {"metadata", "uid"}), "u");
  EXPECT_EQ(text_at(object, {"kind"}), "Pod");
  EXPECT_EQ(text_at(object, {"metadata", "n"}), "");
  EXPECT_EQ(text_at(object, {"metadata", "absent"}), "");
  EXPECT_EQ(text_at(object, {"spec", "uid"}), "");
  EXPECT_EQ(text_at(object, {"kind", "uid"}), "");
}

}  // namespace
}  // namespace berth::json
