// Child processes: plugins that are run, waited for and heard, and programs that run beside us.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace berth::env {

enum class ChildInput : std::uint8_t {
  Empty,      // Reads end of file at once.
  Inherited,  // Ours: for a plugin that may ask the user.
  Text,       // Reads Command::text, then end of file.
};

enum class ChildEnvironment : std::uint8_t {
  Added,  // To ours, or replacing.
  Alone,  // Nothing of ours is told: for a program that is to know none of our secrets.
};

enum class ChildErrors : std::uint8_t {
  Inherited,  // Its stderr is ours.
  Kept,       // The end of it comes with the Exit; the rest is read and forgotten.
};

// What a child leaves running in its process group when it ends. Not for ChildInput::Inherited,
// whose group is ours.
enum class ChildOrphans : std::uint8_t { Left, Killed };

struct Command {
  std::string program;  // Searched in PATH if it has no '/'.
  std::vector<std::string> arguments = {};
  std::map<std::string, std::string> environment = {};
  ChildEnvironment environment_use = ChildEnvironment::Added;
  ChildInput input = ChildInput::Empty;
  std::string text = {};  // For ChildInput::Text.
  ChildErrors errors = ChildErrors::Inherited;
  ChildOrphans orphans = ChildOrphans::Left;
  std::size_t output_max = 1 << 20;  // One byte more on stdout, and the child is killed.
  Duration timeout = std::chrono::seconds(60);
  std::string output_file = {};  // For start(): what it prints, stderr included, is added there.
};

inline constexpr std::size_t kErrorsKept = 2048;  // Bytes of stderr, the last ones.

// How a child ended by itself.
struct Exit {
  int status = 0;  // 128 + number if a signal ended it, as shells say.
  std::string output = {};
  std::string errors = {};  // For ChildErrors::Kept.

  bool operator==(const Exit&) const = default;
};

// A program that runs beside us. When this dies, it is killed with its process group, and nobody is
// told.
class Child {
 public:
  virtual ~Child() = default;

  virtual void terminate() = 0;  // Asks its process group to end.
};

// Belongs to one loop.
class Processes {
 public:
  virtual ~Processes() = default;

  // The callback runs once, later, on the loop. NotFound: there is no such program. Timeout and
  // RequestEntityTooLarge: it was killed. A status other than 0 is not an error here.
  virtual void run(Command command, std::move_only_function<void(Result<Exit>)> done) = 0;

  // For as long as it likes: no limit of time or output counts. The callback runs at most once,
  // later, on the loop, with the status as in Exit.
  virtual Result<std::unique_ptr<Child>> start(const Command& command,
                                               std::move_only_function<void(int)> ended) = 0;
};

}  // namespace berth::env
