#include "hosting/undone_writes.h"

#include <gtest/gtest.h>

namespace berth::hosting {
namespace {

using namespace std::chrono_literals;
using json::Value;

constexpr Instant kStart{};

TEST(UndoneWrites, RestBeforeTheyAreRepeated) {
  UndoneWrites writes;
  EXPECT_EQ(writes.rest("a", Value(1), kStart), 0s) << "the first time";
  writes.note("a", Value(1), kStart);
  EXPECT_EQ(writes.rest("a", Value(1), kStart + 1s), UndoneWrites::kRest - 1s);
  EXPECT_EQ(writes.rest("a", Value(1), kStart + UndoneWrites::kRest), 0s);
}

TEST(UndoneWrites, HoldNothingNewAndNobodyElseUp) {
  UndoneWrites writes;
  writes.note("a", Value(1), kStart);
  EXPECT_EQ(writes.rest("a", Value(2), kStart), 0s);
  EXPECT_EQ(writes.rest("b", Value(1), kStart), 0s);
  writes.note("a", Value(2), kStart);
  EXPECT_EQ(writes.rest("a", Value(1), kStart), 0s) << "we ourselves wrote something else";
}

TEST(UndoneWrites, AreForgottenWithWhatTheyWereAbout) {
  UndoneWrites writes;
  writes.note("a", Value(1), kStart);
  writes.forget("a");
  EXPECT_EQ(writes.rest("a", Value(1), kStart), 0s);
}

}  // namespace
}  // namespace berth::hosting
