// Byte streams to other machines, with TLS inside: connect, listen, send, receive.
//
// Errors carry one of these codes: Timeout (connecting or the handshake took too long),
// Unauthorized (one side did not accept the other's certificate), BadRequest (settings that cannot
// work, such as a key that does not fit its certificate), TooManyRequests (too many names are being
// looked up), ServiceUnavailable (everything else that a network does).

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "env/tls.h"

namespace berth::env {

struct Address {
  std::string host;  // A name, an IPv4 or an IPv6 address, without brackets.
  std::uint16_t port = 0;

  bool operator==(const Address&) const = default;
  auto operator<=>(const Address&) const = default;
};

// "host:port"; an IPv6 address in brackets.
std::string to_string(const Address& address);

// What is known about the other side once a stream is open.
struct Peer {
  Address address;            // Numeric.
  std::string protocol = {};  // The ALPN protocol both agreed on; empty: none.

  // The peer's verified chain in DER, its own certificate first. Empty if it showed none, if none
  // was asked for, or if what it showed is not right: then the next field says why.
  std::vector<std::string> certificates = {};
  std::string certificate_error = {};
};

// What a stream tells its owner. Always called on the stream's loop, never from inside a call to
// the stream. The owner may destroy the stream from inside each of these.
class StreamHandler {
 public:
  virtual ~StreamHandler() = default;

  // Bytes in order, valid during the call only. Never empty.
  virtual void on_received(std::string_view bytes) = 0;

  // All that was written has been handed to the network: nothing waits in this process any more.
  virtual void on_drained() = 0;

  // The peer will send no more; what we send still reaches it.
  virtual void on_ended() = 0;

  // The last call: the stream is gone in both directions. Ok if both sides had ended it; otherwise
  // bytes of either direction may be lost.
  virtual void on_closed(const Status& why) = 0;
};

// Belongs to one loop: it is used and destroyed there only. Destroying it aborts what is open,
// forgets what is queued, and the handler hears nothing more.
class Stream {
 public:
  virtual ~Stream() = default;

  // Begins to deliver; called before anything else but peer(). The handler outlives the stream.
  // Called again, another handler takes over; what the first one has heard is not repeated.
  virtual void start(StreamHandler& handler) = 0;

  // Queues the bytes (a copy) and never blocks or refuses. Whoever produces much looks at the
  // result, the bytes that wait in this process, stops at a bound of its own choice and goes on
  // after on_drained. Ignored after shutdown_write and after the close.
  virtual std::size_t write(std::string_view bytes) = 0;

  // While paused nothing is received and, soon, the peer cannot send. A stream starts resumed. A
  // close of the peer may go unnoticed while paused.
  virtual void pause_reading() = 0;
  virtual void resume_reading() = 0;

  // Ends our direction after what is queued; the peer hears on_ended.
  virtual void shutdown_write() = 0;

  virtual const Peer& peer() const = 0;
};

struct ConnectOptions {
  Address address;
  std::optional<TlsClient> tls = std::nullopt;            // Absent: plain bytes.
  Duration connect_timeout = std::chrono::seconds(30);    // Name resolution and TCP together.
  Duration handshake_timeout = std::chrono::seconds(10);  // TLS.
};

struct SecureOptions {
  TlsClient tls;  // With its server_name: nothing was dialled whose name could stand in.
  Duration handshake_timeout = std::chrono::seconds(10);
};

struct ListenOptions {
  Address address;                              // Port 0: any free one.
  std::optional<TlsServer> tls = std::nullopt;  // Absent: plain bytes.
  Duration handshake_timeout = std::chrono::seconds(10);
  std::size_t streams_max = 16'384;  // Open at the same time; one more is closed at once.
};

// Stops listening when it dies; streams that are open live on. Belongs to the loop that listens.
class Listener {
 public:
  virtual ~Listener() = default;

  virtual Address address() const = 0;  // With the port that was chosen.

  // For handshakes that begin from now on; open streams keep what they have. Settings that cannot
  // work are refused, and the old ones stay. Only for a listener that has TLS.
  virtual Status replace_tls(TlsServer tls) = 0;
};

using Connected = std::move_only_function<void(Result<std::unique_ptr<Stream>>)>;
using Accepted = std::move_only_function<void(std::unique_ptr<Stream>)>;
using Resolved = std::move_only_function<void(Result<std::vector<Address>>)>;

class Network;

// A loop on which accepted streams live. The callback runs there, once per stream, after its
// handshake; it has to stay callable until the loop stops, so guard it with a Scope.
struct Seat {
  Network* network;
  Accepted accepted;
};

// The network as one loop sees it: streams that it opens belong to that loop. Used on that loop
// only.
class Network {
 public:
  virtual ~Network() = default;

  // The numeric addresses behind a name, at least one, each with the port that was given, in the
  // order in which connect() would try them. For whoever has to see an address before anything is
  // sent to it. The callback runs once, later, on this loop, as late as the system's resolver says.
  virtual void resolve(Address address, Resolved done) = 0;

  // Tries the addresses behind a name one after the other. The callback runs once, later, on this
  // loop. Guard it with a Scope: a stream that nobody takes is closed.
  virtual void connect(ConnectOptions options, Connected done) = 0;

  // BadRequest where connect() would say so about such settings. For whoever has others that work
  // and had better keep them.
  virtual Status check(const TlsClient& tls) = 0;

  // Begins TLS on an open stream of this network, such as a way through a proxy. The stream is
  // taken over, also from inside a call to its handler, which hears nothing more. An error if bytes
  // wait in it to be sent. The callback is as for connect().
  virtual void secure(std::unique_ptr<Stream> stream, SecureOptions options, Connected done) = 0;

  // Accepted streams are dealt to the seats in turn, so that one listener can feed all I/O threads.
  // At least one seat; a peer whose handshake fails is dropped without a word to the seats.
  virtual Result<std::unique_ptr<Listener>> listen(ListenOptions options,
                                                   std::vector<Seat> seats) = 0;
};

}  // namespace berth::env
