#include "base/result.h"

#include <memory>

#include <gtest/gtest.h>

namespace berth {
namespace {

Result<int> half(int number) {
  if (number % 2 != 0) return failure(Code::Invalid, "odd");
  return number / 2;
}

Result<int> quarter(int number) {
  ASSIGN_OR_RETURN(const int once, half(number));
  ASSIGN_OR_RETURN(const int twice, half(once));
  return twice;
}

Status must_be_even(int number) {
  RETURN_IF_ERROR(half(number));
  return {};
}

TEST(Result, MacrosPassValuesOnAndErrorsUp) {
  EXPECT_EQ(quarter(12).value(), 3);
  EXPECT_EQ(quarter(6).error(), (Error{.code = Code::Invalid, .message = "odd"}));
  EXPECT_TRUE(must_be_even(4).ok());
  EXPECT_FALSE(must_be_even(5).ok());
}

TEST(Result, CarriesValuesThatOnlyMove) {
  const auto make = []() -> Result<std::unique_ptr<int>> { return std::make_unique<int>(7); };
  const auto use = [&]() -> Result<int> {
    ASSIGN_OR_RETURN(const auto owned, make());
    return *owned;
  };
  EXPECT_EQ(use().value(), 7);
}

}  // namespace
}  // namespace berth
