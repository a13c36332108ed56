// A server process of a test: started with its output in a file, stopped by its own process id.
//
// Whatever is started here dies with the test program, even if that aborts. It is started on the
// main thread only.

#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

#include "base/result.h"

namespace berth::kube {

// Long enough for anything that ends by itself, on a machine that has much else to do.
inline constexpr std::chrono::seconds kRunPatience = std::chrono::minutes(10);

// Runs to the end, and returns the exit status. What does not end in time is killed, with all that
// it has started, and so is an error.
Result<int> exit_status(const std::vector<std::string>& command,
                        std::chrono::seconds patience = kRunPatience);

// The same where any status but 0 is an error.
Status run(const std::vector<std::string>& command, std::chrono::seconds patience = kRunPatience);

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
  pid_t pid_ = 0;  // 0: not running.
};

}  // namespace berth::kube
