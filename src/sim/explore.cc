#include "sim/explore.h"

#include <cerrno>
#include <cstdio>

#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.h"
#include "base/strings.h"

namespace berth::sim {
namespace {

// The part of a report that crosses the pipe as it is; the text follows.
struct Head {
  RunOutcome outcome;
  std::uint64_t trace;
  std::uint64_t events;
  std::int64_t simulated;
};

void write_all(int fd, const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(fd, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    bytes += written;
    size -= static_cast<std::size_t>(written);
  }
}

std::string read_all(int fd) {
  std::string text;
  char buffer[4096];
  for (;;) {
    const ssize_t count = ::read(fd, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(count));
  }
}

[[noreturn]] void run_and_tell(const Suite& suite, std::uint64_t seed, int fd) {
  const RunReport report = run(suite, seed);
  const Head head = {.outcome = report.outcome,
                     .trace = report.trace,
                     .events = report.events,
                     .simulated = report.simulated.count()};
  write_all(fd, reinterpret_cast<const char*>(&head), sizeof head);
  write_all(fd, report.what.data(), report.what.size());
  ::_exit(0);
}

RunReport crashed(const Suite& suite, std::uint64_t seed, int status) {
  const std::string how = WIFSIGNALED(status) ? fmt::format("signal {}", WTERMSIG(status))
                                              : fmt::format("exit status {}", WEXITSTATUS(status));
  return {.outcome = RunOutcome::Crashed,
          .what = fmt::format("crashed with {}\n  {}\n", how, replay_line(suite, seed))};
}

}  // namespace

SeedRange parse_seeds(const char* text) {
  SeedRange range;
  if (text == nullptr) return range;
  range.count = parse_uint64(text).value_or(range.count);
  return range;
}

RunReport run_isolated(const Suite& suite, std::uint64_t seed) {
  int ends[2];
  CHECK(::pipe(ends) == 0);
  std::fflush(nullptr);  // Else the child would print again what waits in our buffers.
  const pid_t pid = ::fork();
  CHECK(pid >= 0);
  if (pid == 0) {
    ::close(ends[0]);
    run_and_tell(suite, seed, ends[1]);
  }
  ::close(ends[1]);
  const std::string told = read_all(ends[0]);
  ::close(ends[0]);
  int status = 0;
  ::waitpid(pid, &status, 0);
  Head head;
  const bool complete = WIFEXITED(status) && WEXITSTATUS(status) == 0 && told.size() >= sizeof head;
  if (!complete) return crashed(suite, seed, status);
  std::copy_n(told.data(), sizeof head, reinterpret_cast<char*>(&head));
  return {.outcome = head.outcome,
          .what = told.substr(sizeof head),
          .trace = head.trace,
          .events = head.events,
          .simulated = Duration(head.simulated)};
}

Exploration explore(const Suite& suite, SeedRange seeds) {
  Exploration exploration;
  for (std::uint64_t i = 0; i < seeds.count; ++i) {
    const std::uint64_t seed = seeds.first + i;
    RunReport report = run_isolated(suite, seed);
    const bool repeats = i % 10 == 0 && report.outcome == RunOutcome::Passed;
    if (repeats && run_isolated(suite, seed).trace != report.trace) {
      report.outcome = RunOutcome::Wrong;
      report.what = "wrong: two runs of one seed differ\n  " + replay_line(suite, seed) + "\n";
    }
    ++exploration.runs;
    exploration.events += report.events;
    exploration.simulated += report.simulated;
    if (report.outcome == RunOutcome::Passed) continue;
    exploration.failures.push_back({.seed = seed, .report = std::move(report)});
    if (exploration.failures.size() == seeds.failures_max) break;
  }
  return exploration;
}

std::string Exploration::what() const {
  std::string text;
  for (const Failure& failed : failures) {
    text += fmt::format("seed {}: {}\n", failed.seed, failed.report.what);
  }
  return text;
}

}  // namespace berth::sim
