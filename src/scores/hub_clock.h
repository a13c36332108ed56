// What time it is on the hub, as far as its answers tell.
//
// Whether a score has expired is judged on the hub. A provider whose calendar runs an hour ahead
// would publish scores that outlive it by an hour; one that is behind, scores that never count. So
// validUntil is written in the hub's time: the server notes in managedFields when it took a write.
// From then on our own monotonic clock counts, whatever happens to our calendar.

#pragma once

#include <optional>
#include <string_view>

#include "base/time.h"
#include "json/value.h"

namespace berth::scores {

class HubClock {
 public:
  struct Exchange {
    Instant sent;
    Instant answered;
  };

  // The answer to a write of that field manager. An answer that says nothing leaves all as it was.
  void observe(const json::Value& answer, std::string_view manager, const Exchange& exchange);

  // The hub's time at a moment of our monotonic clock, to about a second; nothing before the first
  // answer.
  std::optional<Time> time_at(Instant moment) const;

 private:
  struct Reading {
    Time hub;
    Instant here;
  };
  std::optional<Reading> reading_ = std::nullopt;
};

}  // namespace berth::scores
