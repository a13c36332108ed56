#include "main/time_limit.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace berth::testing {
namespace {

// What the alarm will say, ready before it rings: little is allowed then.
std::array<char, 512> message;
std::size_t message_size = 0;

void end_program(int /*signal*/) {
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, message.data(), message_size);
  ::_exit(EXIT_FAILURE);
}

class TimeLimit : public ::testing::EmptyTestEventListener {
 public:
  explicit TimeLimit(std::chrono::seconds limit) : limit_(limit) {}

  void OnTestStart(const ::testing::TestInfo& test) override {
    // The first two words are how gtest itself names a failure, and how others find it.
    const auto text = fmt::format_to_n(message.data(), message.size(),
                                       "[  FAILED  ] {}.{} ({} s are its limit)\n",
                                       test.test_suite_name(), test.name(), limit_.count());
    message_size = std::min(text.size, message.size());
    std::signal(SIGALRM, &end_program);
    ::alarm(static_cast<unsigned>(limit_.count()));
  }
  void OnTestEnd(const ::testing::TestInfo& /*test*/) override { ::alarm(0); }

 private:
  std::chrono::seconds limit_;
};

}  // namespace

void limit_each_test(std::chrono::seconds limit) {
  if (const char* said = std::getenv("BERTH_TEST_SECONDS")) {
    limit = std::chrono::seconds(std::atoi(said));
  }
  // The list owns it.
  ::testing::UnitTest::GetInstance()->listeners().Append(new TimeLimit(limit));
}

}  // namespace berth::testing
