#include "runtime/io_loop.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/check.h"
#include "env/scope.h"

namespace berth::runtime {
namespace {

namespace asio = boost::asio;

constexpr std::size_t kScratchBytes = 64 * 1024;

Fd make_alarm_clock() {
  Fd fd(::timerfd_create(CLOCK_BOOTTIME, TFD_NONBLOCK | TFD_CLOEXEC));
  CHECK(fd.valid());
  return fd;
}

itimerspec absolute(Instant when) {
  // All zeros would disarm; a moment in the past fires at once.
  const auto since_boot = std::max(when.time_since_epoch(), Duration(1));
  const auto seconds = std::chrono::floor<std::chrono::seconds>(since_boot);
  itimerspec spec = {};
  spec.it_value.tv_sec = seconds.count();
  spec.it_value.tv_nsec = (since_boot - seconds).count();
  return spec;
}

}  // namespace

struct Descriptor::State {
  State(asio::io_context& context, Fd fd) : watched(context, fd.release()) {}

  void wait(asio::posix::stream_descriptor::wait_type kind, env::Task task) {
    // The scope catches a wait that had already come true when the descriptor died.
    watched.async_wait(kind, [task = scope.guard(std::move(task))](
                                 const boost::system::error_code& error) mutable {
      if (!error) task();
    });
  }

  asio::posix::stream_descriptor watched;
  env::Scope scope;
};

Descriptor::Descriptor(IoLoop& loop, Fd fd)
    : state_(std::make_unique<State>(loop.context(), std::move(fd))) {}

Descriptor::~Descriptor() = default;

int Descriptor::fd() const { return state_->watched.native_handle(); }

void Descriptor::when_readable(env::Task task) {
  state_->wait(asio::posix::stream_descriptor::wait_read, std::move(task));
}

void Descriptor::when_writable(env::Task task) {
  state_->wait(asio::posix::stream_descriptor::wait_write, std::move(task));
}

void Descriptor::forget_waits() {
  state_->scope.renew();
  state_->watched.cancel();
}

// Asio's own timers count on CLOCK_MONOTONIC, which stands still while the machine sleeps, so the
// alarms are ours: one ordered map, one timerfd.
struct IoLoop::State {
  using Key = std::pair<Instant, std::uint64_t>;

  explicit State(const env::Clock& its_clock)
      : clock(its_clock), context(1), work(context.get_executor()), scratch(kScratchBytes) {}

  void arm() {
    if (alarms.empty()) return;  // A wake-up for nothing is cheaper than a system call now.
    const Instant first = alarms.begin()->first.first;
    if (armed && *armed <= first) return;
    armed = first;
    const itimerspec spec = absolute(first);
    CHECK(::timerfd_settime(alarm_clock->fd(), TFD_TIMER_ABSTIME, &spec, nullptr) == 0);
  }

  void wait_for_alarms() {
    alarm_clock->when_readable([this] {
      std::uint64_t expirations = 0;
      [[maybe_unused]] const ssize_t read =
          ::read(alarm_clock->fd(), &expirations, sizeof expirations);
      after_input([this] {
        armed.reset();
        ring();
        arm();
        wait_for_alarms();
      });
    });
  }

  // Most alarms are about silence, and after a pause of the process they are due together with
  // bytes that came in time. In one turn the loop looks for those; the next one is behind all it
  // found.
  void after_input(env::Task task) {
    asio::post(context,
               [this, task = std::move(task)]() mutable { asio::post(context, std::move(task)); });
  }

  // One at a time, because each may cancel the next. What is set from now on waits for its turn, so
  // that alarms that re-arm themselves for "now" cannot starve the sockets.
  void ring() {
    const Instant now = clock.monotonic();
    const std::uint64_t newest = sequence;
    while (!alarms.empty()) {
      const auto first = alarms.begin();
      if (first->first.first > now || first->first.second > newest) return;
      env::Task task = std::move(first->second);
      alarms.erase(first);
      task();
    }
  }

  const env::Clock& clock;
  asio::io_context context;
  asio::executor_work_guard<asio::io_context::executor_type> work;
  std::vector<char> scratch;
  std::map<Key, env::Task> alarms;
  std::uint64_t sequence = 0;
  std::optional<Instant> armed;
  std::optional<Descriptor> alarm_clock;
};

namespace {

template <typename State>
class ArmedAlarm final : public env::Timer::Alarm {
 public:
  ArmedAlarm(std::weak_ptr<State> state, typename State::Key key)
      : state_(std::move(state)), key_(key) {}
  ~ArmedAlarm() override {
    if (const auto state = state_.lock()) state->alarms.erase(key_);
  }

 private:
  std::weak_ptr<State> state_;
  typename State::Key key_;
};

}  // namespace

IoLoop::IoLoop(const env::Clock& clock) : state_(std::make_shared<State>(clock)) {
  state_->alarm_clock.emplace(*this, make_alarm_clock());
  state_->wait_for_alarms();
}

IoLoop::~IoLoop() = default;

void IoLoop::run() { state_->context.run(); }

void IoLoop::stop() { state_->context.stop(); }

void IoLoop::post(env::Task task) { asio::post(state_->context, std::move(task)); }

env::Timer IoLoop::at(Instant when, env::Task task) {
  const State::Key key(when, ++state_->sequence);
  state_->alarms.emplace(key, std::move(task));
  state_->arm();
  return env::Timer(std::make_unique<ArmedAlarm<State>>(state_, key));
}

std::span<char> IoLoop::scratch() { return state_->scratch; }

asio::io_context& IoLoop::context() { return state_->context; }

}  // namespace berth::runtime
