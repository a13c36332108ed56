// The network between simulated machines: delays, losses, and who cannot reach whom.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "base/result.h"
#include "sim/schedule.h"
#include "sim/trace.h"

namespace berth::sim {

class Conversation;
class SimListener;

struct NetworkOptions {
  Duration latency_min = std::chrono::microseconds(200);
  Duration latency_max = std::chrono::microseconds(200);
  double loss = 0;  // Chance of a segment to be sent again, which takes `resend_after`.
  Duration resend_after = std::chrono::milliseconds(200);
  // How long bytes are sent again without an answer before the stream is given up.
  Duration give_up_after = std::chrono::minutes(2);
  std::size_t window = 64 * 1024;       // Bytes on their way or not yet read by the receiver.
  std::size_t segment_max = 16 * 1024;  // Pieces are cut at random below this.
  double cut = 0;                       // Chance of a stream to be cut after some of its bytes.
  std::uint64_t cut_bytes_max = 64 * 1024;
};

class Fabric {
 public:
  Fabric(Schedule& schedule, Trace& trace, Random random);

  NetworkOptions options;

  // One direction between two machines. Blocked: nothing passes. Clogged: everything waits.
  void block(const std::string& from, const std::string& to);
  void unblock(const std::string& from, const std::string& to);
  void clog(const std::string& from, const std::string& to, Moment until);
  void heal();  // Unblocks and unclogs all.

  // All streams between two machines, or one that is drawn. How many there were.
  std::size_t cut_streams(const std::string& a, const std::string& b);
  std::size_t cut_any_stream(Random& random);
  std::size_t open_streams();

  // As behind a router that has forgotten them: nothing passes on the streams that there are, and
  // neither side hears of it. New ones are well.
  void mute_streams(const std::string& a, const std::string& b);

  // Machines.
  void add_host(const std::string& name);
  bool has_host(const std::string& name) const { return hosts_.contains(name); }
  void set_powered(const std::string& name, bool powered);
  void drop_streams_of(const std::string& host);  // Without a word to the peers.

  // For streams and listeners.
  bool passes(const std::string& from, const std::string& to) const;
  Moment clogged_until(const std::string& from, const std::string& to) const;
  Duration draw_latency();
  std::size_t draw_segment(std::size_t most);
  Random& random() { return random_; }
  Schedule& schedule() { return schedule_; }
  Trace& trace() { return trace_; }
  void enrol(std::shared_ptr<Conversation> conversation);
  std::uint64_t new_stream_id() { return ++last_stream_id_; }

  Result<std::uint16_t> bind(const std::string& host, std::uint16_t port, SimListener& listener);
  void unbind(const std::string& host, std::uint16_t port);
  SimListener* listener_at(const std::string& host, std::uint16_t port) const;

 private:
  struct Host {
    bool powered = true;
    std::map<std::uint16_t, SimListener*> listeners;
    std::uint16_t next_port = 30'000;
  };
  using Link = std::pair<std::string, std::string>;

  std::vector<std::shared_ptr<Conversation>> live_conversations();

  Schedule& schedule_;
  Trace& trace_;
  Random random_;
  std::map<std::string, Host> hosts_;
  std::set<Link> blocked_;
  std::map<Link, Moment> clogged_;
  std::vector<std::weak_ptr<Conversation>> conversations_;
  std::uint64_t last_stream_id_ = 0;
};

}  // namespace berth::sim
