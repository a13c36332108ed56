#include "runtime/fd.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace berth::runtime {
namespace {

bool is_open(int number) { return ::fcntl(number, F_GETFD) >= 0; }

TEST(Fd, ClosesItsDescriptorWhenItDies) {
  int number = -1;
  {
    const Fd fd(::dup(STDERR_FILENO));
    number = fd.number();
    ASSERT_TRUE(is_open(number));
  }
  EXPECT_FALSE(is_open(number));
}

TEST(Fd, MovesOwnershipSoThatNothingIsClosedTwice) {
  Fd first(::dup(STDERR_FILENO));
  const int number = first.number();
  Fd second(std::move(first));
  EXPECT_FALSE(first.valid());  // NOLINT(bugprone-use-after-move): this is the point.
  EXPECT_EQ(second.number(), number);
  EXPECT_TRUE(is_open(number));
  ::close(second.release());
}

}  // namespace
}  // namespace berth::runtime
