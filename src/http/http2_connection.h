// What both sides of an HTTP/2 connection share: libnghttp2 with its output, flow control, PING for
// dead peers, GOAWAY, and the limits on floods. The sessions above add the meaning of streams.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/rate_limiter.h"
#include "base/time.h"
#include "http/body.h"
#include "http/limits.h"
#include "http/message.h"
#include "http/output_buffer.h"
#include "http/stall_watch.h"

struct nghttp2_session;

namespace berth::http {

// RFC 9113, 7.
enum class Http2Code : std::uint32_t {
  NoError = 0,
  InternalError = 2,
  RefusedStream = 7,
  Cancel = 8,
  EnhanceYourCalm = 11,
};
std::string_view http2_code_name(std::uint32_t code);

// What happens on the streams of a connection, told to the session while it receives or sends.
class Http2Events {
 public:
  virtual ~Http2Events() = default;

  virtual void on_headers_begin(std::int32_t stream) = 0;
  virtual void on_header(std::int32_t stream, const Headers::Field& field) = 0;
  virtual void on_headers_end(std::int32_t stream) = 0;
  virtual void on_data(std::int32_t stream, std::string_view bytes) = 0;
  virtual void on_received_all(std::int32_t stream) = 0;

  virtual Pull on_pull(std::int32_t stream, std::span<char> room) = 0;
  virtual void on_headers_sent(std::int32_t stream) = 0;
  virtual void on_sent_all(std::int32_t stream) = 0;

  // The last word about a stream.
  virtual void on_stream_closed(std::int32_t stream, std::uint32_t code) = 0;
};

enum class Side : std::uint8_t { Client, Server };
enum class Content : std::uint8_t { None, Pulled };  // Whether a body follows the head.

class Http2Connection {
 public:
  struct Options {
    Side side;
    Limits limits;
    Timeouts timeouts;
  };

  Http2Connection(const Options& options, Http2Events& events, Instant now);
  ~Http2Connection();
  Http2Connection(const Http2Connection&) = delete;
  Http2Connection& operator=(const Http2Connection&) = delete;

  void receive(std::string_view bytes, Instant now);
  std::string_view output(Instant now);
  void written(std::size_t bytes);
  bool wants_input() const;

  // Time-outs of the connection as a whole. `open_streams` is for the idle one.
  std::optional<Instant> next_deadline(std::size_t open_streams) const;
  void on_time(std::size_t open_streams, Instant now);

  // Returns the new stream's id; 0 when none is left.
  std::int32_t submit_request(const RequestHead& head, std::optional<std::uint64_t> length,
                              Content content);
  void submit_response(std::int32_t stream, const ResponseHead& head,
                       std::optional<std::uint64_t> length, Content content);
  void submit_continue(std::int32_t stream);
  void reset(std::int32_t stream, Http2Code code);
  void resume(std::int32_t stream);
  void release(std::int32_t stream, std::size_t bytes);
  std::uint32_t peer_streams_max() const;

  // Announces the end and lets open streams finish until Timeouts::drain.
  void drain(Instant now);
  // Ends the connection with a GOAWAY that says why.
  void terminate(Http2Code code, std::optional<Error> error);
  // The transport is gone.
  void abandon(std::optional<Error> error);

  // The peer's SETTINGS are here, or have been waited for long enough.
  bool settled() const { return greeted_ || now_ >= opened_ + timeouts_.settings; }
  bool draining() const { return draining_; }  // No new streams, from either side.
  bool dying() const { return dying_; }        // No stream will get any further.
  bool finished() const;

  // Asks the peer for a sign of life unless it has given one after `since`.
  void doubt(Instant since, Instant now);
  bool doubted() const { return doubted_; }  // It has not come yet.

  Instant now() const { return now_; }
  const std::optional<Error>& reason() const { return reason_; }

 private:
  struct Callbacks;
  void create(const Options& options);
  void send();
  void after_nghttp2(int outcome);
  void final_goaway();
  bool count_frame(std::uint8_t type, std::size_t length, std::uint8_t flags);
  bool count_reset();
  void ping(Instant now);
  std::optional<Instant> silence_deadline() const;
  std::optional<Instant> head_deadline() const;

  const Side side_;
  const Limits limits_;
  const Timeouts timeouts_;
  Http2Events& events_;
  nghttp2_session* session_ = nullptr;
  OutputBuffer output_;
  StallWatch stall_;
  RateLimiter resets_;
  RateLimiter control_frames_;
  Instant now_;
  Instant opened_;
  Instant heard_at_;    // When the peer last sent anything.
  Instant idle_since_;  // When the last stream closed.
  std::optional<Instant> ping_sent_;
  bool doubted_ = false;
  std::optional<Instant> head_begun_;
  bool greeted_ = false;  // The peer's SETTINGS are here.
  bool draining_ = false;
  bool dying_ = false;
  bool gone_ = false;                   // The transport is.
  std::optional<Instant> goaway_at_;    // When the final GOAWAY follows the notice.
  std::optional<Instant> drain_until_;  // When what has not ended is cut off.
  std::string complaint_;               // libnghttp2's latest about the peer.
  std::optional<Error> reason_;
};

}  // namespace berth::http
