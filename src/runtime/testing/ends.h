// Ends of streams for tests: they live on their loops and are asked from the test's thread.

#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "env/env.h"
#include "env/scope.h"
#include "runtime/mutex.h"
#include "runtime/system.h"

namespace berth::runtime::testing {

// What does not come within minutes, on whatever machine, never comes.
inline void wait_for_news(Condition& changed, Mutex& mutex) {
  CHECK(changed.wait_for(mutex, std::chrono::minutes(5)) == std::cv_status::no_timeout);
}

struct Heard {
  std::string received;
  int drained = 0;
  bool ended = false;
  std::optional<Status> closed;
};

// Notes all that its stream says. Everything but heard() and wait_until() is for its loop.
class End final : public env::StreamHandler {
 public:
  using Reaction = std::function<void(End&, std::string_view)>;

  explicit End(std::unique_ptr<env::Stream> stream, Reaction on_bytes = {})
      : stream_(std::move(stream)), on_bytes_(std::move(on_bytes)) {
    stream_->start(*this);
  }

  env::Stream& stream() { return *stream_; }

  void on_received(std::string_view bytes) override {
    note([&](Heard& heard) { heard.received += bytes; });
    if (on_bytes_) on_bytes_(*this, bytes);
  }
  void on_drained() override {
    note([](Heard& heard) { ++heard.drained; });
  }
  void on_ended() override {
    note([](Heard& heard) { heard.ended = true; });
  }
  void on_closed(const Status& why) override {
    note([&](Heard& heard) { heard.closed = why; });
  }

  Heard heard() const {
    const MutexLock lock(mutex_);
    return heard_;
  }
  Heard wait_until(const std::function<bool(const Heard&)>& enough) const {
    const MutexLock lock(mutex_);
    while (!enough(heard_)) wait_for_news(changed_, mutex_);
    return heard_;
  }
  Error wait_for_failure() const {
    return wait_until([](const Heard& heard) { return heard.closed.has_value(); }).closed->error();
  }

 private:
  template <typename Change>
  void note(Change change) {
    const MutexLock lock(mutex_);
    change(heard_);
    changed_.notify_all();
  }

  std::unique_ptr<env::Stream> stream_;
  Reaction on_bytes_;
  mutable Mutex mutex_;
  mutable Condition changed_;
  Heard heard_ __attribute__((guarded_by(mutex_)));
};

// A value that another thread brings.
template <typename T>
class Awaited {
 public:
  void put(T value) {
    const MutexLock lock(mutex_);
    value_ = std::move(value);
    changed_.notify_all();
  }
  T take() {
    const MutexLock lock(mutex_);
    while (!value_) wait_for_news(changed_, mutex_);
    return *std::exchange(value_, std::nullopt);
  }

 private:
  Mutex mutex_;
  Condition changed_;
  std::optional<T> value_ __attribute__((guarded_by(mutex_)));
};

// Connects on the loop and waits for the outcome.
inline Result<std::unique_ptr<env::Stream>> connect(env::Env& env, env::ConnectOptions options) {
  Awaited<Result<std::unique_ptr<env::Stream>>> outcome;
  env.loop.post([&] {
    env.network.connect(std::move(options), [&](Result<std::unique_ptr<env::Stream>> stream) {
      outcome.put(std::move(stream));
    });
  });
  return outcome.take();
}

}  // namespace berth::runtime::testing
