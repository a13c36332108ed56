// The open streams of one HTTP/2 session, in the order of their ids.

#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "base/check.h"
#include "http/session.h"

namespace berth::http {

// Ids only grow and streams are few, so a sorted vector is both the fastest map and an order that
// does not depend on luck. Addresses are stable.
template <typename Stream>
class StreamTable {
 public:
  Stream& add(std::unique_ptr<Stream> stream) {
    CHECK(streams_.empty() || streams_.back()->id < stream->id);
    streams_.push_back(std::move(stream));
    return *streams_.back();
  }

  Stream* find(StreamId id) const {
    const auto found = lower_bound(id);
    return found != streams_.end() && (*found)->id == id ? found->get() : nullptr;
  }

  // Null when there is none.
  std::unique_ptr<Stream> remove(StreamId id) {
    const auto found = lower_bound(id);
    if (found == streams_.end() || (*found)->id != id) return nullptr;
    const auto index = found - streams_.begin();
    std::unique_ptr<Stream> stream = std::move(streams_[static_cast<std::size_t>(index)]);
    streams_.erase(streams_.begin() + index);
    return stream;
  }

  // All of them, leaving none.
  std::vector<std::unique_ptr<Stream>> remove_all() { return std::exchange(streams_, {}); }

  std::size_t size() const { return streams_.size(); }
  bool empty() const { return streams_.empty(); }
  auto begin() const { return streams_.begin(); }
  auto end() const { return streams_.end(); }

 private:
  auto lower_bound(StreamId id) const {
    return std::ranges::lower_bound(streams_, id, {},
                                    [](const auto& stream) { return stream->id; });
  }

  std::vector<std::unique_ptr<Stream>> streams_;
};

}  // namespace berth::http
