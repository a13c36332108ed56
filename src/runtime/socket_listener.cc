// Tested by socket_network_test.cc.

#include "runtime/socket_listener.h"

#include <cerrno>
#include <utility>

#include <sys/socket.h>

#include "base/check.h"
#include "runtime/endpoint.h"
#include "runtime/socket_options.h"
#include "runtime/system_error.h"

namespace berth::runtime {
namespace {

constexpr int kAcceptsPerTurn = 64;
constexpr Duration kRetryAfterExhaustion = std::chrono::milliseconds(100);

std::shared_ptr<void> take_ticket(const std::shared_ptr<std::atomic<std::size_t>>& open) {
  open->fetch_add(1);
  return {open.get(), [open](void* /*counter*/) { open->fetch_sub(1); }};
}

}  // namespace

SocketListener::SocketListener(Parts parts)
    : loop_(parts.loop),
      clock_(parts.clock),
      log_(parts.log),
      descriptor_(parts.loop, std::move(parts.socket)),
      options_(std::move(parts.options)),
      tls_(std::move(parts.tls)),
      seats_(std::move(parts.seats)),
      open_(std::make_shared<std::atomic<std::size_t>>(0)) {
  wait();
}

env::Address SocketListener::address() const {
  Endpoint endpoint;
  endpoint.length = sizeof endpoint.storage;
  CHECK(::getsockname(descriptor_.fd(), reinterpret_cast<sockaddr*>(&endpoint.storage),
                      &endpoint.length) == 0);
  return endpoint.address();
}

Status SocketListener::replace_tls(env::TlsServer tls) {
  CHECK(tls_ != nullptr);
  ASSIGN_OR_RETURN(tls_, TlsContext::for_server(tls));
  return {};
}

void SocketListener::wait() {
  descriptor_.when_readable([this] { accept_some(); });
}

void SocketListener::accept_some() {
  for (int i = 0; i < kAcceptsPerTurn; ++i) {
    if (accept_one()) continue;
    const bool exhausted =
        errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
    if (!exhausted) break;
    // The socket stays readable: waiting for it again at once would spin.
    log_.error("network.accept_failed", {{"error", describe(errno, "accept")}});
    retry_ = env::after(loop_, clock_, kRetryAfterExhaustion, [this] { accept_some(); });
    return;
  }
  wait();
}

// False when there is nothing more to accept, or errno says what is wrong.
bool SocketListener::accept_one() {
  Endpoint from;
  from.length = sizeof from.storage;
  Fd socket(::accept4(descriptor_.fd(), reinterpret_cast<sockaddr*>(&from.storage), &from.length,
                      SOCK_NONBLOCK | SOCK_CLOEXEC));
  // The peer may be gone again already; that says nothing about the next one.
  if (!socket.valid()) return errno == ECONNABORTED || errno == EINTR || errno == EPROTO;
  deal(std::move(socket), from.address());
  return true;
}

void SocketListener::deal(Fd socket, env::Address from) {
  if (open_->load() >= options_.streams_max) {
    log_.warn("network.too_many_streams",
              {{"peer", to_string(from)}, {"streams_max", options_.streams_max}});
    return;
  }
  tune_stream(socket.number());
  const auto seat = seats_[next_seat_++ % seats_.size()];
  SocketNetwork::Arrival arrival = {.socket = std::move(socket),
                                    .peer = {.address = std::move(from)},
                                    .tls = tls_,
                                    .handshake_timeout = options_.handshake_timeout,
                                    .ticket = take_ticket(open_)};
  seat->network.loop().post([seat, arrival = std::move(arrival)]() mutable {
    seat->network.greet(std::move(arrival), [seat](std::unique_ptr<env::Stream> stream) {
      seat->accepted(std::move(stream));
    });
  });
}

}  // namespace berth::runtime
