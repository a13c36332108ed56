// What a connection does with its descriptor: plain bytes, or TLS. Never blocks; says what it needs
// to go on.

#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "base/error.h"
#include "env/network.h"

namespace berth::runtime {

enum class Need {
  Nothing,      // It is done; for a read, `bytes` have come.
  Readability,  // Again when the descriptor is readable,
  Writability,  // or writable.
  End,          // The peer has ended its direction.
  Failure,      // `error` says why; the connection is of no more use.
};

struct Progress {
  Need need = Need::Nothing;
  std::size_t bytes = 0;
  Error error = {};
};

class Channel {
 public:
  virtual ~Channel() = default;

  virtual Progress handshake() = 0;
  virtual Progress read(std::span<char> into) = 0;
  virtual Progress write(std::string_view bytes) = 0;  // May take only some of the bytes.
  virtual Progress end() = 0;                          // Ends our direction.

  // Bytes can be read without the descriptor becoming readable: they are inside already.
  virtual bool has_pending() const = 0;

  // Adds what the handshake has told about the peer.
  virtual void describe(env::Peer& peer) const = 0;
};

// The descriptor is borrowed.
std::unique_ptr<Channel> make_plain_channel(int fd);

}  // namespace berth::runtime
