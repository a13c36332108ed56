// A small proxy for tests: HTTP CONNECT or SOCKS5, with or without a login, on whatever network it
// is given. What goes through it is not looked at.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "env/env.h"
#include "env/scope.h"

namespace berth::client::testing {

enum class ProxyProtocol : std::uint8_t { Connect, Socks5 };

struct ProxyServerOptions {
  ProxyProtocol protocol = ProxyProtocol::Connect;
  env::Address listen = {.host = "", .port = 3128};
  std::optional<env::TlsServer> tls = std::nullopt;  // An https proxy.
  std::string username = {};                         // Empty: everybody is welcome.
  std::string password = {};
  std::string answer = {};  // Said instead of letting anybody through; "-": closes, ".": silence.
};

class ProxyServer {
 public:
  ProxyServer(const env::Env& env, ProxyServerOptions options);
  ~ProxyServer();

  env::Address address() const { return listener_->address(); }

  // The servers that were asked for, as "host:port".
  const std::vector<std::string>& targets() const { return targets_; }

 private:
  class Guest;

  env::Env env_;
  ProxyServerOptions options_;
  std::unique_ptr<env::Listener> listener_;
  std::vector<std::unique_ptr<Guest>> guests_;
  std::vector<std::string> targets_;
  env::Scope scope_;
};

}  // namespace berth::client::testing
