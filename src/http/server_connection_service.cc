// Tested by server_service_test.cc.

#include "http/server_connection_service.h"

#include <utility>

namespace berth::http {
namespace {

// What may wait in the stream's own queue before the session has to keep its bytes.
constexpr std::size_t kQueuedMax = 256 * 1024;

std::optional<Protocol> protocol_of(const env::Peer& peer) {
  if (peer.protocol == alpn_name(Protocol::Http2)) return Protocol::Http2;
  if (peer.protocol == alpn_name(Protocol::Http1)) return Protocol::Http1;
  return std::nullopt;
}

Error too_busy(std::string message) {
  return {.code = Code::TooManyRequests,
          .message = std::move(message),
          .retry_after = std::chrono::seconds(1)};
}

}  // namespace

ServerConnection::ServerConnection(ServerShare& share, std::unique_ptr<env::Stream> stream,
                                   env::Task on_dead)
    : share_(share),
      stream_(std::move(stream)),
      on_dead_(std::move(on_dead)),
      peer_(std::make_shared<const env::Peer>(stream_->peer())),
      detect_until_(now() + share.settings.session.timeouts.head) {}

void ServerConnection::start() {
  stream_->start(*this);
  if (const auto protocol = protocol_of(*peer_)) begin(*protocol);
  flush();
}

void ServerConnection::begin(Protocol protocol) {
  session_ = make_server_session(protocol, share_.settings.session, *this, now());
}

void ServerConnection::shutdown() {
  if (!session_) return drop();  // Nobody has asked for anything.
  drive([this](Instant now) { session_->shutdown(now); });
}

void ServerConnection::drop() {
  if (!stream_) return;
  die({.code = Code::ServiceUnavailable, .message = "the server closes the connection"});
}

void ServerConnection::on_received(std::string_view bytes) {
  if (close_by_) return;  // Too late for the client to say anything.
  if (session_) return drive([&](Instant now) { session_->receive(bytes, now); });
  first_bytes_ += bytes;
  const auto protocol = detect_protocol(first_bytes_);
  if (!protocol) return;
  begin(*protocol);
  const std::string first = std::exchange(first_bytes_, {});
  drive([&](Instant now) { session_->receive(first, now); });
}

void ServerConnection::on_drained() {
  queued_ = full_ = false;
  if (close_by_) finish();
  flush();
}

void ServerConnection::on_ended() {
  if (!session_) return drop();
  drive([this](Instant now) { session_->receive_end(now); });
}

void ServerConnection::on_closed(const Status& why) {
  Error closed{.code = Code::ServiceUnavailable, .message = "the connection was closed"};
  die(why.ok() ? std::move(closed) : why.error());
}

// Runs the call on the session, then sends what it produced. Calls from inside handlers are flushed
// by the outermost one.
void ServerConnection::drive(const std::function<void(Instant)>& call) {
  if (driving_) return call(now());
  driving_ = true;
  call(now());
  send_output();
  driving_ = false;
  arm_timer();
}

void ServerConnection::flush() {
  drive([](Instant) {});
}

// Answers and wakers work outside of the session's calls: one flush for all of a turn of the loop.
void ServerConnection::flush_later() {
  if (driving_ || flush_posted_ || !stream_) return;
  flush_posted_ = true;
  share_.loop.post(scope_.guard([this] {
    flush_posted_ = false;
    flush();
  }));
}

void ServerConnection::send_output() {
  if (!session_ || close_by_) return;
  while (stream_ && !full_) {
    const std::string_view bytes = session_->output(now());
    if (bytes.empty()) break;
    const std::size_t waiting = stream_->write(bytes);
    queued_ = waiting > 0;
    full_ = waiting > kQueuedMax;
    session_->written(bytes.size());
  }
  if (!stream_) return;
  if (session_->finished()) return finish();
  const bool pause = !session_->wants_input();
  if (pause == paused_) return;
  paused_ = pause;
  pause ? stream_->pause_reading() : stream_->resume_reading();
}

// The session has said all it had to say.
void ServerConnection::finish() {
  const bool given_up =
      full_ && session_->reason();  // The client takes nothing of what it asked for.
  if (given_up) return drop();
  const Timeouts& timeouts = share_.settings.session.timeouts;
  if (!close_by_ && paused_) stream_->resume_reading();  // To hear when the client is done.
  if (queued_) {
    if (!close_by_) close_by_ = now() + timeouts.send_progress;
  } else if (!std::exchange(ending_, true)) {
    close_by_ = now() + timeouts.linger;
    stream_->shutdown_write();
  }
}

void ServerConnection::die(Error error) {
  stream_.reset();
  timer_.cancel();
  const auto self = shared_from_this();  // A handler may let go of what keeps us.
  if (session_) session_->fail(std::move(error), now());
  if (on_dead_) share_.loop.post(std::exchange(on_dead_, nullptr));
}

std::optional<Instant> ServerConnection::deadline() const {
  if (!stream_) return std::nullopt;
  if (close_by_) return close_by_;
  return session_ ? session_->next_deadline() : detect_until_;
}

// Deadlines mostly move away while bytes flow. An alarm that comes too early then sets the next
// one; that is cheaper than a new alarm for every piece.
void ServerConnection::arm_timer() {
  const auto due = deadline();
  if (!due || (armed_for_ && *armed_for_ <= *due)) return;
  armed_for_ = due;
  timer_ = share_.loop.at(*due, [this] { on_timer(); });
}

void ServerConnection::on_timer() {
  armed_for_ = std::nullopt;
  const auto due = deadline();
  if (!due || *due > now()) return arm_timer();
  if (close_by_ || !session_) return drop();
  drive([this](Instant now) { session_->on_time(now); });
}

void ServerConnection::on_request(StreamId id, RequestHead head) {
  Exchange& exchange = exchanges_[id];
  exchange.request.head = std::move(head);
  exchange.request.peer = peer_;
  exchange.answer = Answer(weak_from_this(), id);
  ++share_.requests;
  if (share_.requests > share_.settings.requests_max) {
    return refuse(exchange, too_busy("too many requests are waiting, try again later"));
  }
  exchange.sink = share_.handler.on_head(exchange.request, exchange.answer);
}

void ServerConnection::on_body(StreamId id, std::string_view bytes) {
  Exchange& exchange = exchanges_.at(id);
  if (exchange.sink) return exchange.sink->on_body(bytes);
  session_->release(id, bytes.size());
  if (share_.body_bytes + bytes.size() > share_.settings.body_bytes_max) {
    return refuse(exchange, too_busy("too much is being received, try again later"));
  }
  share_.body_bytes += bytes.size();
  exchange.request.body += bytes;
}

void ServerConnection::on_end(StreamId id) {
  Exchange& exchange = exchanges_.at(id);
  if (exchange.sink) return exchange.sink->on_end();
  share_.body_bytes -= exchange.request.body.size();
  share_.handler.on_request(std::exchange(exchange.request, {}), std::move(exchange.answer));
}

void ServerConnection::on_bad_body(StreamId id, const Error& error) {
  Exchange& exchange = exchanges_.at(id);
  exchange.sink ? exchange.sink->on_broken(error) : refuse(exchange, error);
}

void ServerConnection::refuse(Exchange& exchange, const Error& error) {
  forget_body(exchange.request);
  share_.handler.on_refused(exchange.request, error, std::move(exchange.answer));
}

void ServerConnection::forget_body(ServerRequest& request) {
  share_.body_bytes -= request.body.size();
  request.body = {};
}

void ServerConnection::on_closed(StreamId id, StreamEnd end) {
  auto node = exchanges_.extract(id);
  Exchange& exchange = node.mapped();
  forget_body(exchange.request);
  if (!exchange.answered) --share_.requests;
  if (exchange.closed) exchange.closed(end);
}

void ServerConnection::on_closed(StreamId id, Closed closed) {
  const auto found = exchanges_.find(id);
  if (found != exchanges_.end()) found->second.closed = std::move(closed);
}

void ServerConnection::respond(StreamId id, ResponseHead head, Body body) {
  const auto found = exchanges_.find(id);
  if (found == exchanges_.end() || found->second.answered) return;
  found->second.answered = true;
  --share_.requests;
  if (!head.headers.find("date")) head.headers.add("date", share_.date.at(share_.clock.now()));
  session_->respond(id, std::move(head), std::move(body));
  flush_later();
}

void ServerConnection::resume(StreamId id) {
  session_->resume(id);
  flush_later();
}

void ServerConnection::release(StreamId id, std::size_t bytes) {
  session_->release(id, bytes);
  flush_later();
}

}  // namespace berth::http
