// The time between a connected socket and a stream: the TLS handshake, if there is one, bounded.

#pragma once

#include <functional>
#include <memory>

#include "base/result.h"
#include "env/clock.h"
#include "env/loop.h"
#include "runtime/socket_stream.h"

namespace berth::runtime {

// Destroying it abandons the connection.
class Handshake {
 public:
  using Done = std::move_only_function<void(Result<std::unique_ptr<env::Stream>>)>;

  // The callback runs once, never from inside the constructor; it may destroy the Handshake.
  Handshake(IoLoop& loop, const env::Clock& clock, Connection connection, Duration timeout,
            Done done);

 private:
  void proceed();
  void finish(Result<std::unique_ptr<env::Stream>> result);

  IoLoop& loop_;
  Connection connection_;
  Done done_;
  env::Timer deadline_;
  env::Scope scope_;
};

}  // namespace berth::runtime
