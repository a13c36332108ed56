#include "http/pool_policy.h"

#include <optional>

namespace berth::http {
namespace {

using State = ConnectionView::State;

// How many more requests of that kind the connection can take.
std::size_t room(const ConnectionView& connection, RequestKind kind) {
  if (connection.state != State::Ready) return 0;
  const bool keeps_one = kind == RequestKind::Watch && connection.protocol == Protocol::Http2;
  if (!keeps_one) return connection.free_streams;
  return connection.free_streams > 0 ? connection.free_streams - 1 : 0;
}

// Short requests take the emptiest connection, watches the fullest that has room; ties go to the
// older one.
std::optional<std::size_t> best(std::span<const ConnectionView> connections, RequestKind kind) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < connections.size(); ++i) {
    if (room(connections[i], kind) == 0) continue;
    const bool better =
        !found || (kind == RequestKind::Watch
                       ? connections[i].free_streams < connections[*found].free_streams
                       : connections[i].free_streams > connections[*found].free_streams);
    if (better) found = i;
  }
  return found;
}

}  // namespace

PoolChoice choose_connection(std::span<const ConnectionView> connections, const PoolDemand& demand,
                             const PoolLimits& limits) {
  using Action = PoolChoice::Action;
  if (const auto found = best(connections, demand.kind)) {
    return {.action = Action::Use, .connection = *found};
  }
  std::size_t open = 0;
  std::size_t connecting = 0;
  std::optional<Protocol> protocol;
  for (const ConnectionView& connection : connections) {
    if (connection.state == State::Draining) continue;
    ++open;
    if (connection.state == State::Connecting) ++connecting;
    if (connection.state == State::Ready) protocol = connection.protocol;
    if (connection.state == State::Ready && !connection.settled) return {.action = Action::Wait};
  }
  if (open >= limits.connections) return {.action = Action::Wait};
  if (connecting == 0) return {.action = Action::Open};
  // A connection on its way may carry a hundred requests or one. Only where it is known to be one
  // (the server speaks HTTP/1.1) is a further one worth opening before it is there.
  const bool one_each = protocol == Protocol::Http1;
  const bool enough = !one_each || demand.queued_before < connecting;
  return {.action = enough ? Action::Wait : Action::Open};
}

}  // namespace berth::http
