// Notices when a peer stops taking output that is ready for it.

#pragma once

#include <cstddef>
#include <optional>

#include "base/time.h"

namespace berth::http {

class StallWatch {
 public:
  // Some bytes were written since the last observe().
  void progress() { moved_ = true; }

  // `waiting` bytes are in the output now.
  void observe(std::size_t waiting, Instant now) {
    if (waiting == 0) {
      since_.reset();
    } else if (moved_ || !since_) {
      since_ = now;
    }
    moved_ = false;
  }

  // When the patience is over; nullopt while nothing waits.
  std::optional<Instant> deadline(Duration patience) const {
    return since_ ? std::optional<Instant>(*since_ + patience) : std::nullopt;
  }

 private:
  std::optional<Instant> since_;
  bool moved_ = false;
};

}  // namespace berth::http
