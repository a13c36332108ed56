// Tested by socket_network_test.cc.

#include "runtime/connecting.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fmt/core.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "runtime/socket_options.h"
#include "runtime/system_error.h"

namespace berth::runtime {
namespace {

// As Go's dialler: an address that does not answer must not eat the time of the next one, but gets
// at least this much.
constexpr Duration kShareMin = std::chrono::seconds(2);

}  // namespace

SocketNetwork::Connecting::Connecting(SocketNetwork& network, env::ConnectOptions options,
                                      std::shared_ptr<const TlsContext> tls, env::Connected done)
    : loop_(network.loop_),
      clock_(network.clock_),
      options_(std::move(options)),
      tls_(std::move(tls)),
      done_(std::move(done)),
      deadline_(clock_.monotonic() + options_.connect_timeout) {
  timer_ = env::after(loop_, clock_, options_.connect_timeout, [this] {
    finish(failure(Code::Timeout, fmt::format("resolve {}: timed out", options_.address.host)));
  });
  network.dialled_.find(options_.address,
                        scope_.guard([this](Result<std::vector<env::Address>> addresses) {
                          resolved(std::move(addresses));
                        }));
}

void SocketNetwork::Connecting::resolved(Result<std::vector<env::Address>> addresses) {
  if (!addresses.ok()) return finish(failure(std::move(addresses).error()));
  for (const env::Address& address : *addresses) {
    auto endpoint = numeric_endpoint(address);
    if (!endpoint.ok()) return finish(failure(std::move(endpoint).error()));
    endpoints_.push_back(*endpoint);
  }
  try_next();
}

Duration SocketNetwork::Connecting::share_of_time() const {
  const Duration left = deadline_ - clock_.monotonic();
  const auto addresses = static_cast<std::int64_t>(endpoints_.size() - next_);
  return std::min(left, std::max(left / addresses, kShareMin));
}

void SocketNetwork::Connecting::try_next() {
  const Duration share = share_of_time();
  const Endpoint& endpoint = endpoints_[next_++];
  timer_ = env::after(loop_, clock_, share, [this, &endpoint] {
    failed({.code = Code::Timeout,
            .message = fmt::format("connect to {}: timed out", to_string(endpoint.address()))});
  });
  attempt(endpoint);
}

void SocketNetwork::Connecting::attempt(const Endpoint& endpoint) {
  const std::string doing = "connect to " + to_string(endpoint.address());
  Fd socket(::socket(endpoint.storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket.valid()) return failed(network_error(errno, doing));
  tune_stream(socket.number());
  const int result = ::connect(socket.number(), endpoint.get(), endpoint.length);
  if (result != 0 && errno != EINPROGRESS) return failed(network_error(errno, doing));

  descriptor_ = std::make_unique<Descriptor>(loop_, std::move(socket));
  descriptor_->when_writable([this, doing, address = endpoint.address()] {
    int error = 0;
    socklen_t length = sizeof error;
    ::getsockopt(descriptor_->fd(), SOL_SOCKET, SO_ERROR, &error, &length);
    if (error != 0) return failed(network_error(error, doing));
    established(address);
  });
}

void SocketNetwork::Connecting::established(env::Address address) {
  timer_.cancel();
  const std::string& name = options_.tls && !options_.tls->server_name.empty()
                                ? options_.tls->server_name
                                : options_.address.host;
  const int fd = descriptor_->fd();
  auto channel = make_plain_channel(fd);
  if (tls_) channel = tls_->open(std::move(channel), name);
  Connection connection = {.descriptor = std::move(descriptor_),
                           .channel = std::move(channel),
                           .peer = {.address = std::move(address)}};
  handshake_ = std::make_unique<Handshake>(
      loop_, clock_, std::move(connection), options_.handshake_timeout,
      [this](Result<std::unique_ptr<env::Stream>> result) { finish(std::move(result)); });
}

void SocketNetwork::Connecting::failed(Error error) {
  descriptor_.reset();
  if (next_ < endpoints_.size() && deadline_ > clock_.monotonic()) return try_next();
  finish(failure(std::move(error)));
}

void SocketNetwork::Connecting::finish(Result<std::unique_ptr<env::Stream>> result) {
  timer_.cancel();
  scope_.renew();
  env::Connected done = std::move(done_);  // It may destroy us.
  done(std::move(result));
}

}  // namespace berth::runtime
