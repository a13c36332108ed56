#include "base/error.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(Error, ReasonsAreKubernetesWordsAndReadBack) {
  EXPECT_EQ(reason(Code::AlreadyExists), "AlreadyExists");
  EXPECT_EQ(reason(Code::StoreReadError), "StorageReadError");
  for (int i = 0; i <= static_cast<int>(Code::StoreReadError); ++i) {
    const Code code = static_cast<Code>(i);
    EXPECT_EQ(code_of_reason(reason(code)), code);
  }
  EXPECT_EQ(code_of_reason("NoSuchReason"), std::nullopt);
}

TEST(Error, CarriesTheHttpStatusOfItsReason) {
  EXPECT_EQ(http_status(Code::Conflict), 409);
  EXPECT_EQ(http_status(Code::Expired), 410);
  EXPECT_EQ(http_status(Code::Invalid), 422);
}

TEST(Error, ContextIsPutInFront) {
  Error error{.code = Code::Invalid, .message = "not a number"};
  const Error seen = std::move(error).in_context("line 3");
  EXPECT_EQ(seen.message, "line 3: not a number");
  EXPECT_EQ(seen.code, Code::Invalid);
}

}  // namespace
}  // namespace berth
