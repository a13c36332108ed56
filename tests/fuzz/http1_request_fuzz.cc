// Bytes of any kind into an HTTP/1.1 server session; in one piece and in several, with the same
// outcome. The first byte chooses the size of the pieces.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/check.h"
#include "http/session.h"
#include "http/testing/loopback.h"

namespace {

using namespace berth;
using namespace berth::http;

std::string serve(std::string_view bytes, std::size_t piece) {
  const Instant now(std::chrono::hours(1));
  testing::Service service;
  const auto session = make_server_session(Protocol::Http1, {}, service, now);
  service.session = session.get();
  service.at_end = [](ServerSession& server, StreamId id, const testing::Seen& seen) {
    server.respond(id, {}, Body(seen.head.target + seen.body));
  };
  std::string sent;
  while (!bytes.empty() && !session->finished()) {
    session->receive(bytes.substr(0, piece), now);
    bytes.remove_prefix(std::min(piece, bytes.size()));
    for (std::string_view out; !(out = session->output(now)).empty();) {
      sent += out;
      session->written(out.size());
    }
  }
  session->receive_end(now);
  CHECK(session->open_streams() == 0);
  CHECK(service.closed_twice == 0);
  return sent;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  // A refusal may quote more or less of a bad line, depending on how much of it had arrived.
  const std::string whole = serve(bytes, bytes.size() + 1);
  const std::string pieces = serve(bytes, static_cast<std::size_t>(data[0]) + 1);
  CHECK(whole.substr(0, 12) == pieces.substr(0, 12));
  return 0;
}
