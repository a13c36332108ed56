// One HTTP connection as a machine of bytes: bytes in, bytes out, time as an argument. It knows no
// socket, thread or clock, so the same code runs on TLS and on the simulated network.
//
// The owner of the transport does this, and nothing else:
//   bytes arrived          receive(bytes, now), then flush
//   peer closed its side   receive_end(now), then flush
//   transport broke        fail(error, now)
//   timer fired            on_time(now), then flush
//   any other call         flush
//   flush                  while output(now) is not empty: write it, written(n); stop when the
//                          transport takes no more; close it when finished(); set the timer to
//                          next_deadline(); read only while wants_input()
//
// Handlers and body sources are called from receive, receive_end, output, on_time and fail only.
// From inside a handler every other method may be called; the session must not be destroyed there.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/result.h"
#include "base/time.h"
#include "http/body.h"
#include "http/limits.h"
#include "http/message.h"

namespace berth::http {

enum class Protocol : std::uint8_t { Http1, Http2 };

// The names in ALPN: "http/1.1" and "h2".
std::string_view alpn_name(Protocol protocol);

// What a client without ALPN speaks, told from the first bytes of its connection; nullopt while
// they are too few to know.
std::optional<Protocol> detect_protocol(std::string_view first_bytes);

// One request and its response. Unique within a session, never used twice.
using StreamId = std::int64_t;

class Session {
 public:
  virtual ~Session() = default;

  virtual Protocol protocol() const = 0;

  virtual void receive(std::string_view bytes, Instant now) = 0;
  virtual void receive_end(Instant now) = 0;
  virtual void fail(Error error, Instant now) = 0;

  // Bytes to write next. Bounded by Limits::output_bytes plus one frame: more is only produced
  // after written() has made room. Valid until the next call of a non-const method.
  virtual std::string_view output(Instant now) = 0;
  virtual void written(std::size_t bytes) = 0;

  // False while received bytes wait for release() or for an answer to go out first.
  virtual bool wants_input() const = 0;

  virtual std::optional<Instant> next_deadline() const = 0;
  virtual void on_time(Instant now) = 0;

  // A body that said Waiting has news.
  virtual void resume(StreamId id) = 0;

  // The bytes of a received body were used up: the peer may send as many again.
  virtual void release(StreamId id, std::size_t bytes) = 0;

  // No new streams from now on; those that are open may end within Timeouts::drain.
  virtual void shutdown(Instant now) = 0;

  // True when the transport is to be closed: nothing more to read or to write.
  virtual bool finished() const = 0;

  // Why the session ends; nullopt while it lives and after an orderly end.
  virtual const std::optional<Error>& reason() const = 0;
};

// Whether a request that failed can have had an effect: the base of every rule about retries.
enum class Processed : std::uint8_t { No, Perhaps };

struct StreamFailure {
  Error error;
  Processed processed = Processed::Perhaps;
};

// Watches may be silent for as long as they like; they are spared the time-outs of short requests.
enum class RequestKind : std::uint8_t { Short, Watch };

struct Request {
  RequestHead head;
  Body body = {};
  RequestKind kind = RequestKind::Short;
};

// Gets head, body*, end in this order, or a failure at any point. Nothing follows end or failure.
class ResponseHandler {
 public:
  virtual ~ResponseHandler() = default;

  virtual void on_head(StreamId id, const ResponseHead& head) = 0;
  virtual void on_body(StreamId id, std::string_view bytes) = 0;  // Owes a release() of as many.
  virtual void on_end(StreamId id) = 0;
  virtual void on_failure(StreamId id, const StreamFailure& failure) = 0;
};

class ClientSession : public Session {
 public:
  // How many requests may be started now. 0 once the session is closing.
  virtual std::size_t free_streams() const = 0;
  virtual std::size_t open_streams() const = 0;

  // True once free_streams() is what the server allows rather than a guess: HTTP/2 servers say it
  // right after the connection is made. Those that do not say it within Timeouts::settings are not
  // waited for any longer.
  virtual bool settled() const = 0;

  // The handler must live until its stream ends or is cancelled. Refused without free streams.
  virtual Result<StreamId> start(Request request, ResponseHandler& handler, Instant now) = 0;

  // The handler hears nothing more. In HTTP/1.1 this ends the connection.
  virtual void cancel(StreamId id) = 0;

  // Cancels what was not answered in time. A server that has been silent since is asked for a sign
  // of life; until it comes, no streams are free.
  virtual void give_up(StreamId id, Instant now) = 0;
};

// How a request ended on the server.
enum class StreamEnd : std::uint8_t { Answered, Cancelled };

// Gets request, body*, end; on_closed is the last call, exactly once for each on_request. Once the
// handler has answered, it hears nothing but on_closed.
class RequestHandler {
 public:
  virtual ~RequestHandler() = default;

  virtual void on_request(StreamId id, RequestHead head) = 0;
  virtual void on_body(StreamId id, std::string_view bytes) = 0;  // Owes a release() of as many.
  virtual void on_end(StreamId id) = 0;

  // The body broke a limit or its framing and does not go on: no on_end follows. The handler
  // answers with respond(), as it does for every other error; the rest is not read.
  virtual void on_bad_body(StreamId id, const Error& error) = 0;

  virtual void on_closed(StreamId id, StreamEnd end) = 0;
};

// respond, reset, resume and release of a stream that is over are ignored: a client may go away at
// any time.
class ServerSession : public Session {
 public:
  virtual std::size_t open_streams() const = 0;

  // Once per request, at any time after on_request. The session adds what frames the body
  // (content-length, transfer-encoding, connection); fields of these names in `head` are dropped.
  virtual void respond(StreamId id, ResponseHead head, Body body) = 0;

  // Breaks the stream off, so that the client sees that the answer is not complete.
  virtual void reset(StreamId id) = 0;
};

// The handler of a server session must outlive it.
std::unique_ptr<ServerSession> make_server_session(Protocol protocol, const ServerOptions& options,
                                                   RequestHandler& handler, Instant now);
std::unique_ptr<ClientSession> make_client_session(Protocol protocol, const ClientOptions& options,
                                                   Instant now);

}  // namespace berth::http
