// A listening socket that deals the streams it accepts to its seats.

#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include "env/clock.h"
#include "env/log.h"
#include "env/network.h"
#include "env/scope.h"
#include "runtime/io_loop.h"
#include "runtime/socket_network.h"
#include "runtime/tls_channel.h"

namespace berth::runtime {

// One seat, shared by the listener's loop and the seat's. The callback is called on the latter
// only.
struct ListenerSeat {
  SocketNetwork& network;
  env::Accepted accepted;
};

class SocketListener final : public env::Listener {
 public:
  struct Parts {
    IoLoop& loop;
    const env::Clock& clock;
    env::Log& log;
    Fd socket;  // Bound and listening.
    env::ListenOptions options;
    std::shared_ptr<const TlsContext> tls;
    std::vector<std::shared_ptr<ListenerSeat>> seats;
  };
  explicit SocketListener(Parts parts);
  ~SocketListener() override = default;

  env::Address address() const override;
  Status replace_tls(env::TlsServer tls) override;

 private:
  void wait();
  void accept_some();
  bool accept_one();
  void deal(Fd socket, env::Address from);

  IoLoop& loop_;
  const env::Clock& clock_;
  env::Log& log_;
  Descriptor descriptor_;
  env::ListenOptions options_;
  std::shared_ptr<const TlsContext> tls_;
  std::vector<std::shared_ptr<ListenerSeat>> seats_;
  std::size_t next_seat_ = 0;
  std::shared_ptr<std::atomic<std::size_t>> open_;  // Streams, on all seats.
  env::Timer retry_;
};

}  // namespace berth::runtime
