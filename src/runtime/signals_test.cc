#include "runtime/signals.h"

#include <csignal>
#include <cstdlib>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/io_loop.h"
#include "runtime/system_clock.h"

namespace berth::runtime {
namespace {

// Runs `body` in a process of its own, because signals are the whole process's. Its exit status.
int status_of(void (*body)()) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    body();
    ::_exit(99);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST(Signals, TheFirstTermDrains) {
  EXPECT_EQ(status_of([] {
              Signals signals;
              const SystemClock clock;
              IoLoop loop(clock);
              signals.handle(loop, {.drain = [] { ::_exit(42); }, .reload = {}});
              ::kill(::getpid(), SIGTERM);
              loop.run();
            }),
            42);
}

TEST(Signals, TheSecondEndsTheProcessAtOnceEvenIfTheLoopHangs) {
  EXPECT_EQ(status_of([] {
              Signals signals;
              const SystemClock clock;
              IoLoop loop(clock);
              signals.handle(loop, {.drain =
                                        [] {
                                          ::kill(::getpid(), SIGINT);
                                          for (;;) ::pause();
                                        },
                                    .reload = {}});
              ::kill(::getpid(), SIGTERM);
              loop.run();
            }),
            1);
}

TEST(Signals, HangUpReloadsAndABrokenPipeIsIgnored) {
  EXPECT_EQ(status_of([] {
              Signals signals;
              const SystemClock clock;
              IoLoop loop(clock);
              signals.handle(loop, {.drain = {}, .reload = [] { ::_exit(43); }});
              ::kill(::getpid(), SIGPIPE);
              ::kill(::getpid(), SIGHUP);
              loop.run();
            }),
            43);
}

}  // namespace
}  // namespace berth::runtime
