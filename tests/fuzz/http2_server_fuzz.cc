// Bytes of any kind into an HTTP/2 server session, behind a valid preface, with time passing.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "http/session.h"
#include "http/testing/frames.h"
#include "http/testing/loopback.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berth;
  using namespace berth::http;
  if (size == 0) return 0;
  std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t piece = static_cast<std::size_t>(data[0]) + 1;
  Instant now(std::chrono::hours(1));
  testing::Service service;
  const auto session = make_server_session(Protocol::Http2, {}, service, now);
  service.session = session.get();
  service.at_end = [](ServerSession& server, StreamId id, const testing::Seen& seen) {
    server.respond(id, {}, Body(seen.head.target + seen.body));
  };
  session->receive(testing::hello(), now);
  while (!bytes.empty() && !session->finished()) {
    session->receive(bytes.substr(0, piece), now);
    bytes.remove_prefix(std::min(piece, bytes.size()));
    now += std::chrono::milliseconds(100);
    session->on_time(now);
    const std::string_view out = session->output(now);
    CHECK(out.size() < 128 * 1024);
    session->written(out.size());
  }
  session->fail({.code = Code::ServiceUnavailable, .message = "gone"}, now);
  CHECK(session->finished());
  CHECK(session->open_streams() == 0);
  CHECK(service.closed_twice == 0);
  for (const auto& [id, seen] : service.seen) CHECK(seen.closed.has_value());
  return 0;
}
