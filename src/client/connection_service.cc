// Tested by api_service_test.cc.

#include "client/connection_service.h"

#include <utility>

namespace berth::client {
namespace {

// What may wait in the stream's own queue before the session has to keep its bytes.
constexpr std::size_t kQueuedMax = 256 * 1024;

http::Protocol protocol_of(const env::Peer& peer) {
  const bool h2 = peer.protocol == http::alpn_name(http::Protocol::Http2);
  return h2 ? http::Protocol::Http2 : http::Protocol::Http1;
}

}  // namespace

Connection::Connection(World world, std::unique_ptr<env::Stream> stream,
                       const http::ClientOptions& options, std::function<void()> on_change)
    : world_(world),
      stream_(std::move(stream)),
      session_(http::make_client_session(protocol_of(stream_->peer()), options,
                                         world.clock.monotonic())),
      on_change_(std::move(on_change)) {
  stream_->start(*this);
  flush();
}

void Connection::flush() {
  drive([](Instant) {});
}

void Connection::on_received(std::string_view bytes) {
  drive([&](Instant now) { session_->receive(bytes, now); });
}

void Connection::on_drained() {
  full_ = false;
  flush();
}

void Connection::on_ended() {
  drive([&](Instant now) { session_->receive_end(now); });
}

void Connection::on_closed(const Status& why) {
  stream_.reset();
  drive([&](Instant now) {
    Error error{.code = Code::ServiceUnavailable, .message = "the connection was closed"};
    session_->fail(why.ok() ? std::move(error) : why.error(), now);
  });
}

void Connection::drive(const std::function<void(Instant)>& call) {
  if (driving_) return call(world_.clock.monotonic());
  driving_ = true;
  call(world_.clock.monotonic());
  send_output();
  driving_ = false;
  arm_timer();
  announce();
}

void Connection::send_output() {
  const Instant now = world_.clock.monotonic();
  while (stream_ && !full_) {
    const std::string_view bytes = session_->output(now);
    if (bytes.empty()) break;
    full_ = stream_->write(bytes) > kQueuedMax;
    session_->written(bytes.size());
  }
  if (stream_ && session_->finished()) close();
  if (!stream_) return;
  const bool pause = !session_->wants_input();
  if (pause == paused_) return;
  paused_ = pause;
  pause ? stream_->pause_reading() : stream_->resume_reading();
}

// The session has said all it had to say. Streams that are still open hear that it is over.
void Connection::close() {
  stream_.reset();
  session_->fail({.code = Code::ServiceUnavailable, .message = "the connection is closed"},
                 world_.clock.monotonic());
}

void Connection::arm_timer() {
  const auto deadline = stream_ ? session_->next_deadline() : std::nullopt;
  if (deadline == armed_for_) return;
  armed_for_ = deadline;
  timer_.cancel();
  if (!deadline) return;
  timer_ = world_.loop.at(*deadline, [this] {
    armed_for_ = std::nullopt;
    drive([&](Instant now) { session_->on_time(now); });
  });
}

// Once per turn of the loop, however much happened, and only if it matters to the owner.
void Connection::announce() {
  const std::size_t free = is_dead() ? 0 : session_->free_streams();
  const bool settled = session_->settled();
  const bool news = free > free_announced_ || settled != settled_announced_ || is_dead();
  free_announced_ = free;
  settled_announced_ = settled;
  if (!news || announced_) return;
  announced_ = true;
  world_.loop.post(scope_.guard([this] {
    announced_ = false;
    on_change_();
  }));
}

}  // namespace berth::client
