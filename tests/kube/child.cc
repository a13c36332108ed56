#include "kube/child.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.h"
#include "base/strings.h"

namespace berth::kube {
namespace {

constexpr auto kPatience = std::chrono::seconds(10);

std::vector<char*> c_strings(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

enum class Group { Ours, ItsOwn };

struct Start {
  std::vector<char*> command;  // Ends with a null pointer.
  const char* log;
  Group group;
  pid_t parent;
  int failure;  // Hears why there is no such process, as a number of errno.
};

// Between fork and exec, where little is allowed.
[[noreturn]] void become(const Start& start) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != start.parent) ::_exit(1);  // It has died before we asked to hear of it.
  if (start.group == Group::ItsOwn) ::setpgid(0, 0);
  const int input = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int output = ::open(start.log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const bool ready = ::dup2(input, STDIN_FILENO) >= 0 && ::dup2(output, STDOUT_FILENO) >= 0 &&
                     ::dup2(output, STDERR_FILENO) >= 0;
  if (ready) ::execvp(start.command[0], start.command.data());
  const int error = errno;
  static_cast<void>(::write(start.failure, &error, sizeof error) > 0);
  ::_exit(1);
}

Result<pid_t> spawn(const std::vector<std::string>& command, const std::filesystem::path& log,
                    Group group = Group::Ours) {
  CHECK(::gettid() == ::getpid());  // A child is killed when the thread ends that has forked it.
  int failure_pipe[2];
  CHECK(::pipe2(failure_pipe, O_CLOEXEC) == 0);
  const Start start{.command = c_strings(command),
                    .log = log.c_str(),
                    .group = group,
                    .parent = ::getpid(),
                    .failure = failure_pipe[1]};
  const pid_t pid = ::fork();
  CHECK(pid >= 0);
  if (pid == 0) become(start);
  ::close(failure_pipe[1]);
  int error = 0;
  const bool failed = ::read(failure_pipe[0], &error, sizeof error) > 0;  // Closed by exec.
  ::close(failure_pipe[0]);
  if (!failed) return pid;
  ::waitpid(pid, nullptr, 0);
  return failure(Code::NotFound,
                 fmt::format("cannot start {}: {}", command[0], std::strerror(error)));
}

int wait_for(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

bool ends_within(pid_t pid, std::chrono::milliseconds patience) {
  const int process = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  CHECK(process >= 0);
  pollfd end = {.fd = process, .events = POLLIN, .revents = 0};
  const int outcome = ::poll(&end, 1, static_cast<int>(patience.count()));
  ::close(process);
  return outcome > 0;
}

}  // namespace

Result<int> exit_status(const std::vector<std::string>& command, std::chrono::seconds patience) {
  ASSIGN_OR_RETURN(const pid_t pid, spawn(command, "/dev/null", Group::ItsOwn));
  if (!ends_within(pid, patience)) {
    ::kill(-pid, SIGKILL);
    wait_for(pid);
    return failure(Code::Timeout, fmt::format("did not end within {} s: {}", patience.count(),
                                              join(command, " ")));
  }
  const int status = wait_for(pid);
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  return failure(Code::InternalError,
                 fmt::format("{} was ended by signal {}", command[0], WTERMSIG(status)));
}

Status run(const std::vector<std::string>& command, std::chrono::seconds patience) {
  ASSIGN_OR_RETURN(const int status, exit_status(command, patience));
  if (status == 0) return {};
  return failure(Code::InternalError, fmt::format("{} failed with status {}", command[0], status));
}

Result<Child> Child::start(const std::vector<std::string>& command,
                           const std::filesystem::path& log) {
  Child child;
  ASSIGN_OR_RETURN(child.pid_, spawn(command, log));
  return child;
}

Child::Child(Child&& other) noexcept : pid_(std::exchange(other.pid_, 0)) {}

Child& Child::operator=(Child&& other) noexcept {
  if (this != &other) {
    stop();
    pid_ = std::exchange(other.pid_, 0);
  }
  return *this;
}

bool Child::running() {
  if (pid_ != 0 && ::waitpid(pid_, nullptr, WNOHANG) == pid_) pid_ = 0;
  return pid_ != 0;
}

void Child::stop() {
  if (pid_ == 0) return;
  ::kill(pid_, SIGCONT);
  ::kill(pid_, SIGTERM);
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (running() && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  kill();
}

void Child::kill() {
  if (pid_ == 0) return;
  ::kill(pid_, SIGKILL);
  wait_for(std::exchange(pid_, 0));
}

void Child::send(int signal) {
  if (pid_ != 0) ::kill(pid_, signal);
}

}  // namespace berth::kube
