// A server process of a test: started with its output in a file, stopped by its own process id.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

#include "base/result.h"

namespace berth::kube {

// A TCP port on the loopback address that nobody listens on right now.
int free_port();

// Runs to the end; the error carries the exit status.
Status run(const std::vector<std::string>& command);

class Child {
 public:
  Child() = default;
  static Result<Child> start(const std::vector<std::string>& command,
                             const std::filesystem::path& log);

  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;
  ~Child() { stop(); }

  void stop();            // SIGTERM, and SIGKILL if it does not end soon.
  void kill();            // SIGKILL: nothing is flushed or said goodbye to.
  void send(int signal);  // For example SIGSTOP and SIGCONT.

  bool running();  // Also notices that it has died by itself.
  pid_t id() const { return pid_; }

 private:
  void wait_for_end();

  pid_t pid_ = 0;  // 0: not running.
};

}  // namespace berth::kube
