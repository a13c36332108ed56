// The simulated network as one loop of a process sees it.

#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "env/network.h"
#include "sim/fabric.h"
#include "sim/sim_loop.h"

namespace berth::sim {

class SimNetwork final : public env::Network {
 public:
  SimNetwork(Fabric& fabric, std::string host, SimLoop& loop);

  // A machine's name is its address.
  void resolve(env::Address address, env::Resolved done) override;
  // A host is a machine's name; "localhost", 127.0.0.1 and ::1 are the own machine.
  void connect(env::ConnectOptions options, env::Connected done) override;
  Status check(const env::TlsClient& tls) override;
  void secure(std::unique_ptr<env::Stream> stream, env::SecureOptions options,
              env::Connected done) override;
  Result<std::unique_ptr<env::Listener>> listen(env::ListenOptions options,
                                                std::vector<env::Seat> seats) override;

  std::shared_ptr<SimLoop> loop() const { return loop_.shared_from_this(); }

 private:
  Fabric& fabric_;
  std::string host_;
  SimLoop& loop_;
};

class SimListener final : public env::Listener {
 public:
  SimListener(Fabric& fabric, std::string host, env::ListenOptions options,
              std::vector<env::Seat> seats);
  ~SimListener() override;

  Status bind();

  env::Address address() const override { return {.host = host_, .port = port_}; }
  Status replace_tls(env::TlsServer tls) override;

  const env::ListenOptions& options() const { return options_; }

  struct Place {
    std::shared_ptr<SimLoop> loop;
    env::Accepted accepted;
  };
  // The seat whose turn it is; null if its process has died or the limit is reached.
  std::shared_ptr<Place> next_place();
  std::shared_ptr<void> take_ticket();

 private:
  Fabric& fabric_;
  std::string host_;
  env::ListenOptions options_;
  std::uint16_t port_ = 0;
  std::vector<std::shared_ptr<Place>> places_;
  std::size_t next_place_ = 0;
  std::shared_ptr<std::size_t> open_ = std::make_shared<std::size_t>(0);
};

}  // namespace berth::sim
