// One simulated connection: two sides, and a pipe of bytes in each direction.
//
//   write -> queue (in the sender's process) -> flight (on the wire) -> arrived -> on_received
//            |<- queue bounds nothing ->|      |<------- at most one window ------->|
//
// A window's room comes back when the receiver has read, and needs the way back to be open.

#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "env/network.h"
#include "sim/fabric.h"
#include "sim/sim_loop.h"

namespace berth::sim {

class Conversation : public std::enable_shared_from_this<Conversation> {
 public:
  struct Party {
    std::string host;
    std::shared_ptr<SimLoop> loop;
    env::Peer peer;  // What this side knows about the other.
  };
  enum Side { kClient = 0, kServer = 1 };

  Conversation(Fabric& fabric, Party client, Party server);

  // What a stream asks for its side.
  void start(Side side, env::StreamHandler& handler);
  std::size_t write(Side side, std::string_view bytes);
  void shut_down(Side side);
  void pause(Side side);
  void resume(Side side);
  void abandon(Side side);  // The handler hears nothing more; the peer hears a reset.
  const env::Peer& peer(Side side) const { return ends_[side].party.peer; }
  const std::shared_ptr<SimLoop>& loop(Side side) const { return ends_[side].party.loop; }

  // Nobody listens at that side until the next start(). From then on it knows this about the other,
  // and receives again what it has not read.
  void detach(Side side, env::Peer peer, std::string_view unread);

  // What the world does to it.
  void cut();
  void mute();
  void lose_host(const std::string& host);
  bool is_open() const { return !ends_[kClient].closed || !ends_[kServer].closed; }
  bool is_between(const std::string& a, const std::string& b) const;

  // Bytes to this side do not arrive earlier.
  void not_before(Side receiver, Moment when);

 private:
  enum class Mark { None, End, Reset };
  struct Segment {
    Moment arrival;
    std::string bytes;
    Mark mark;
  };
  struct End {
    Party party;
    env::StreamHandler* handler = nullptr;
    bool paused = false;
    bool closed = false;  // Nothing is delivered to it any more.
    bool delivery_planned = false;
  };
  // From the side of the same index to the other.
  struct Pipe {
    std::string queue;
    bool end_queued = false;
    bool end_sent = false;
    std::size_t in_flight = 0;
    std::deque<Segment> flight;
    bool arrival_planned = false;
    Moment last_arrival = Moment::zero();
    std::optional<Moment> stalled_since;
    std::string arrived;
    std::size_t replayed = 0;  // How many of these have been delivered before.
    bool end_arrived = false;
    bool end_delivered = false;
    std::uint64_t sent = 0;
    std::optional<std::uint64_t> cut_after;
  };

  static Side other(Side side) { return side == kClient ? kServer : kClient; }
  const std::string& host(Side side) const { return ends_[side].party.host; }

  void pump(Side sender);
  void launch(Side sender, std::string bytes, Mark mark);
  void plan_arrival(Side sender, Moment when);
  void arrive(Side sender);
  bool holds_up(Side sender);
  void accept(Side sender, Segment segment);
  void plan_delivery(Side receiver);
  void deliver(Side receiver);
  void return_room(Side sender, std::size_t bytes);
  void tell_drained(Side sender);
  void close(Side side, Status why);
  void close_if_complete(Side side);
  void later(Duration delay, void (Conversation::*then)(Side), Side side);

  Fabric& fabric_;
  std::uint64_t id_;
  std::array<End, 2> ends_;
  std::array<Pipe, 2> pipes_;
  bool severed_ = false;  // Nothing arrives any more.
};

}  // namespace berth::sim
