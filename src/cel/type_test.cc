#include "cel/type.h"

#include <gtest/gtest.h>

namespace berth::cel {
namespace {

TEST(Types, PrintAsInMessages) {
  EXPECT_EQ(Type::map(TypeKind::String, TypeKind::Dyn).display(), "map(string, dyn)");
  EXPECT_EQ(Type::optional(Type::list(TypeKind::Int)).display(), "optional_type(list(int))");
  EXPECT_EQ(Type(TypeKind::Timestamp).display(), "timestamp");
  EXPECT_EQ(Type(TypeKind::Timestamp).runtime_name(), "google.protobuf.Timestamp");
  EXPECT_EQ(Type(TypeKind::Null).display(), "null");
  EXPECT_EQ(Type(TypeKind::Error).display(), "!error!");
}

TEST(Types, AreEqualByStructure) {
  EXPECT_EQ(Type::list(TypeKind::Int), Type::list(TypeKind::Int));
  EXPECT_NE(Type::list(TypeKind::Int), Type::list(TypeKind::Uint));
  EXPECT_NE(Type::variable(1), Type::variable(2));
}

TEST(Types, ThatGrowBeyondReasonBecomeDyn) {
  Type type = TypeKind::Int;
  for (int i = 0; i < 64; ++i) type = Type::map(type, type);
  EXPECT_LT(type.display().size(), 50'000U);
}

}  // namespace
}  // namespace berth::cel
