// Tested by socket_network_test.cc.

#include "runtime/handshake.h"

#include <utility>

#include <fmt/core.h>

namespace berth::runtime {

Handshake::Handshake(IoLoop& loop, const env::Clock& clock, Connection connection, Duration timeout,
                     Done done)
    : loop_(loop), connection_(std::move(connection)), done_(std::move(done)) {
  deadline_ = env::after(loop, clock, timeout, [this] {
    finish(failure(Code::Timeout, fmt::format("TLS handshake with {}: timed out",
                                              to_string(connection_.peer.address))));
  });
  loop.post(scope_.guard([this] { proceed(); }));
}

void Handshake::proceed() {
  const Progress progress = connection_.channel->handshake();
  switch (progress.need) {
    case Need::Nothing:
      connection_.channel->describe(connection_.peer);
      return finish(std::make_unique<SocketStream>(loop_, std::move(connection_)));
    case Need::Readability:
      return connection_.descriptor->when_readable([this] { proceed(); });
    case Need::Writability:
      return connection_.descriptor->when_writable([this] { proceed(); });
    case Need::End:
      return finish(failure(Code::ServiceUnavailable, "TLS handshake: the peer ended it"));
    case Need::Failure:
      return finish(failure(progress.error));
  }
}

void Handshake::finish(Result<std::unique_ptr<env::Stream>> result) {
  deadline_.cancel();
  scope_.renew();
  Done done = std::move(done_);  // It may destroy us.
  done(std::move(result));
}

}  // namespace berth::runtime
