// One attempt to reach a peer: resolve, try each address within its share of the time, greet.

#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "env/clock.h"
#include "env/network.h"
#include "env/scope.h"
#include "runtime/endpoint.h"
#include "runtime/handshake.h"
#include "runtime/socket_network.h"

namespace berth::runtime {

// Destroying it abandons the attempt.
class SocketNetwork::Connecting {
 public:
  // The callback runs once and may destroy this. `tls` is null for plain bytes.
  Connecting(SocketNetwork& network, env::ConnectOptions options,
             std::shared_ptr<const TlsContext> tls, env::Connected done);

 private:
  void resolved(Result<std::vector<env::Address>> addresses);
  void try_next();
  void attempt(const Endpoint& endpoint);
  void established(env::Address address);
  void failed(Error error);
  void finish(Result<std::unique_ptr<env::Stream>> result);
  Duration share_of_time() const;

  IoLoop& loop_;
  const env::Clock& clock_;
  env::ConnectOptions options_;
  std::shared_ptr<const TlsContext> tls_;
  env::Connected done_;
  Instant deadline_;
  std::vector<Endpoint> endpoints_;
  std::size_t next_ = 0;
  std::unique_ptr<Descriptor> descriptor_;
  std::unique_ptr<Handshake> handshake_;
  env::Timer timer_;
  env::Scope scope_;
};

}  // namespace berth::runtime
