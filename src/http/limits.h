// Every bound of an HTTP session: sizes, rates and times. A peer that reaches one gets a clear
// error and costs no more memory.

#pragma once

#include <cstddef>
#include <cstdint>

#include "base/rate_limiter.h"
#include "base/time.h"

namespace berth::http {

struct Limits {
  // Of one head, or of the trailers after one body. Go's server allows 1 MiB and its client 10 MiB;
  // nothing in Kubernetes comes near 128 KiB.
  std::size_t header_bytes = 128 * 1024;
  std::size_t header_count = 256;
  std::size_t target_bytes = 32 * 1024;  // Long label selectors travel in the query.
  std::uint64_t body_bytes = 0;          // Of a body that is received, other than a watch's.

  // HTTP/2. A server offers `streams` to a client; a client never uses more than its own `streams`,
  // whatever the server offers.
  std::uint32_t streams = 100;
  // What the peer may send on one stream before release() has returned the credit. This, times the
  // streams, bounds what unread bodies can occupy. In HTTP/1.1 it is the same for the one body.
  std::uint32_t stream_window = 256 * 1024;
  std::uint32_t connection_window = 1024 * 1024;
  std::uint32_t continuation_frames = 16;
  std::uint32_t settings_entries = 32;
  // Streams that the peer abandons, or that its own mistakes end (rapid reset and its relatives). A
  // client that stops all its watches at once is no attack.
  RateLimit resets = {.per_second = 50, .burst = 500};
  // PING, SETTINGS, PRIORITY and empty DATA: what costs work and carries nothing.
  RateLimit control_frames = {.per_second = 200, .burst = 1000};
  std::size_t acks_queued = 100;  // Answers to PING and SETTINGS that the peer does not read.

  // A session stops producing output while so much is waiting to be written.
  std::size_t output_bytes = 64 * 1024;
};

struct Timeouts {
  Duration head = std::chrono::seconds(32);           // From a head's first byte to its last.
  Duration idle = std::chrono::seconds(90);           // Connection without a request.
  Duration body_progress = std::chrono::seconds(60);  // Between two pieces of a body that is due.
  Duration send_progress = std::chrono::seconds(60);  // The peer takes nothing of what is ready.
  Duration drain = std::chrono::seconds(10);          // From shutdown() to the end of all streams.
  Duration linger = std::chrono::seconds(1);          // Reading on after an answer that came early.

  // Client only. How long the server's SETTINGS are waited for before the connection's room counts
  // as known without them.
  Duration settings = std::chrono::seconds(5);
  // How long a server may think about a short request before its head arrives.
  Duration response_head = std::chrono::seconds(90);
  Duration ping_after = std::chrono::seconds(30);   // Silence after which a peer has to show life.
  Duration ping_answer = std::chrono::seconds(15);  // How long it has for that.
};

// Kubernetes' own limit for a request's body.
inline constexpr std::uint64_t kRequestBodyMax = 3 * 1024 * 1024;

struct ServerOptions {
  Limits limits = {.body_bytes = kRequestBodyMax};
  Timeouts timeouts = {};
};

struct ClientOptions {
  Limits limits = {.body_bytes = 256 * 1024 * 1024,
                   .streams = 2000,
                   .stream_window = 1024 * 1024,
                   .connection_window = 16 * 1024 * 1024};
  Timeouts timeouts = {};
};

}  // namespace berth::http
