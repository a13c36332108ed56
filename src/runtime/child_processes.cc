#include "runtime/child_processes.h"

#include <cerrno>
#include <csignal>
#include <optional>
#include <utility>

#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include "env/scope.h"
#include "runtime/spawn.h"

namespace berth::runtime {
namespace {

int status_of(int waited) {
  return WIFSIGNALED(waited) ? 128 + WTERMSIG(waited) : WEXITSTATUS(waited);
}

// Leads a process group of its own.
class LastingChild final : public env::Child {
 public:
  LastingChild(IoLoop& loop, Spawned spawned, std::move_only_function<void(int)> ended)
      : pid_(spawned.pid), exited_(loop, std::move(spawned.exited)), ended_(std::move(ended)) {
    exited_.when_readable([this] { reap(); });
  }

  ~LastingChild() override {
    if (pid_ == 0) return;
    ::kill(-pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);  // SIGKILL: this does not take long.
  }

  void terminate() override {
    if (pid_ != 0) ::kill(-pid_, SIGTERM);
  }

 private:
  void reap() {
    ::kill(-pid_, SIGKILL);  // What it left behind.
    int status = 0;
    ::waitpid(std::exchange(pid_, 0), &status, 0);
    auto ended = std::move(ended_);  // It may destroy us.
    ended(status_of(status));
  }

  pid_t pid_;
  Descriptor exited_;
  std::move_only_function<void(int)> ended_;
};

}  // namespace

// Waits for both: the end of its output, and its own end.
class ChildProcesses::Child {
 public:
  using Done = std::move_only_function<void(Result<env::Exit>)>;

  Child(IoLoop& loop, const env::Clock& clock, env::Command command, Spawned spawned, Done done)
      : command_(std::move(command)),
        pid_(spawned.pid),
        exited_(loop, std::move(spawned.exited)),
        output_(std::in_place, loop, std::move(spawned.output)),
        done_(std::move(done)) {
    if (spawned.errors.valid()) errors_.emplace(loop, std::move(spawned.errors));
    exited_.when_readable([this] { reap(); });
    output_->when_readable([this] { read(); });
    if (errors_) errors_->when_readable([this] { read_errors(); });
    timer_ = env::after(loop, clock, command_.timeout, [this] {
      finish(
          failure(Code::Timeout, fmt::format("{} ran too long and was killed", command_.program)));
    });
  }

  ~Child() {
    if (status_) return;
    kill();
    ::waitpid(pid_, nullptr, 0);  // SIGKILL: this does not take long.
  }

 private:
  void kill() { ::kill(command_.input == env::ChildInput::Inherited ? pid_ : -pid_, SIGKILL); }

  void read() {
    char buffer[4096];
    for (;;) {
      const ssize_t count = ::read(output_->fd(), buffer, sizeof buffer);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0 && errno == EAGAIN) return output_->when_readable([this] { read(); });
      if (count <= 0) break;
      exit_.output.append(buffer, static_cast<std::size_t>(count));
      if (exit_.output.size() > command_.output_max) {
        return finish(failure(Code::RequestEntityTooLarge,
                              fmt::format("{} printed more than {} bytes and was killed",
                                          command_.program, command_.output_max)));
      }
    }
    output_.reset();
    finish_if_complete();
  }

  // However much there is: all of it is taken, so that the child never waits, and the end is kept.
  // A little at a time, so that a child which never stops does not hold up the loop.
  void read_errors() {
    char buffer[4096];
    for (int round = 0; round < 16; ++round) {
      const ssize_t count = ::read(errors_->fd(), buffer, sizeof buffer);
      if (count < 0 && (errno == EINTR || errno == EAGAIN)) break;
      if (count <= 0) return errors_.reset();
      exit_.errors.append(buffer, static_cast<std::size_t>(count));
      if (exit_.errors.size() > env::kErrorsKept) {
        exit_.errors.erase(0, exit_.errors.size() - env::kErrorsKept);
      }
    }
    errors_->when_readable([this] { read_errors(); });
  }

  void reap() {
    // Until it is waited for, nobody else can have its number.
    if (command_.orphans == env::ChildOrphans::Killed) kill();
    int status = 0;
    ::waitpid(pid_, &status, 0);
    status_ = status_of(status);
    finish_if_complete();
  }

  void finish_if_complete() {
    if (!status_ || output_) return;
    exit_.status = *status_;
    if (errors_) {
      errors_->forget_waits();
      read_errors();
    }
    finish(std::move(exit_));
  }

  void finish(Result<env::Exit> result) {
    timer_.cancel();
    Done done = std::move(done_);  // It destroys us.
    done(std::move(result));
  }

  env::Command command_;
  pid_t pid_;
  Descriptor exited_;
  std::optional<Descriptor> output_;
  std::optional<Descriptor> errors_;
  Done done_;
  env::Timer timer_;
  std::optional<int> status_;
  env::Exit exit_;
};

ChildProcesses::ChildProcesses(IoLoop& loop, const env::Clock& clock)
    : loop_(loop), clock_(clock) {}

ChildProcesses::~ChildProcesses() = default;

void ChildProcesses::run(env::Command command,
                         std::move_only_function<void(Result<env::Exit>)> done) {
  auto spawned = spawn(command);
  if (!spawned.ok()) {
    loop_.post([error = std::move(spawned).error(), done = std::move(done)]() mutable {
      done(failure(std::move(error)));
    });
    return;
  }
  const std::uint64_t id = ++last_id_;
  auto finished = [this, id, done = std::move(done)](Result<env::Exit> result) mutable {
    children_.erase(id);
    done(std::move(result));
  };
  children_[id] = std::make_unique<Child>(loop_, clock_, std::move(command), std::move(*spawned),
                                          std::move(finished));
}

Result<std::unique_ptr<env::Child>> ChildProcesses::start(
    const env::Command& command, std::move_only_function<void(int)> ended) {
  ASSIGN_OR_RETURN(Spawned spawned, spawn(command));
  return std::make_unique<LastingChild>(loop_, std::move(spawned), std::move(ended));
}

}  // namespace berth::runtime
