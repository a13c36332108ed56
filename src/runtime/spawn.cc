// Tested by child_processes_test.cc.

#include "runtime/spawn.h"

#include <cerrno>
#include <csignal>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/check.h"
#include "runtime/system_error.h"

namespace berth::runtime {
namespace {

// How the child differs from us: its descriptors, its signals, its process group.
class Preparation {
 public:
  // Descriptors of ours; an input or errors below 0 is none.
  struct Ends {
    int input;
    int output;
    int errors;
  };

  Preparation(env::ChildInput input, const Ends& ends) {
    CHECK(::posix_spawn_file_actions_init(&files_) == 0);
    CHECK(::posix_spawnattr_init(&attributes_) == 0);
    short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
    if (input != env::ChildInput::Inherited) flags |= POSIX_SPAWN_SETPGROUP;
    if (input == env::ChildInput::Empty) {
      ::posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    }
    if (ends.input >= 0) ::posix_spawn_file_actions_adddup2(&files_, ends.input, STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&files_, ends.output, STDOUT_FILENO);
    if (ends.errors >= 0) ::posix_spawn_file_actions_adddup2(&files_, ends.errors, STDERR_FILENO);
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

std::vector<std::string> environment_of(const env::Command& command) {
  std::vector<std::string> lines;
  const bool has_ours = command.environment_use == env::ChildEnvironment::Added;
  for (char** entry = environ; has_ours && *entry != nullptr; ++entry) {
    const std::string line = *entry;
    if (!command.environment.contains(line.substr(0, line.find('=')))) lines.push_back(line);
  }
  for (const auto& [name, value] : command.environment) lines.push_back(name + "=" + value);
  return lines;
}

struct Pipe {
  Fd ours;    // Reads, non-blocking.
  Fd theirs;  // Writes.
};

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return failure(Code::InternalError, describe(errno, "make a pipe"));
  }
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return Pipe{.ours = Fd(ends[0]), .theirs = Fd(ends[1])};
}

// A file in memory that only the child can read: unlike a pipe, nobody has to feed it, and a child
// that does not read cannot hold us up.
Result<Fd> file_with(const std::string& text) {
  Fd file(::memfd_create("input", MFD_CLOEXEC));
  if (!file.valid()) return failure(Code::InternalError, describe(errno, "make an input file"));
  std::string_view left = text;
  while (!left.empty()) {
    const ssize_t count = ::write(file.number(), left.data(), left.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failure(Code::InternalError, describe(errno, "write an input file"));
    left.remove_prefix(static_cast<std::size_t>(count));
  }
  ::lseek(file.number(), 0, SEEK_SET);
  return file;
}

Result<Fd> open_to_append(const std::string& path) {
  Fd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (!file.valid()) return failure(Code::InternalError, describe(errno, "open " + path));
  return file;
}

// Both go to one file, if there is one. Below 0: stderr is ours.
int errors_end(const env::Command& command, const Pipe& output, const Pipe& errors) {
  if (!command.output_file.empty()) return output.theirs.number();
  return errors.theirs.valid() ? errors.theirs.number() : -1;
}

std::vector<char*> pointers_to(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (std::string& text : strings) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

Result<Spawned> spawn(const env::Command& command) {
  Pipe output;
  Pipe errors;
  Fd input;
  if (command.output_file.empty()) {
    ASSIGN_OR_RETURN(output, make_pipe());
  } else {
    ASSIGN_OR_RETURN(output.theirs, open_to_append(command.output_file));
  }
  if (command.errors == env::ChildErrors::Kept) {
    ASSIGN_OR_RETURN(errors, make_pipe());
  }
  if (command.input == env::ChildInput::Text) {
    ASSIGN_OR_RETURN(input, file_with(command.text));
  }
  const Preparation preparation(command.input, {.input = input.valid() ? input.number() : -1,
                                                .output = output.theirs.number(),
                                                .errors = errors_end(command, output, errors)});
  std::vector<std::string> arguments = command.arguments;
  arguments.insert(arguments.begin(), command.program);
  std::vector<std::string> environment = environment_of(command);
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
  return Spawned{.pid = pid,
                 .exited = std::move(exited),
                 .output = std::move(output.ours),
                 .errors = std::move(errors.ours)};
}

}  // namespace berth::runtime
