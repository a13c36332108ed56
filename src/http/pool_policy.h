// Decides which connection a request takes. Pure: the pool that owns the connections asks, and does
// what the answer says.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "http/session.h"

namespace berth::http {

struct ConnectionView {
  enum class State : std::uint8_t { Connecting, Ready, Draining };

  State state = State::Ready;
  Protocol protocol = Protocol::Http2;  // Of one that is ready.
  std::size_t free_streams = 0;
  bool settled = true;  // The server has said how many streams there are.
};

struct PoolLimits {
  std::size_t connections = 25;  // Draining ones do not count: they only wait for their end.
};

struct PoolChoice {
  enum class Action : std::uint8_t { Use, Open, Wait };

  Action action;
  std::size_t connection = 0;  // Index of the one to use.

  bool operator==(const PoolChoice&) const = default;
};

struct PoolDemand {
  RequestKind kind = RequestKind::Short;
  std::size_t queued_before = 0;  // Requests that wait already and come first.
};

// A server that has not yet said how much one connection carries is waited for: what is free is a
// guess until then, and a burst on a new client would open connections that nobody needs.
//
// Short requests spread over the connections; watches fill one before the next, but never take a
// connection's last stream, so that no connection is lost to short requests. (HTTP/1.1 has one
// stream only: there a watch takes the connection, and the next request opens another.)
PoolChoice choose_connection(std::span<const ConnectionView> connections, const PoolDemand& demand,
                             const PoolLimits& limits);

}  // namespace berth::http
