// Finds the streams that have run out of time without looking at all of them on every event.

#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/time.h"
#include "http/session.h"
#include "http/stream_table.h"

namespace berth::http {

// A stream has `id`, `moved_at` (when it last got on) and `turned` (its turn has passed to the peer
// since the last output, so that its time begins anew). Streams that get on move their deadlines
// back, never forward: it is enough to look at all of them when the earliest has come.
class StreamDeadlines {
 public:
  template <typename Stream>
  void pass_turn(Stream& stream) {
    stream.turned = true;
    turned_ = true;
  }

  // To be called whenever the time is known after turns have passed. `deadline_of` says until when
  // a stream may stand still; nullopt for as long as it likes.
  template <typename Stream, typename DeadlineOf>
  void rearm(const StreamTable<Stream>& streams, Instant now, const DeadlineOf& deadline_of) {
    if (!std::exchange(turned_, false)) return;
    for (const auto& stream : streams) {
      if (std::exchange(stream->turned, false)) stream->moved_at = now;
      note(deadline_of(*stream));
    }
  }

  template <typename Stream, typename DeadlineOf>
  std::vector<StreamId> expired(const StreamTable<Stream>& streams, Instant now,
                                const DeadlineOf& deadline_of) {
    std::vector<StreamId> late;
    if (!next_ || now < *next_) return late;
    next_.reset();
    for (const auto& stream : streams) {
      const auto due = deadline_of(*stream);
      if (due && *due <= now) {
        late.push_back(stream->id);
      } else {
        note(due);
      }
    }
    return late;
  }

  std::optional<Instant> next() const { return next_; }

 private:
  void note(std::optional<Instant> due) {
    if (due) next_ = std::min(next_.value_or(*due), *due);
  }

  std::optional<Instant> next_;
  bool turned_ = false;
};

}  // namespace berth::http
