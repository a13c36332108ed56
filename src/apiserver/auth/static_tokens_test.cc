#include "apiserver/auth/static_tokens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

using ::testing::HasSubstr;

TEST(StaticTokens, LinesNameUsersAndTheirGroups) {
  const StaticTokens tokens =
      StaticTokens::parse(
          "t1,alice,1\r\n\nt2,bob,2,\"devs, ops\"\n\"t,3\",\"c \"\"x\"\"\",3,g\n"
          ",nobody,4\n")
          .value();
  EXPECT_EQ(tokens.find("t1"), (User{.name = "alice", .uid = "1"}));
  EXPECT_EQ(tokens.find("t2"), (User{.name = "bob", .uid = "2", .groups = {"devs", "ops"}}));
  EXPECT_EQ(tokens.find("t,3"), (User{.name = "c \"x\"", .uid = "3", .groups = {"g"}}));
  EXPECT_EQ(tokens.find(""), std::nullopt);
  EXPECT_EQ(tokens.find("t"), std::nullopt);
}

TEST(StaticTokens, ErrorsNameTheRecord) {
  EXPECT_THAT(StaticTokens::parse("t,u,1\nt2,bob\n").error().message,
              HasSubstr("record 2: must have at least 3 columns"));
  EXPECT_THAT(StaticTokens::parse("t,\"u,1\n").error().message, HasSubstr("record 1: a quote"));
}

}  // namespace
}  // namespace berth::apiserver
