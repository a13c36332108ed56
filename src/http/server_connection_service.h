// One connection of a server: its stream, its HTTP session, and the requests that are under way.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"
#include "env/clock.h"
#include "env/loop.h"
#include "env/network.h"
#include "env/scope.h"
#include "http/answer.h"
#include "http/date.h"
#include "http/handler_service.h"
#include "http/limits.h"
#include "http/session.h"

namespace berth::http {

struct ServerSettings {
  ServerOptions session = {};
  std::size_t connections_max = 10'000;
  std::size_t requests_max = 400;  // That wait for their answer; a stream that flows is not one.
  std::uint64_t body_bytes_max = 256 * 1024 * 1024;  // Of all bodies that are being collected.
};

// What the connections of one server share. Outlives them.
struct ServerShare {
  env::Clock& clock;
  env::Loop& loop;
  Handler& handler;
  ServerSettings settings;
  std::size_t requests = 0;
  std::uint64_t body_bytes = 0;
  DateStamp date = {};
};

//   detecting --(first bytes, or ALPN)--> serving --(session finished)--> closing --> dead
//
// While closing, what is queued is sent, our direction is ended, and the client gets a moment to
// read: closing at once would make its system throw the last answer away.
class ServerConnection final : public env::StreamHandler,
                               public RequestHandler,
                               public Exchanges,
                               public std::enable_shared_from_this<ServerConnection> {
 public:
  // `on_dead` runs later, once, when no bytes can pass any more.
  ServerConnection(ServerShare& share, std::unique_ptr<env::Stream> stream, env::Task on_dead);

  void start();
  void shutdown();  // No new requests; the open ones may end within Timeouts::drain.
  void drop();      // At once. The handlers of open requests hear of it.

  void on_received(std::string_view bytes) override;
  void on_drained() override;
  void on_ended() override;
  void on_closed(const Status& why) override;

  void on_request(StreamId id, RequestHead head) override;
  void on_body(StreamId id, std::string_view bytes) override;
  void on_end(StreamId id) override;
  void on_bad_body(StreamId id, const Error& error) override;
  void on_closed(StreamId id, StreamEnd end) override;

  bool is_open(StreamId id) const override { return exchanges_.contains(id); }
  void on_closed(StreamId id, Closed closed) override;
  void respond(StreamId id, ResponseHead head, Body body) override;
  void resume(StreamId id) override;
  void release(StreamId id, std::size_t bytes) override;

 private:
  struct Exchange {
    ServerRequest request = {};
    Answer answer = {};  // Until it goes to the handler.
    std::unique_ptr<BodySink> sink = nullptr;
    Closed closed = nullptr;
    bool answered = false;
  };

  Instant now() const { return share_.clock.monotonic(); }
  void begin(Protocol protocol);
  void drive(const std::function<void(Instant)>& call);
  void flush();
  void flush_later();
  void send_output();
  void finish();
  void die(Error error);
  void arm_timer();
  void on_timer();
  std::optional<Instant> deadline() const;
  void refuse(Exchange& exchange, const Error& error);
  void forget_body(ServerRequest& request);

  ServerShare& share_;
  std::unique_ptr<env::Stream> stream_;  // Null once it is closed.
  env::Task on_dead_;
  std::shared_ptr<const env::Peer> peer_;
  std::unique_ptr<ServerSession> session_;  // Null while the protocol is not known.
  std::string first_bytes_;                 // Until then.
  std::map<StreamId, Exchange> exchanges_;
  env::Timer timer_;
  std::optional<Instant> armed_for_;
  Instant detect_until_;
  std::optional<Instant> close_by_;  // Set while closing.
  bool ending_ = false;              // Our direction is ended.
  bool driving_ = false;
  bool flush_posted_ = false;
  bool queued_ = false;  // The stream has something to send.
  bool full_ = false;    // It has enough for now.
  bool paused_ = false;
  env::Scope scope_;
};

}  // namespace berth::http
