// A stream on a socket: moves bytes between the socket and its handler as both allow.

#pragma once

#include <memory>
#include <string>

#include "env/network.h"
#include "env/scope.h"
#include "runtime/channel.h"
#include "runtime/io_loop.h"

namespace berth::runtime {

// A socket with its channel: what goes through the handshake and then into a stream.
struct Connection {
  std::unique_ptr<Descriptor> descriptor;
  std::unique_ptr<Channel> channel;  // Declared after the descriptor that it borrows.
  env::Peer peer;
  std::shared_ptr<void> ticket = nullptr;  // Released with the stream: its place in a limit.
};

class SocketStream final : public env::Stream {
 public:
  SocketStream(IoLoop& loop, Connection connection);
  ~SocketStream() override;

  void start(env::StreamHandler& handler) override;
  std::size_t write(std::string_view bytes) override;
  void pause_reading() override;
  void resume_reading() override;
  void shutdown_write() override;
  const env::Peer& peer() const override { return connection_.peer; }

  // Takes the connection out, for another channel on top of it; the handler hears nothing more. An
  // error if it is closed or has bytes to send.
  Result<Connection> release();

 private:
  enum class Direction { Open, Ending, Ended };

  void want_read();
  void read();
  void received_end();
  void want_flush();
  void flush();
  bool flush_some();
  void finish_writing();
  void wait_to_read(Need need);
  void wait_to_flush(Need need);
  void close(Status why);
  std::size_t queued() const { return outgoing_.size() - sent_; }

  IoLoop& loop_;
  Connection connection_;
  env::StreamHandler* handler_ = nullptr;
  std::string outgoing_;
  std::size_t sent_ = 0;  // How many bytes of outgoing_ the channel has taken.
  Direction incoming_direction_ = Direction::Open;
  Direction outgoing_direction_ = Direction::Open;
  bool paused_ = false;
  bool closed_ = false;
  // One wait or task of each kind at a time.
  bool reading_ = false;
  bool flushing_ = false;
  bool read_needs_flush_ = false;
  bool flush_needs_read_ = false;
  env::Scope scope_;
};

}  // namespace berth::runtime
