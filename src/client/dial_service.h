// One attempt to reach a server: straight, or through a proxy with TLS inside the tunnel.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "env/clock.h"
#include "env/loop.h"
#include "env/network.h"
#include "env/scope.h"
#include "env/tls.h"
#include "http/proxy.h"
#include "http/tunnel.h"

namespace berth::client {

struct Route {
  env::Address server;
  std::optional<env::TlsClient> tls = std::nullopt;  // Absent: plain bytes.
  std::optional<http::Proxy> proxy = std::nullopt;
  Duration connect_timeout = std::chrono::seconds(30);    // Of TCP, and of the proxy's answer.
  Duration handshake_timeout = std::chrono::seconds(10);  // Of each TLS on the way.
};

// Destroying it abandons the attempt. Errors on the way through a proxy name the proxy, without its
// credentials.
class Dial final : public env::StreamHandler {
 public:
  struct World {
    env::Clock& clock;
    env::Loop& loop;
    env::Network& network;
  };

  // The callback runs once, later, on the loop; it may destroy the Dial.
  Dial(World world, Route route, env::Connected done);

  void on_received(std::string_view bytes) override;
  void on_drained() override {}
  void on_ended() override;
  void on_closed(const Status& why) override;

 private:
  void connect_to_server();
  void connect_to_proxy();
  void talk(std::unique_ptr<env::Stream> stream);
  void send_output();
  void on_open();
  void fail_at_proxy(Error error);
  void finish(Result<std::unique_ptr<env::Stream>> result);

  World world_;
  Route route_;
  env::Connected done_;
  std::unique_ptr<http::Tunnel> tunnel_;
  std::unique_ptr<env::Stream> stream_;  // To the proxy, while it is talked to.
  env::Timer deadline_;
  env::Scope scope_;
};

}  // namespace berth::client
