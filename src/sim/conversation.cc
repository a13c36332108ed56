// Tested by sim_network_test.cc.

#include "sim/conversation.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace berth::sim {
namespace {

Status reset() { return failure(Code::ServiceUnavailable, "receive: Connection reset by peer"); }

}  // namespace

Conversation::Conversation(Fabric& fabric, Party client, Party server)
    : fabric_(fabric), id_(fabric.new_stream_id()) {
  ends_[kClient].party = std::move(client);
  ends_[kServer].party = std::move(server);
  for (Pipe& pipe : pipes_) {
    if (fabric_.random().chance(fabric_.options.cut)) {
      pipe.cut_after = fabric_.random().below(fabric_.options.cut_bytes_max);
    }
  }
}

bool Conversation::is_between(const std::string& a, const std::string& b) const {
  return (host(kClient) == a && host(kServer) == b) || (host(kClient) == b && host(kServer) == a);
}

void Conversation::not_before(Side receiver, Moment when) {
  pipes_[other(receiver)].last_arrival = when;
}

void Conversation::start(Side side, env::StreamHandler& handler) {
  ends_[side].handler = &handler;
  plan_delivery(side);
}

void Conversation::detach(Side side, env::Peer peer, std::string_view unread) {
  ends_[side].handler = nullptr;
  ends_[side].party.peer = std::move(peer);
  Pipe& pipe = pipes_[other(side)];
  pipe.arrived.insert(0, unread);
  pipe.replayed += unread.size();
}

std::size_t Conversation::write(Side side, std::string_view bytes) {
  Pipe& pipe = pipes_[side];
  if (ends_[side].closed || pipe.end_queued) return pipe.queue.size();
  pipe.queue.append(bytes);
  later(Duration::zero(), &Conversation::pump, side);
  return pipe.queue.size();
}

void Conversation::shut_down(Side side) {
  if (ends_[side].closed) return;
  pipes_[side].end_queued = true;
  later(Duration::zero(), &Conversation::pump, side);
}

void Conversation::pause(Side side) { ends_[side].paused = true; }

void Conversation::resume(Side side) {
  ends_[side].paused = false;
  plan_delivery(side);
}

void Conversation::abandon(Side side) {
  End& end = ends_[side];
  end.handler = nullptr;
  if (end.closed) return;
  end.closed = true;
  pipes_[side].queue.clear();
  launch(side, {}, Mark::Reset);
}

void Conversation::later(Duration delay, void (Conversation::*then)(Side), Side side) {
  fabric_.schedule().add(fabric_.schedule().now() + delay,
                         [self = shared_from_this(), then, side] { (self.get()->*then)(side); });
}

// Hands as much of the queue to the wire as the window allows.
void Conversation::pump(Side sender) {
  Pipe& pipe = pipes_[sender];
  if (severed_ || ends_[sender].closed) return;
  const bool had_bytes = !pipe.queue.empty();
  std::size_t taken = 0;
  while (taken < pipe.queue.size() && pipe.in_flight < fabric_.options.window) {
    const std::size_t room = fabric_.options.window - pipe.in_flight;
    const std::size_t size = fabric_.draw_segment(std::min(pipe.queue.size() - taken, room));
    pipe.in_flight += size;
    launch(sender, pipe.queue.substr(taken, size), Mark::None);
    taken += size;
  }
  pipe.queue.erase(0, taken);
  if (!pipe.queue.empty()) return;
  if (had_bytes) tell_drained(sender);
  if (pipe.end_queued && !pipe.end_sent) {
    pipe.end_sent = true;
    launch(sender, {}, Mark::End);
    close_if_complete(sender);
  }
}

void Conversation::tell_drained(Side sender) {
  ends_[sender].party.loop->post([self = shared_from_this(), sender] {
    const End& end = self->ends_[sender];
    const bool still_true = self->pipes_[sender].queue.empty() && !end.closed;
    if (still_true && end.handler) end.handler->on_drained();
  });
}

void Conversation::launch(Side sender, std::string bytes, Mark mark) {
  Pipe& pipe = pipes_[sender];
  const Moment now = fabric_.schedule().now();
  // In order within a stream; streams overtake each other.
  pipe.last_arrival = std::max(pipe.last_arrival, now + fabric_.draw_latency());
  pipe.flight.push_back({.arrival = pipe.last_arrival, .bytes = std::move(bytes), .mark = mark});
  plan_arrival(sender, pipe.flight.front().arrival);
}

void Conversation::plan_arrival(Side sender, Moment when) {
  if (pipes_[sender].arrival_planned) return;
  pipes_[sender].arrival_planned = true;
  fabric_.schedule().add(when, [self = shared_from_this(), sender] { self->arrive(sender); });
}

// True if the wire does not let the next segment through now; then it is tried again later.
bool Conversation::holds_up(Side sender) {
  Pipe& pipe = pipes_[sender];
  const Moment now = fabric_.schedule().now();
  const std::string& from = host(sender);
  const std::string& to = host(other(sender));
  if (const Moment until = fabric_.clogged_until(from, to); until > now) {
    plan_arrival(sender, until);
    return true;
  }
  if (fabric_.passes(from, to)) {
    pipe.stalled_since.reset();
    return false;
  }
  if (!pipe.stalled_since) pipe.stalled_since = now;
  if (now - *pipe.stalled_since >= fabric_.options.give_up_after) {
    pipe.flight.clear();
    close(sender, failure(Code::Timeout, "send: Connection timed out"));
    return true;
  }
  plan_arrival(sender, now + fabric_.options.resend_after + fabric_.draw_latency());
  return true;
}

void Conversation::arrive(Side sender) {
  Pipe& pipe = pipes_[sender];
  pipe.arrival_planned = false;
  if (severed_ || pipe.flight.empty() || holds_up(sender)) return;
  Segment segment = std::move(pipe.flight.front());
  pipe.flight.pop_front();
  if (!pipe.flight.empty()) plan_arrival(sender, pipe.flight.front().arrival);
  accept(sender, std::move(segment));
}

void Conversation::accept(Side sender, Segment segment) {
  const Side receiver = other(sender);
  Pipe& pipe = pipes_[sender];
  fabric_.trace().add("arrive", fabric_.schedule().now(), id_, static_cast<int>(sender),
                      segment.bytes, static_cast<int>(segment.mark));
  if (segment.mark == Mark::Reset) return close(receiver, reset());
  // Nobody is there any more.
  if (ends_[receiver].closed) return launch(receiver, {}, Mark::Reset);
  pipe.sent += segment.bytes.size();
  if (pipe.cut_after && pipe.sent > *pipe.cut_after) {
    // Up to the very byte; the rest never comes.
    segment.bytes.resize(segment.bytes.size() - (pipe.sent - *pipe.cut_after));
    cut();
  }
  pipe.arrived += segment.bytes;
  if (segment.mark == Mark::End) pipe.end_arrived = true;
  plan_delivery(receiver);
}

void Conversation::plan_delivery(Side receiver) {
  End& end = ends_[receiver];
  if (end.delivery_planned || end.closed) return;
  end.delivery_planned = true;
  end.party.loop->post([self = shared_from_this(), receiver] { self->deliver(receiver); });
}

void Conversation::deliver(Side receiver) {
  End& end = ends_[receiver];
  Pipe& pipe = pipes_[other(receiver)];
  end.delivery_planned = false;
  if (end.closed || end.paused || end.handler == nullptr) return;
  if (!pipe.arrived.empty()) {
    const std::string bytes = std::exchange(pipe.arrived, {});
    return_room(other(receiver), bytes.size() - std::exchange(pipe.replayed, 0));
    if (pipe.end_arrived) plan_delivery(receiver);
    end.handler->on_received(bytes);
  } else if (pipe.end_arrived && !pipe.end_delivered) {
    pipe.end_delivered = true;
    end.handler->on_ended();
    close_if_complete(receiver);
  }
}

// The acknowledgement travels back; without a way back the sender's window stays full.
void Conversation::return_room(Side sender, std::size_t bytes) {
  const Moment when = fabric_.schedule().now() + fabric_.draw_latency();
  fabric_.schedule().add(when, [self = shared_from_this(), sender, bytes] {
    Fabric& fabric = self->fabric_;
    const bool passes = fabric.passes(self->host(other(sender)), self->host(sender));
    if (!passes && self->is_open() && !self->severed_) return self->return_room(sender, bytes);
    self->pipes_[sender].in_flight -= bytes;
    self->pump(sender);
  });
}

void Conversation::close_if_complete(Side side) {
  if (pipes_[side].end_sent && pipes_[other(side)].end_delivered) close(side, {});
}

void Conversation::close(Side side, Status why) {
  End& end = ends_[side];
  if (end.closed) return;
  end.closed = true;
  pipes_[side].queue.clear();
  fabric_.trace().add("close", fabric_.schedule().now(), id_, static_cast<int>(side), why.ok());
  end.party.loop->post([self = shared_from_this(), side, why = std::move(why)] {
    if (env::StreamHandler* handler = self->ends_[side].handler) handler->on_closed(why);
  });
}

void Conversation::cut() {
  if (severed_) return;
  severed_ = true;
  for (const Side side : {kClient, kServer}) {
    pipes_[side].flight.clear();
    fabric_.schedule().add(fabric_.schedule().now() + fabric_.draw_latency(),
                           [self = shared_from_this(), side] { self->close(side, reset()); });
  }
}

void Conversation::mute() {
  severed_ = true;
  for (Pipe& pipe : pipes_) pipe.flight.clear();
}

void Conversation::lose_host(const std::string& lost) {
  for (const Side side : {kClient, kServer}) {
    if (host(side) != lost) continue;
    ends_[side].closed = true;
    ends_[side].handler = nullptr;
    pipes_[side].queue.clear();
    pipes_[side].flight.clear();
  }
}

}  // namespace berth::sim
