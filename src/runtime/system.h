// The operating system as a world: all of env/ on real threads.

#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "env/env.h"
#include "runtime/line_log.h"

namespace berth::runtime {

struct SystemOptions {
  std::size_t loops = 0;    // I/O threads; 0: one per core.
  std::size_t workers = 0;  // Threads for pure functions besides their caller; 0: cores - 1.
  LogOptions log = {};
};

// One thread per loop, until it dies. Everything that lives on the loops has to be gone by then.
class System {
 public:
  explicit System(SystemOptions options);
  ~System();

  std::size_t loops() const;
  env::Env& env(std::size_t loop);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Runs the task on the loop and waits for it: how the main thread, or a test, makes and destroys
// what lives there. Never from a loop.
void run_on(env::Loop& loop, env::Task task);

// Raises the limit of open descriptors as far as allowed; the limit that holds now.
std::size_t raise_descriptor_limit();

}  // namespace berth::runtime
