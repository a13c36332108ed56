#include "runtime/socket_network.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <sys/socket.h>

#include "base/check.h"
#include "runtime/connecting.h"
#include "runtime/endpoint.h"
#include "runtime/socket_listener.h"
#include "runtime/system_error.h"

namespace berth::runtime {
namespace {

constexpr std::size_t kContextsKept = 8;
constexpr int kBacklog = 4096;

Result<Fd> open_listening(const env::Address& address) {
  const std::string doing = "listen on " + to_string(address);
  ASSIGN_OR_RETURN(const Endpoint endpoint, local_endpoint(address));
  Fd socket(::socket(endpoint.storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket.valid()) return failure(network_error(errno, doing));
  // Lets a restarted hub have its port back while old connections linger; two listeners on one port
  // are still refused.
  const int yes = 1;
  ::setsockopt(socket.number(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (::bind(socket.number(), endpoint.get(), endpoint.length) != 0 ||
      ::listen(socket.number(), kBacklog) != 0) {
    return failure(network_error(errno, doing));
  }
  return socket;
}

}  // namespace

SocketNetwork::SocketNetwork(IoLoop& loop, const env::Clock& clock, env::Log& log,
                             const LookUp& look_up)
    : loop_(loop), clock_(clock), log_(log), asked_(loop, look_up), dialled_(loop, look_up) {}

SocketNetwork::~SocketNetwork() = default;

Result<std::shared_ptr<const TlsContext>> SocketNetwork::client_context(
    const env::TlsClient& settings) {
  const auto known = std::ranges::find(contexts_, settings,
                                       [](const auto& pair) -> const auto& { return pair.first; });
  if (known != contexts_.end()) return known->second;
  ASSIGN_OR_RETURN(auto context, TlsContext::for_client(settings));
  if (contexts_.size() == kContextsKept) contexts_.erase(contexts_.begin());
  contexts_.emplace_back(settings, context);
  return context;
}

void SocketNetwork::resolve(env::Address address, env::Resolved done) {
  asked_.find(std::move(address), std::move(done));
}

void SocketNetwork::connect(env::ConnectOptions options, env::Connected done) {
  std::shared_ptr<const TlsContext> tls;
  if (options.tls) {
    auto context = client_context(*options.tls);
    if (!context.ok()) {
      loop_.post([error = std::move(context).error(), done = std::move(done)]() mutable {
        done(failure(std::move(error)));
      });
      return;
    }
    tls = std::move(*context);
  }
  const Id id = ++last_id_;
  auto finished = [this, id,
                   done = std::move(done)](Result<std::unique_ptr<env::Stream>> result) mutable {
    const auto attempt = connecting_.extract(id);
    done(std::move(result));
  };
  connecting_[id] =
      std::make_unique<Connecting>(*this, std::move(options), std::move(tls), std::move(finished));
}

Status SocketNetwork::check(const env::TlsClient& tls) {
  RETURN_IF_ERROR(client_context(tls));
  return {};
}

void SocketNetwork::secure(std::unique_ptr<env::Stream> stream, env::SecureOptions options,
                           env::Connected done) {
  CHECK(!options.tls.server_name.empty());
  const auto refuse = [&](Error error) {
    loop_.post([error = std::move(error), done = std::move(done)]() mutable {
      done(failure(std::move(error)));
    });
  };
  auto context = client_context(options.tls);
  if (!context.ok()) return refuse(std::move(context).error());
  // All streams of this process are of this class: a process lives in one world only.
  auto connection = static_cast<SocketStream&>(*stream).release();
  if (!connection.ok()) return refuse(std::move(connection).error());
  connection->peer = {.address = connection->peer.address};  // The rest is about the tunnel.
  connection->channel = (*context)->open(std::move(connection->channel), options.tls.server_name);
  const Id id = ++last_id_;
  auto finished = [this, id,
                   done = std::move(done)](Result<std::unique_ptr<env::Stream>> result) mutable {
    const auto handshake = greeting_.extract(id);
    done(std::move(result));
  };
  greeting_[id] = std::make_unique<Handshake>(loop_, clock_, *std::move(connection),
                                              options.handshake_timeout, std::move(finished));
}

Result<std::unique_ptr<env::Listener>> SocketNetwork::listen(env::ListenOptions options,
                                                             std::vector<env::Seat> seats) {
  CHECK(!seats.empty());
  std::shared_ptr<const TlsContext> tls;
  if (options.tls) {
    ASSIGN_OR_RETURN(tls, TlsContext::for_server(*options.tls));
  }
  ASSIGN_OR_RETURN(Fd socket, open_listening(options.address));
  std::vector<std::shared_ptr<ListenerSeat>> shared;
  for (env::Seat& seat : seats) {
    // All networks of this process are of this class: a process lives in one world only.
    shared.push_back(std::make_shared<ListenerSeat>(static_cast<SocketNetwork&>(*seat.network),
                                                    std::move(seat.accepted)));
  }
  return std::make_unique<SocketListener>(SocketListener::Parts{.loop = loop_,
                                                                .clock = clock_,
                                                                .log = log_,
                                                                .socket = std::move(socket),
                                                                .options = std::move(options),
                                                                .tls = std::move(tls),
                                                                .seats = std::move(shared)});
}

void SocketNetwork::greet(Arrival arrival, Greeted greeted) {
  const int fd = arrival.socket.number();
  auto channel = make_plain_channel(fd);
  if (arrival.tls) channel = arrival.tls->open(std::move(channel), {});
  Connection connection = {
      .descriptor = std::make_unique<Descriptor>(loop_, std::move(arrival.socket)),
      .channel = std::move(channel),
      .peer = std::move(arrival.peer),
      .ticket = std::move(arrival.ticket)};
  const Id id = ++last_id_;
  auto finished = [this, id, from = connection.peer.address, greeted = std::move(greeted)](
                      Result<std::unique_ptr<env::Stream>> result) mutable {
    const auto handshake = greeting_.extract(id);
    if (result.ok()) return greeted(std::move(*result));
    log_.debug("network.handshake_failed",
               {{"peer", to_string(from)}, {"error", result.error().message}});
  };
  greeting_[id] = std::make_unique<Handshake>(loop_, clock_, std::move(connection),
                                              arrival.handshake_timeout, std::move(finished));
}

}  // namespace berth::runtime
