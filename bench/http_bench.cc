// How many requests per second do an HTTP client and server session carry, without a network?
//
// Conditions: one thread; client and server sessions back to back in memory; GET with 4 KiB answers
// of shared text and the header fields of a Kubernetes answer; all streams kept busy; no TLS.
// "server_ns" is the processor time of the server session for one request.

#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <benchmark/benchmark.h>

#include "http/session.h"

namespace {

using namespace berth;
using namespace berth::http;

class Server final : public RequestHandler {
 public:
  void on_request(StreamId, RequestHead) override {}
  void on_body(StreamId, std::string_view) override {}
  void on_end(StreamId id) override {
    ResponseHead head;
    head.headers.add("content-type", "application/json");
    head.headers.add("cache-control", "no-cache, private");
    head.headers.add("audit-id", "5b1f0a52-7f4e-4a3c-9d2b-0c2f6a0f3f11");
    session->respond(id, std::move(head), Body(text));
  }
  void on_bad_body(StreamId, const Error&) override {}
  void on_closed(StreamId, StreamEnd) override {}

  ServerSession* session = nullptr;
  std::shared_ptr<const std::string> text = std::make_shared<const std::string>(4096, 'x');
};

class Client final : public ResponseHandler {
 public:
  void on_head(StreamId, const ResponseHead&) override {}
  void on_body(StreamId id, std::string_view bytes) override { session->release(id, bytes.size()); }
  void on_end(StreamId) override { ++done; }
  void on_failure(StreamId, const StreamFailure&) override { std::abort(); }

  void start(Instant now) {
    RequestHead head = {.target = "/api/v1/namespaces/default/pods/web-0", .authority = "hub:6443"};
    head.headers.add("accept", "application/json");
    head.headers.add("user-agent", "berth/0.1 (linux/amd64)");
    head.headers.add("authorization", "Bearer 0123456789012345678901234567890123456789");
    if (!session->start({.head = std::move(head)}, *this, now).ok()) std::abort();
  }

  ClientSession* session = nullptr;
  std::int64_t done = 0;
};

// Of this thread, so that a busy machine does not blur the figure.
std::int64_t cpu_time() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

void gets(benchmark::State& state, Protocol protocol) {
  const auto streams = static_cast<std::size_t>(state.range(0));
  const Instant now(std::chrono::hours(1));
  Server service;
  Client requests;
  const auto server = make_server_session(protocol, {}, service, now);
  const auto client = make_client_session(protocol, {}, now);
  service.session = server.get();
  requests.session = client.get();
  std::int64_t in_server = 0;
  for (auto _ : state) {
    while (client->open_streams() < streams) requests.start(now);
    const std::string_view asked = client->output(now);
    const std::int64_t begin = cpu_time();
    server->receive(asked, now);
    in_server += cpu_time() - begin;
    client->written(asked.size());
    while (true) {
      const std::int64_t start = cpu_time();
      const std::string_view answered = server->output(now);
      in_server += cpu_time() - start;
      if (answered.empty()) break;
      client->receive(answered, now);
      server->written(answered.size());
    }
  }
  state.SetItemsProcessed(requests.done);
  state.counters["server_ns"] = static_cast<double>(in_server) / static_cast<double>(requests.done);
}

}  // namespace

BENCHMARK_CAPTURE(gets, http1, Protocol::Http1)->ArgName("streams")->Arg(1);
BENCHMARK_CAPTURE(gets, http2, Protocol::Http2)->ArgName("streams")->Arg(1)->Arg(64);
