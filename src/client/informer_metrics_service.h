// The numbers that one cache tells about itself, under the names that client-go's reflectors use
// where those have one.

#pragma once

#include <cstddef>
#include <string>

#include "base/time.h"
#include "env/metrics.h"

namespace berth::client {

// Several caches of one kind on one server add up in the same series.
class InformerMetrics {
 public:
  struct Labels {
    std::string resource;
    std::string host;
  };

  InformerMetrics(env::Metrics& metrics, const Labels& labels);
  ~InformerMetrics();  // What it said about the present is taken back.
  InformerMetrics(const InformerMetrics&) = delete;
  InformerMetrics& operator=(const InformerMetrics&) = delete;

  void listed(Duration took, std::size_t items);
  void watch_began() { watches_.increment(); }
  void watch_ended(Duration took, std::size_t events);

  // How things stand now.
  void holds(std::size_t objects) { objects_.become(static_cast<double>(objects)); }
  void is_queueing(std::size_t deltas) { queued_.become(static_cast<double>(deltas)); }
  void is_synced() { synced_.become(1); }

 private:
  // Our part of a gauge that others add to as well.
  struct Share {
    env::Gauge& gauge;
    double value = 0;

    void become(double now) {
      if (now == value) return;
      gauge.add(now - value);
      value = now;
    }
  };

  env::Counter& lists_;
  env::Histogram& list_duration_;
  env::Histogram& items_per_list_;
  env::Counter& watches_;
  env::Histogram& watch_duration_;
  env::Histogram& items_per_watch_;
  Share objects_;
  Share queued_;
  Share synced_;
};

}  // namespace berth::client
