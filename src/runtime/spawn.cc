// Tested by child_processes_test.cc.

#include "runtime/spawn.h"

#include <cerrno>
#include <csignal>
#include <map>
#include <string>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/check.h"
#include "runtime/system_error.h"

namespace berth::runtime {
namespace {

// How the child differs from us: its descriptors, its signals, its process group.
class Preparation {
 public:
  Preparation(env::ChildInput input, int output) {
    CHECK(::posix_spawn_file_actions_init(&files_) == 0);
    CHECK(::posix_spawnattr_init(&attributes_) == 0);
    short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
    if (input == env::ChildInput::Empty) {
      ::posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
      flags |= POSIX_SPAWN_SETPGROUP;
    }
    ::posix_spawn_file_actions_adddup2(&files_, output, STDOUT_FILENO);
    // We ignore SIGPIPE and block others; programs expect the defaults.
    sigset_t all;
    sigset_t none;
    ::sigfillset(&all);
    ::sigemptyset(&none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setflags(&attributes_, flags);
  }
  ~Preparation() {
    ::posix_spawn_file_actions_destroy(&files_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  Preparation(const Preparation&) = delete;
  Preparation& operator=(const Preparation&) = delete;

  const posix_spawn_file_actions_t* files() const { return &files_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t files_;
  posix_spawnattr_t attributes_;
};

std::vector<std::string> merged_environment(const std::map<std::string, std::string>& additions) {
  std::vector<std::string> merged;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string line = *entry;
    if (!additions.contains(line.substr(0, line.find('=')))) merged.push_back(line);
  }
  for (const auto& [name, value] : additions) merged.push_back(name + "=" + value);
  return merged;
}

std::vector<char*> pointers_to(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (std::string& text : strings) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

Result<Spawned> spawn(const env::Command& command) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return failure(Code::InternalError, describe(errno, "make a pipe"));
  }
  Fd output(ends[0]);
  const Fd input_end(ends[1]);
  const Preparation preparation(command.input, input_end.number());
  std::vector<std::string> arguments = command.arguments;
  arguments.insert(arguments.begin(), command.program);
  std::vector<std::string> environment = merged_environment(command.environment);
  pid_t pid = 0;
  const int error =
      ::posix_spawnp(&pid, command.program.c_str(), preparation.files(), preparation.attributes(),
                     pointers_to(arguments).data(), pointers_to(environment).data());
  if (error != 0) {
    return failure(error == ENOENT ? Code::NotFound : Code::InternalError,
                   describe(error, "run " + command.program));
  }
  Fd exited(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  CHECK(exited.valid());  // Linux 5.3 or newer; else only an exhausted table of descriptors.
  ::fcntl(output.number(), F_SETFL, O_NONBLOCK);
  return Spawned{.pid = pid, .exited = std::move(exited), .output = std::move(output)};
}

}  // namespace berth::runtime
