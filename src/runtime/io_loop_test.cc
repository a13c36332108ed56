#include "runtime/io_loop.h"

#include <optional>
#include <string_view>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runtime/system_clock.h"

namespace berth::runtime {
namespace {

using namespace std::chrono_literals;

class IoLoopTest : public ::testing::Test {
 protected:
  SystemClock clock_;
  IoLoop loop_{clock_};
};

TEST_F(IoLoopTest, RunsPostsInOrderAndNotInsideThePost) {
  std::vector<int> order;
  loop_.post([&] {
    loop_.post([&] {
      order.push_back(3);
      loop_.stop();
    });
    order.push_back(1);
  });
  loop_.post([&] { order.push_back(2); });
  loop_.run();
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
}

TEST_F(IoLoopTest, TakesPostsFromOtherThreads) {
  int sum = 0;  // Without a lock: the thread sanitizer watches that one thread runs the tasks.
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 100; ++j) {
        loop_.post([&] {
          if (++sum == 400) loop_.stop();
        });
      }
    });
  }
  loop_.run();
  EXPECT_EQ(sum, 400);
}

TEST_F(IoLoopTest, RunsTimersInTheOrderOfTheirMomentsThenOfTheirSetting) {
  std::vector<int> order;
  const Instant now = clock_.monotonic();
  const env::Timer late = loop_.at(now + 3ms, [&] {
    order.push_back(4);
    loop_.stop();
  });
  const env::Timer early = loop_.at(now + 1ms, [&] { order.push_back(2); });
  const env::Timer same = loop_.at(now + 1ms, [&] { order.push_back(3); });
  const env::Timer past = loop_.at(now - 1h, [&] { order.push_back(1); });
  loop_.run();
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3, 4}));
  EXPECT_GE(clock_.monotonic(), now + 3ms);
}

TEST_F(IoLoopTest, ACancelledTimerDoesNotRunEvenIfItIsDue) {
  const Instant now = clock_.monotonic();
  bool ran = false;
  env::Timer second;
  const env::Timer first = loop_.at(now, [&] { second.cancel(); });
  second = loop_.at(now, [&] { ran = true; });
  const env::Timer third = loop_.at(now + 1ms, [&] { loop_.stop(); });
  loop_.run();
  EXPECT_FALSE(ran);
}

TEST_F(IoLoopTest, ATimerMayReplaceItself) {
  int rings = 0;
  env::Timer timer;
  std::function<void()> ring = [&] {
    if (++rings == 5) return loop_.stop();
    timer = loop_.at(clock_.monotonic(), [&] { ring(); });
  };
  timer = loop_.at(clock_.monotonic(), [&] { ring(); });
  loop_.run();
  EXPECT_EQ(rings, 5);
}

TEST_F(IoLoopTest, ReadsWhatIsThereBeforeAnAlarmRings) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends), 0);
  const Fd other(ends[1]);
  Descriptor descriptor(loop_, Fd(ends[0]));
  std::vector<std::string_view> order;
  descriptor.when_readable([&] { order.push_back("input"); });
  env::Timer alarm;
  loop_.post([&] {
    alarm = loop_.at(clock_.monotonic(), [&] {
      order.push_back("alarm");
      loop_.stop();
    });
    EXPECT_EQ(::write(other.number(), "x", 1), 1);
  });
  loop_.run();
  EXPECT_EQ(order, (std::vector<std::string_view>{"input", "alarm"}));
}

TEST_F(IoLoopTest, ForgetsTheWaitsOfADeadDescriptor) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends), 0);
  const Fd other(ends[1]);
  auto descriptor = std::make_optional<Descriptor>(loop_, Fd(ends[0]));
  bool told = false;
  descriptor->when_readable([&] { told = true; });
  ASSERT_EQ(::write(other.number(), "x", 1), 1);
  descriptor.reset();
  loop_.post([&] { loop_.stop(); });
  loop_.run();
  EXPECT_FALSE(told);
}

}  // namespace
}  // namespace berth::runtime
