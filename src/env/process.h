// Child processes, for credential plugins: run, wait, take what it printed.

#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace berth::env {

enum class ChildInput {
  Empty,      // Reads end of file at once.
  Inherited,  // Ours: for a plugin that may ask the user.
};

struct Command {
  std::string program;  // Searched in PATH if it has no '/'.
  std::vector<std::string> arguments = {};
  std::map<std::string, std::string> environment = {};  // Added to ours, or replacing.
  ChildInput input = ChildInput::Empty;
  std::size_t output_max = 1 << 20;  // One byte more on stdout, and the child is killed.
  Duration timeout = std::chrono::seconds(60);
};

// How a child ended by itself. Its stderr went to ours.
struct Exit {
  int status = 0;  // 128 + number if a signal ended it, as shells say.
  std::string output = {};

  bool operator==(const Exit&) const = default;
};

// Belongs to one loop.
class Processes {
 public:
  virtual ~Processes() = default;

  // The callback runs once, later, on the loop. NotFound: there is no such program. Timeout and
  // RequestEntityTooLarge: it was killed. A status other than 0 is not an error here.
  virtual void run(Command command, std::move_only_function<void(Result<Exit>)> done) = 0;
};

}  // namespace berth::env
