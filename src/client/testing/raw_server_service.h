// A server that sends whatever bytes a test wants, in answer to every request: for clients that
// must survive it. HTTP/1.1 without TLS, HTTP/2 frames with it.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "env/env.h"
#include "env/scope.h"

namespace berth::client::testing {

// What one request gets. `stream` is that of HTTP/2, else 0.
struct RawAnswer {
  std::string first = {};    // Sent at once,
  std::string endless = {};  // then this, again and again, for as long as the client takes it,
  Duration pause{};          // or, if this is not zero, one byte of it each time.
  bool close = false;        // After `first`.
};
using RawAnswering = std::function<RawAnswer(std::uint32_t stream)>;

class RawServer {
 public:
  RawServer(const env::Env& env, std::optional<env::TlsServer> tls, RawAnswering answering);
  ~RawServer();

  std::uint64_t requests() const { return requests_; }
  std::uint64_t connections() const { return connections_; }

 private:
  class Peer;

  env::Env env_;
  RawAnswering answering_;
  std::unique_ptr<env::Listener> listener_;
  std::vector<std::unique_ptr<Peer>> peers_;
  std::uint64_t requests_ = 0;
  std::uint64_t connections_ = 0;
  env::Scope scope_;
};

}  // namespace berth::client::testing
