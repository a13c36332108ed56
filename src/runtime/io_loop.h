// A loop on one thread of the operating system: tasks, timers, and descriptors that become ready.
// Boost.Asio is inside io_loop.cc and nowhere else.

#pragma once

#include <memory>
#include <span>

#include "env/clock.h"
#include "env/loop.h"
#include "runtime/fd.h"

namespace boost::asio {
class io_context;
}

namespace berth::runtime {

class IoLoop final : public env::Loop {
 public:
  explicit IoLoop(const env::Clock& clock);
  ~IoLoop() override;  // After run() has returned; tasks that still wait are dropped.

  // Becomes the loop's thread until stop().
  void run();
  void stop();  // From any thread.

  void post(env::Task task) override;
  env::Timer at(Instant when, env::Task task) override;

  // One buffer for all reads of this thread: 10,000 idle connections need no 10,000 buffers. Its
  // contents are good until the next task.
  std::span<char> scratch();

 private:
  friend class Descriptor;
  boost::asio::io_context& context();

  struct State;
  std::shared_ptr<State> state_;
};

// A non-blocking descriptor that a loop watches. Used and destroyed on the loop only (or when it no
// longer runs); a wait is forgotten when it dies.
class Descriptor {
 public:
  Descriptor(IoLoop& loop, Fd fd);
  ~Descriptor();

  int fd() const;

  // Runs the task once, later. At most one wait of each kind at a time.
  void when_readable(env::Task task);
  void when_writable(env::Task task);

  void forget_waits();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace berth::runtime
