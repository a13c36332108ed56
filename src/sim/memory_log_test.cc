#include "sim/memory_log.h"

#include <gtest/gtest.h>

namespace berth::sim {
namespace {

class StoppedClock final : public env::Clock {
 public:
  Time now() const override { return {}; }
  Instant monotonic() const override { return {}; }
};

TEST(MemoryLog, KeepsTheLastLinesWithTheirNode) {
  const StoppedClock clock;
  LogTail tail(2);
  Trace trace;
  MemoryLog log(env::Level::Info, "hub", clock, tail, trace);
  log.info("one");
  log.info("two", {{"n", 2}});
  log.debug("unheard");
  log.info("three");
  EXPECT_EQ(tail.lines(), (std::deque<std::string>{"hub 1970-01-01T00:00:00.000000Z info two n=2",
                                                   "hub 1970-01-01T00:00:00.000000Z info three"}));
}

TEST(MemoryLog, IsPartOfTheTrace) {
  const StoppedClock clock;
  LogTail tail(2);
  Trace first;
  Trace second;
  MemoryLog(env::Level::Info, "hub", clock, tail, first).info("one");
  MemoryLog(env::Level::Info, "hub", clock, tail, second).info("two");
  EXPECT_NE(first.value(), second.value());
}

}  // namespace
}  // namespace berth::sim
