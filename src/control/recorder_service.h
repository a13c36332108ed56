// Sends Events on their way, best effort: never blocks, never grows without bound, never fails a
// caller.

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "client/api_service.h"
#include "control/event_recorder.h"
#include "env/clock.h"
#include "env/log.h"
#include "env/loop.h"
#include "env/scope.h"

namespace berth::control {

struct RecorderLimits {
  std::size_t queue_max = 1000;  // One more is dropped.
  int attempts_max = 12;         // Per event, while the network is down.
  Duration retry_delay = std::chrono::seconds(10);
  std::size_t in_flight_max = 8;
};

class RecorderService {
 public:
  // The Api outlives the service. Lives on its loop. Give it an Api of its own where events must
  // not compete with decisions for the rate limit.
  RecorderService(const env::Env& env, client::Api& api, EventRecorderOptions options,
                  RecorderLimits limits = {});

  void record(const Event& event);

  // While paused nothing is sent: events can wait for what they tell of.
  void pause() { paused_ = true; }
  void resume();

  std::uint64_t dropped() const { return dropped_; }
  std::size_t waiting() const { return queue_.size(); }

 private:
  struct Item {
    EventRecorder::EventWrite write;
    int attempts = 0;
  };

  void pump();
  void send(Item item);
  void on_sent(Item item, const Result<json::Value>& answer);

  env::Env env_;
  client::Api& api_;
  RecorderLimits limits_;
  EventRecorder recorder_;
  Random random_;
  std::deque<Item> queue_;
  std::size_t in_flight_ = 0;
  std::uint64_t dropped_ = 0;
  env::Timer retry_ = {};
  bool resting_ = false;  // Until the retry timer fires.
  bool paused_ = false;
  env::Scope scope_;
};

}  // namespace berth::control
