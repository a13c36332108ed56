// Leader election on a Lease, as client-go does it: a state machine that says what to send next.
//
// Whether somebody else's lease has run out is judged by our own monotonic clock since we last saw
// it change, never by comparing its timestamps with our calendar. So a wrong clock cannot steal a
// lease. No lease can fence: a paused leader may wake up late. may_write() is asked before every
// write, and every write carries the resourceVersion it was decided on.

#pragma once

#include <optional>
#include <string>
#include <variant>

#include "base/random.h"
#include "base/result.h"
#include "base/time.h"
#include "json/value.h"

namespace berth::control {

struct LeaderElectionOptions {
  std::string identity;  // Unique per process: host_uuid.
  std::string lease_name;
  std::string lease_namespace;
  Duration lease_duration = std::chrono::seconds(15);
  Duration renew_deadline = std::chrono::seconds(10);
  Duration retry_period = std::chrono::seconds(2);
  bool makes_namespace = false;  // If the lease's is not there.
};

// lease_duration > renew_deadline > 1.2 * retry_period > 0, and an identity.
Status check_leader_election_options(const LeaderElectionOptions& options);

// Both clocks of one moment.
struct Moment {
  Instant monotonic;
  Time wall;
};

class LeaderElector {
 public:
  // What the shell has to do next, and then report.
  struct Wait {
    Instant until;  // Then on_time().
  };
  struct Get {};  // Then on_read().
  struct Create {
    json::Value lease;  // Then on_written().
  };
  struct Update {
    json::Value lease;  // Carries the resourceVersion it was decided on. Then on_written().
  };
  using Step = std::variant<Wait, Get, Create, Update>;

  // The options must have passed the check.
  LeaderElector(LeaderElectionOptions options, Random random);

  Step start() { return Get{}; }
  Step on_time(Moment now);
  Step on_read(Result<json::Value> lease, Moment now);
  Step on_written(Result<json::Value> lease, Moment now);

  // The lease without a holder, for a clean shutdown; nothing to release when, as far as we have
  // seen, it is not ours. Stops leading at once.
  std::optional<Update> release(Moment now);

  bool leading() const { return leading_; }

  // Whether a side effect may begin now: we lead, and our last renewal is younger than the renew
  // deadline. Everybody else waits longer than that before taking over.
  bool may_write(Instant now) const;

  // Until when we lead if no renewal succeeds; then on_deadline() ends it. Only while leading.
  Instant leads_until() const { return renewed_at_ + options_.renew_deadline; }
  void on_deadline(Instant now);

  // Who holds the lease as far as we have seen; empty: nobody.
  const std::string& holder() const { return holder_; }

 private:
  Step acquire_or_renew(Moment now);
  Step retry_later(Moment now);
  void observe(const json::Value& lease, Instant now);
  json::Value lease_held_by_us(Moment now) const;
  bool held_by_other(Instant now) const;

  LeaderElectionOptions options_;
  Random random_;
  bool leading_ = false;
  Instant renewed_at_ = {};  // When our last successful write was sent.
  Instant sent_at_ = {};
  std::optional<json::Value> seen_ = std::nullopt;  // The lease as last read or written.
  Instant seen_at_ = {};                            // When it last changed, by our clock.
  std::string holder_ = {};
  Duration holder_duration_ = {};
};

}  // namespace berth::control
