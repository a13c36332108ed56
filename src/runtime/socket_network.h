// TCP and TLS for one loop.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "env/clock.h"
#include "env/log.h"
#include "env/network.h"
#include "runtime/handshake.h"
#include "runtime/io_loop.h"
#include "runtime/lookups.h"
#include "runtime/tls_channel.h"

namespace berth::runtime {

class SocketNetwork final : public env::Network {
 public:
  SocketNetwork(IoLoop& loop, const env::Clock& clock, env::Log& log,
                const LookUp& look_up = look_up_by_system);
  ~SocketNetwork() override;

  void resolve(env::Address address, env::Resolved done) override;
  void connect(env::ConnectOptions options, env::Connected done) override;
  Status check(const env::TlsClient& tls) override;
  void secure(std::unique_ptr<env::Stream> stream, env::SecureOptions options,
              env::Connected done) override;
  Result<std::unique_ptr<env::Listener>> listen(env::ListenOptions options,
                                                std::vector<env::Seat> seats) override;

  // An accepted socket, still to be greeted. On this network's loop.
  struct Arrival {
    Fd socket;
    env::Peer peer;
    std::shared_ptr<const TlsContext> tls;  // Null: plain bytes.
    Duration handshake_timeout;
    std::shared_ptr<void> ticket;
  };
  using Greeted = std::move_only_function<void(std::unique_ptr<env::Stream>)>;
  void greet(Arrival arrival, Greeted greeted);

  IoLoop& loop() { return loop_; }

 private:
  class Connecting;
  using Id = std::uint64_t;

  Result<std::shared_ptr<const TlsContext>> client_context(const env::TlsClient& settings);

  IoLoop& loop_;
  const env::Clock& clock_;
  env::Log& log_;
  // Names that are only asked about may be anybody's: however many there are, they take no thread
  // from those that this process connects to.
  Lookups asked_;
  Lookups dialled_;
  Id last_id_ = 0;
  std::map<Id, std::unique_ptr<Connecting>> connecting_;
  std::map<Id, std::unique_ptr<Handshake>> greeting_;
  // The last settings used, because parsing certificates costs more than a handshake's arithmetic.
  std::vector<std::pair<env::TlsClient, std::shared_ptr<const TlsContext>>> contexts_;
};

}  // namespace berth::runtime
