// Tested by socket_network_test.cc.

#include "runtime/socket_stream.h"

#include <utility>

#include "base/check.h"

namespace berth::runtime {
namespace {

// Reads in a row before other streams of the loop get their turn.
constexpr int kReadsPerTurn = 8;
// An idle stream gives larger buffers back.
constexpr std::size_t kKeptBytes = 16 * 1024;

}  // namespace

SocketStream::SocketStream(IoLoop& loop, Connection connection)
    : loop_(loop), connection_(std::move(connection)) {}

SocketStream::~SocketStream() = default;

void SocketStream::start(env::StreamHandler& handler) {
  handler_ = &handler;
  want_read();
}

void SocketStream::pause_reading() { paused_ = true; }

void SocketStream::resume_reading() {
  paused_ = false;
  if (handler_) want_read();
}

// Waits even if bytes are there already: so the handler is never called from inside a call to us.
void SocketStream::want_read() {
  if (reading_ || paused_ || closed_ || incoming_direction_ == Direction::Ended) return;
  if (!connection_.channel->has_pending()) return wait_to_read(Need::Readability);
  reading_ = true;
  loop_.post(scope_.guard([this] { read(); }));
}

// TLS may need to write before it can read on, and the other way round. Each direction waits for
// one kind of readiness only, so the one that is held up rides on the other's wait.
void SocketStream::wait_to_read(Need need) {
  if (need == Need::Readability) {
    reading_ = true;
    connection_.descriptor->when_readable(scope_.guard([this] { read(); }));
    return;
  }
  read_needs_flush_ = true;
  if (!flushing_) wait_to_flush(Need::Writability);
}

void SocketStream::wait_to_flush(Need need) {
  if (need == Need::Writability) {
    flushing_ = true;
    connection_.descriptor->when_writable(scope_.guard([this] { flush(); }));
    return;
  }
  flush_needs_read_ = true;
  if (!reading_) wait_to_read(Need::Readability);
}

void SocketStream::read() {
  reading_ = false;
  if (std::exchange(flush_needs_read_, false)) want_flush();
  for (int i = 0; i < kReadsPerTurn; ++i) {
    if (paused_ || closed_) return;
    const Progress progress = connection_.channel->read(loop_.scratch());
    switch (progress.need) {
      case Need::Nothing: {
        const auto alive = scope_.witness();
        handler_->on_received({loop_.scratch().data(), progress.bytes});
        if (!alive()) return;
        break;
      }
      case Need::Readability:
      case Need::Writability:
        return wait_to_read(progress.need);
      case Need::End:
        return received_end();
      case Need::Failure:
        return close(failure(progress.error));
    }
  }
  want_read();
}

void SocketStream::received_end() {
  incoming_direction_ = Direction::Ended;
  const auto alive = scope_.witness();
  handler_->on_ended();
  if (alive() && outgoing_direction_ == Direction::Ended) close({});
}

std::size_t SocketStream::write(std::string_view bytes) {
  if (closed_ || outgoing_direction_ != Direction::Open) return queued();
  outgoing_.append(bytes);
  want_flush();
  return queued();
}

void SocketStream::shutdown_write() {
  if (closed_ || outgoing_direction_ != Direction::Open) return;
  outgoing_direction_ = Direction::Ending;
  want_flush();
}

// With the next turn: what is written piecewise in one turn leaves in one piece.
void SocketStream::want_flush() {
  if (flushing_) return;
  flushing_ = true;
  loop_.post(scope_.guard([this] { flush(); }));
}

void SocketStream::flush() {
  flushing_ = false;
  if (closed_) return;
  if (std::exchange(read_needs_flush_, false)) loop_.post(scope_.guard([this] { read(); }));
  const bool had_bytes = queued() > 0;
  if (!flush_some()) return;
  outgoing_.clear();
  sent_ = 0;
  if (outgoing_direction_ == Direction::Ending) return finish_writing();
  if (had_bytes && handler_) {
    const auto alive = scope_.witness();
    handler_->on_drained();
    if (!alive()) return;
  }
  // Not before the handler had its say: a long answer would make the buffer anew for each piece.
  if (outgoing_.empty() && outgoing_.capacity() > kKeptBytes) outgoing_.shrink_to_fit();
}

// True when nothing is left to send.
bool SocketStream::flush_some() {
  while (queued() > 0) {
    const Progress progress = connection_.channel->write(std::string_view(outgoing_).substr(sent_));
    if (progress.need == Need::Nothing) {
      sent_ += progress.bytes;
      continue;
    }
    if (progress.need == Need::Failure || progress.need == Need::End) {
      close(failure(progress.error));
      return false;
    }
    // Keeps the queue from growing behind bytes that are gone, at a cost of one copy per byte.
    if (sent_ > outgoing_.size() / 2) outgoing_.erase(0, std::exchange(sent_, 0));
    wait_to_flush(progress.need);
    return false;
  }
  return true;
}

void SocketStream::finish_writing() {
  const Progress progress = connection_.channel->end();
  if (progress.need == Need::Readability || progress.need == Need::Writability) {
    return wait_to_flush(progress.need);
  }
  outgoing_direction_ = Direction::Ended;
  if (incoming_direction_ == Direction::Ended) close({});
}

Result<Connection> SocketStream::release() {
  if (closed_) return failure(Code::ServiceUnavailable, "the stream is closed");
  if (queued() > 0) return failure(Code::ServiceUnavailable, "the stream has bytes to send");
  closed_ = true;
  handler_ = nullptr;
  scope_.renew();
  connection_.descriptor->forget_waits();
  return std::move(connection_);
}

void SocketStream::close(Status why) {
  closed_ = true;
  scope_.renew();
  connection_.channel.reset();
  connection_.descriptor.reset();
  if (handler_) handler_->on_closed(why);
}

}  // namespace berth::runtime
