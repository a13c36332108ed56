#include "cel/function.h"

#include <gtest/gtest.h>

namespace berth::cel {
namespace {

TEST(Overloads, AcceptByKindAndLookAtFirstElements) {
  const Value numbers[] = {Value::integer(1), Value::string("x")};
  const Value list = Value::list(numbers);
  EXPECT_TRUE(accepts(Type::list(TypeKind::Int), list));
  EXPECT_FALSE(accepts(Type::list(TypeKind::String), list));
  EXPECT_TRUE(accepts(Type::list(TypeKind::String), Value::list({})));
  EXPECT_TRUE(accepts(Type::optional(TypeKind::Int), Value::none()));
  EXPECT_FALSE(accepts(TypeKind::Int, Value::floating(1)));
}

TEST(Overloads, CountTheirTypeVariables) {
  const Overload overload = {.id = "x",
                             .parameters = {Type::map(Type::variable(0), Type::variable(1))},
                             .result = TypeKind::Bool};
  EXPECT_EQ(count_type_variables(overload), 2);
}

}  // namespace
}  // namespace berth::cel
