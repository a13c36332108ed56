#include "kube/child.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kube/waiting.h"

namespace berth::kube {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

class Children : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "berth-child-XXXXXX").string();
    ASSERT_TRUE(::mkdtemp(pattern.data()));
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // Whether a process that was started with the lock lives; a moment later it may be gone.
  bool holds(const std::filesystem::path& lock) {
    return !run({"flock", "--nonblock", lock.string(), "true"}).ok();
  }

  std::filesystem::path folder_;
};

TEST_F(Children, SayHowTheyEnded) {
  EXPECT_EQ(exit_status({"sh", "-c", "exit 3"}).value(), 3);
  EXPECT_EQ(run({"sh", "-c", "exit 3"}).error().message, "sh failed with status 3");
  EXPECT_EQ(run({"/nonexistent"}).error().code, Code::NotFound);
}

TEST_F(Children, AreKilledWithTheirOwnChildrenWhenTheyDoNotEnd) {
  const std::filesystem::path lock = folder_ / "lock";
  const std::string command = "flock --no-fork '" + lock.string() + "' sleep 600; true";
  const Status late = run({"sh", "-c", command}, 1s);
  ASSERT_EQ(late.error().code, Code::Timeout);
  EXPECT_THAT(late.error().message, HasSubstr(command));
  EXPECT_TRUE(wait_until([&] { return !holds(lock); }));
}

TEST_F(Children, DieWithTheProgramThatStartedThem) {
  const std::filesystem::path lock = folder_ / "lock";
  EXPECT_DEATH(
      {
        Child child =
            Child::start({"flock", "--no-fork", lock.string(), "sleep", "600"}, "/dev/null")
                .value();
        if (wait_until([&] { return holds(lock); })) std::abort();
      },
      "");
  EXPECT_TRUE(wait_until([&] { return !holds(lock); }));
}

}  // namespace
}  // namespace berth::kube
