// Bytes of any kind as a server's answer to an HTTP/1.1 client session, in one piece and in
// several. The first byte chooses the method and the size of the pieces.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "http/session.h"
#include "http/testing/loopback.h"

namespace {

using namespace berth;
using namespace berth::http;

testing::Answer ask(std::string_view bytes, Method method, std::size_t piece) {
  const Instant now(std::chrono::hours(1));
  const auto session = make_client_session(Protocol::Http1, {}, now);
  testing::Recorder recorder(*session);
  const auto id = session->start({.head = {.method = method, .target = "/", .authority = "hub"}},
                                 recorder, now);
  session->written(session->output(now).size());
  while (!bytes.empty() && !session->finished()) {
    session->receive(bytes.substr(0, piece), now);
    bytes.remove_prefix(std::min(piece, bytes.size()));
    session->output(now);
  }
  session->receive_end(now);
  CHECK(session->finished());
  const testing::Answer& answer = recorder.answers[id.value()];
  CHECK(static_cast<std::size_t>(answer.ends) + answer.failures.size() == 1);
  return answer;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const Method method = data[0] % 4 == 0 ? Method::Head : Method::Get;
  const auto whole = ask(bytes, method, bytes.size() + 1);
  const auto pieces = ask(bytes, method, static_cast<std::size_t>(data[0]) / 4 + 1);
  CHECK(whole.head == pieces.head);
  CHECK(whole.body == pieces.body);
  CHECK(whole.ends == pieces.ends);
  return 0;
}
