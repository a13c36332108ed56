#include "kube/child.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace berth::kube {
namespace {

constexpr auto kPatience = std::chrono::seconds(10);

std::vector<char*> c_strings(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

Result<pid_t> spawn(const std::vector<std::string>& command, const std::filesystem::path& log) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t pid = 0;
  const int error =
      posix_spawnp(&pid, command[0].c_str(), &actions, nullptr, c_strings(command).data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    return failure(Code::NotFound,
                   fmt::format("cannot start {}: {}", command[0], std::strerror(error)));
  }
  return pid;
}

}  // namespace

int free_port() {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  const bool bound =
      ::bind(listener, generic, length) == 0 && ::getsockname(listener, generic, &length) == 0;
  ::close(listener);
  return bound ? ntohs(address.sin_port) : 0;
}

Status run(const std::vector<std::string>& command) {
  ASSIGN_OR_RETURN(const pid_t pid, spawn(command, "/dev/null"));
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
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
  wait_for_end();
}

void Child::send(int signal) {
  if (pid_ != 0) ::kill(pid_, signal);
}

void Child::wait_for_end() {
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = 0;
}

}  // namespace berth::kube
