#include "scores/sources/write_pacer_service.h"

#include <string>

#include <gtest/gtest.h>

namespace berth::scores {
namespace {

using namespace std::chrono_literals;

const Instant kStart = Instant() + 1h;

api::ObjectKey key(int i) { return {.ns = "cluster" + std::to_string(i), .name = "score"}; }

WritePacer pacer() { return WritePacer({.per_second = 10, .burst = 2}, Random(1)); }

TEST(WritePacers, LetABurstPassAndThenSoManyASecond) {
  WritePacer writes = pacer();
  EXPECT_EQ(writes.turn(key(0), kStart), 0s);
  EXPECT_EQ(writes.turn(key(1), kStart), 0s);
  EXPECT_EQ(writes.turn(key(2), kStart), 100ms);
  EXPECT_EQ(writes.turn(key(3), kStart), 200ms);
  EXPECT_EQ(writes.turn(key(2), kStart + 40ms), 60ms) << "asking again costs no further turn";
  EXPECT_EQ(writes.turn(key(2), kStart + 100ms), 0s);
  EXPECT_EQ(writes.turn(key(3), kStart + 200ms), 0s);
}

TEST(WritePacers, GiveATurnThatIsNotNeededToAnother) {
  WritePacer writes = pacer();
  for (int i = 0; i < 2; ++i) EXPECT_EQ(writes.turn(key(i), kStart), 0s);
  EXPECT_EQ(writes.turn(key(2), kStart), 100ms);
  writes.give_up(key(2));
  writes.give_up(key(7));
  EXPECT_EQ(writes.turn(key(3), kStart), 100ms);
}

TEST(WritePacers, PauseForEverybodyWhenTheHubHasTooMuchToDo) {
  for (const Code code : {Code::TooManyRequests, Code::ServiceUnavailable}) {
    WritePacer writes = pacer();
    EXPECT_EQ(writes.turn(key(0), kStart), 0s);
    writes.on_written(failure(code, "busy"), kStart);
    const Duration first = writes.turn(key(1), kStart);
    EXPECT_GE(first, 800ms);
    EXPECT_LT(first, 1600ms);
    writes.on_written(failure(code, "busy"), kStart + 1ms);
    EXPECT_EQ(writes.turn(key(1), kStart + 1ms), first - 1ms) << "one wave is one sign";
    writes.on_written(failure(code, "busy"), kStart + 2s);
    EXPECT_GE(writes.turn(key(1), kStart + 2s), 1600ms);
    writes.on_written({}, kStart + 10s);
    EXPECT_EQ(writes.turn(key(1), kStart + 10s), 0s);
  }
}

TEST(WritePacers, PauseForAsLongAsTheHubAsks) {
  WritePacer writes = pacer();
  writes.on_written(failure({.code = Code::TooManyRequests, .retry_after = 30s}), kStart);
  EXPECT_EQ(writes.turn(key(0), kStart), 30s);
}

TEST(WritePacers, DoNotPauseForOtherErrors) {
  WritePacer writes = pacer();
  writes.on_written(failure(Code::Conflict, "changed"), kStart);
  EXPECT_EQ(writes.turn(key(0), kStart), 0s);
}

}  // namespace
}  // namespace berth::scores
