// Bytes of any kind as a server's frames to an HTTP/2 client session with requests under way.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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
  const auto session = make_client_session(Protocol::Http2, {}, now);
  testing::Recorder recorder(*session);
  std::vector<StreamId> ids;
  for (const RequestKind kind : {RequestKind::Short, RequestKind::Watch, RequestKind::Short}) {
    Request request = {.head = {.method = Method::Post, .target = "/", .authority = "hub"},
                       .body = Body(std::string(100, 'x')),
                       .kind = kind};
    ids.push_back(session->start(std::move(request), recorder, now).value());
  }
  session->receive(testing::frame(testing::FrameType::Settings, 0, 0, ""), now);
  while (!bytes.empty() && !session->finished()) {
    session->receive(bytes.substr(0, piece), now);
    bytes.remove_prefix(std::min(piece, bytes.size()));
    now += std::chrono::milliseconds(100);
    session->on_time(now);
    session->written(session->output(now).size());
  }
  session->fail({.code = Code::ServiceUnavailable, .message = "gone"}, now);
  CHECK(session->finished());
  CHECK(session->open_streams() == 0);
  for (const StreamId id : ids) {
    const testing::Answer& answer = recorder.answers[id];
    CHECK(static_cast<std::size_t>(answer.ends) + answer.failures.size() == 1);
  }
  return 0;
}
