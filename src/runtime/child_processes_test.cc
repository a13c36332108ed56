#include "runtime/child_processes.h"

#include <gtest/gtest.h>

#include "runtime/system_clock.h"

namespace berth::runtime {
namespace {

using namespace std::chrono_literals;

Result<env::Exit> run(env::Command command) {
  const SystemClock clock;
  IoLoop loop(clock);
  ChildProcesses processes(loop, clock);
  Result<env::Exit> outcome = failure(Code::Unknown, "not called");
  processes.run(std::move(command), [&](Result<env::Exit> exit) {
    outcome = std::move(exit);
    loop.stop();
  });
  loop.run();
  return outcome;
}

env::Command shell(std::string script) {
  return {.program = "sh", .arguments = {"-c", std::move(script)}};
}

TEST(ChildProcesses, GiveWhatTheChildPrintedAndItsStatus) {
  EXPECT_EQ(run(shell("echo out; exit 3")), (env::Exit{.status = 3, .output = "out\n"}));
}

TEST(ChildProcesses, AddToTheEnvironment) {
  auto command = shell("echo $BERTH_TEST_VALUE; test -n \"$PATH\"");
  command.environment = {{"BERTH_TEST_VALUE", "a b"}};
  EXPECT_EQ(run(command), (env::Exit{.status = 0, .output = "a b\n"}));
}

TEST(ChildProcesses, GiveTheChildNoInput) {
  EXPECT_EQ(run({.program = "cat"}), (env::Exit{.status = 0, .output = ""}));
}

TEST(ChildProcesses, SayThatAProgramIsMissing) {
  EXPECT_EQ(run({.program = "no-such-program-anywhere"}).error().code, Code::NotFound);
}

TEST(ChildProcesses, KillWhatRunsTooLongWithItsChildren) {
  auto command = shell("sh -c 'while :; do :; done'");
  command.timeout = 20ms;
  EXPECT_EQ(run(command).error().code, Code::Timeout);
}

TEST(ChildProcesses, KillWhatPrintsTooMuch) {
  auto command = shell("while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxx; done");
  command.output_max = 10'000;
  EXPECT_EQ(run(command).error().code, Code::RequestEntityTooLarge);
}

TEST(ChildProcesses, TellASignalAsShellsDo) {
  EXPECT_EQ(run(shell("kill -TERM $$")), (env::Exit{.status = 143}));
}

TEST(ChildProcesses, EndWithTheirOwner) {
  const SystemClock clock;
  IoLoop loop(clock);
  ChildProcesses processes(loop, clock);
  bool called = false;
  processes.run(shell("while :; do :; done"), [&](auto) { called = true; });
  EXPECT_FALSE(called);  // The destructors kill and reap; a leak would hang the test.
}

}  // namespace
}  // namespace berth::runtime
