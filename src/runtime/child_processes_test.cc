#include "runtime/child_processes.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

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

TEST(ChildProcesses, GiveTheChildATextToRead) {
  env::Command command{.program = "cat", .input = env::ChildInput::Text};
  command.text = std::string(200'000, 'x');  // More than a pipe takes.
  const auto exit = run(command);
  ASSERT_TRUE(exit.ok());
  EXPECT_EQ(exit->output, command.text);
}

TEST(ChildProcesses, DoNotWaitForAChildThatDoesNotReadItsText) {
  auto command = shell("echo done");
  command.input = env::ChildInput::Text;
  command.text = std::string(1'000'000, 'x');
  EXPECT_EQ(run(command), (env::Exit{.output = "done\n"}));
}

TEST(ChildProcesses, TellNothingOfOurEnvironmentWhenSoAsked) {
  env::Command command{.program = "/usr/bin/env",
                       .environment = {{"A", "b"}},
                       .environment_use = env::ChildEnvironment::Alone};
  EXPECT_EQ(run(command), (env::Exit{.output = "A=b\n"}));
}

TEST(ChildProcesses, KeepTheEndOfTheErrors) {
  auto command = shell("yes | head -c 100000 >&2; echo the reason >&2; exit 1");
  command.errors = env::ChildErrors::Kept;
  const auto exit = run(command);
  ASSERT_TRUE(exit.ok());
  EXPECT_EQ(exit->status, 1);
  EXPECT_EQ(exit->errors.size(), env::kErrorsKept);
  EXPECT_TRUE(exit->errors.ends_with("y\nthe reason\n"));
}

TEST(ChildProcesses, KillWhatNeverStopsToComplain) {
  auto command = shell("exec yes >&2");
  command.errors = env::ChildErrors::Kept;
  command.timeout = 50ms;
  EXPECT_EQ(run(command).error().code, Code::Timeout);
}

TEST(ChildProcesses, EndWhatAChildLeavesBehindWhenSoAsked) {
  auto command = shell("sleep 1000 & echo $!");
  command.orphans = env::ChildOrphans::Killed;
  command.timeout =
      60s;  // What is left behind holds the output open: without the kill, it is this.
  const auto exit = run(command);
  ASSERT_TRUE(exit.ok());
  EXPECT_EQ(exit->status, 0);
}

TEST(ChildProcesses, EndWithTheirOwner) {
  const SystemClock clock;
  IoLoop loop(clock);
  ChildProcesses processes(loop, clock);
  bool called = false;
  processes.run(shell("while :; do :; done"), [&](auto) { called = true; });
  EXPECT_FALSE(called);  // The destructors kill and reap; a leak would hang the test.
}

TEST(LastingChildren, RunUntilTheyAreAskedToEndAndPrintToAFile) {
  const SystemClock clock;
  IoLoop loop(clock);
  ChildProcesses processes(loop, clock);
  const std::string file = ::testing::TempDir() + "lasting_child_" + std::to_string(::getpid());
  auto command = shell("echo out; echo err >&2; echo ready; exec sleep 1000");
  command.output_file = file;
  int ended = -1;
  auto child = processes.start(command, [&](int status) {
    ended = status;
    loop.stop();
  });
  ASSERT_TRUE(child.ok()) << child.error().message;
  std::string printed;
  while (!printed.ends_with("ready\n")) {
    std::ifstream in(file);
    printed.assign(std::istreambuf_iterator<char>(in), {});
  }
  (*child)->terminate();
  loop.run();
  EXPECT_EQ(ended, 143);
  EXPECT_EQ(printed, "out\nerr\nready\n");
  std::filesystem::remove(file);
}

TEST(LastingChildren, AreKilledWithTheirOwner) {
  const SystemClock clock;
  IoLoop loop(clock);
  ChildProcesses processes(loop, clock);
  auto child = processes.start(shell("trap '' TERM; while :; do :; done"),
                               [](int) { FAIL() << "nobody is told"; });
  ASSERT_TRUE(child.ok());
  child->reset();  // A leak would hang the test.
}

}  // namespace
}  // namespace berth::runtime
