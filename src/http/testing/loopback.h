// A client and a server session back to back in memory, and handlers that write down what happens.

#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.h"
#include "http/session.h"

namespace berth::http::testing {

struct Answer {
  std::optional<ResponseHead> head = std::nullopt;
  std::string body = {};
  int ends = 0;
  std::vector<StreamFailure> failures = {};
};

// Keeps every answer. Returns credit at once, unless told to hold it.
class Recorder final : public ResponseHandler {
 public:
  explicit Recorder(ClientSession& session) : session_(session) {}

  void on_head(StreamId id, const ResponseHead& head) override { answers[id].head = head; }
  void on_body(StreamId id, std::string_view bytes) override {
    answers[id].body += bytes;
    held += bytes.size();
    if (!holding) release(id, bytes.size());
  }
  void on_end(StreamId id) override { ++answers[id].ends; }
  void on_failure(StreamId id, const StreamFailure& failure) override {
    answers[id].failures.push_back(failure);
  }

  void release(StreamId id, std::size_t bytes) {
    held -= bytes;
    session_.release(id, bytes);
  }

  std::map<StreamId, Answer> answers;
  std::size_t held = 0;
  bool holding = false;

 private:
  ClientSession& session_;
};

struct Seen {
  RequestHead head = {};
  std::string body = {};
  bool ended = false;
  std::vector<Error> bad_body = {};
  std::optional<StreamEnd> closed = std::nullopt;
};

// Keeps every request, and answers when one is complete, or at its head, as told.
class Service final : public RequestHandler {
 public:
  using Action = std::function<void(ServerSession&, StreamId, const Seen&)>;

  void on_request(StreamId id, RequestHead head) override {
    seen[id].head = std::move(head);
    if (at_head) at_head(*session, id, seen[id]);
  }
  void on_body(StreamId id, std::string_view bytes) override {
    seen[id].body += bytes;
    held += bytes.size();
    if (!holding) release(id, bytes.size());
  }
  void on_end(StreamId id) override {
    seen[id].ended = true;
    if (at_end) at_end(*session, id, seen[id]);
  }
  void on_bad_body(StreamId id, const Error& error) override {
    seen[id].bad_body.push_back(error);
    session->respond(id, {.status = http_status(error.code)}, Body(error.message));
  }
  void on_closed(StreamId id, StreamEnd end) override {
    if (seen[id].closed) ++closed_twice;
    seen[id].closed = end;
  }

  void release(StreamId id, std::size_t bytes) {
    held -= bytes;
    session->release(id, bytes);
  }

  std::map<StreamId, Seen> seen;
  Action at_head;
  Action at_end;
  ServerSession* session = nullptr;
  std::size_t held = 0;
  bool holding = false;
  int closed_twice = 0;
};

// Bytes that grow on demand: what is pushed, then Waiting, until it is ended.
class Tap final : public BodySource {
 public:
  struct State {
    std::string pending = {};
    std::size_t produced = 0;
    std::size_t endless = 0;  // Produces so many bytes more on its own.
    bool ended = false;
    bool failed = false;
    bool destroyed = false;
  };

  explicit Tap(std::shared_ptr<State> state) : state_(std::move(state)) {}
  ~Tap() override { state_->destroyed = true; }

  Pull pull(std::span<char> room) override {
    if (state_->failed) return {.state = Pull::State::Failed};
    if (state_->endless > 0) {
      const std::size_t bytes = std::min(room.size(), state_->endless);
      std::fill_n(room.begin(), bytes, 'x');
      state_->endless -= bytes;
      state_->produced += bytes;
      return {.bytes = bytes, .state = Pull::State::More};
    }
    const std::size_t bytes = std::min(room.size(), state_->pending.size());
    std::copy_n(state_->pending.begin(), bytes, room.begin());
    state_->pending.erase(0, bytes);
    state_->produced += bytes;
    if (!state_->pending.empty()) return {.bytes = bytes, .state = Pull::State::More};
    return {.bytes = bytes, .state = state_->ended ? Pull::State::End : Pull::State::Waiting};
  }

 private:
  std::shared_ptr<State> state_;
};

struct LoopbackOptions {
  Protocol protocol = Protocol::Http2;
  ClientOptions client = {};
  ServerOptions server = {};
};

class Loopback {
 public:
  explicit Loopback(const LoopbackOptions& options)
      : client(make_client_session(options.protocol, options.client, now)),
        server(make_server_session(options.protocol, options.server, service, now)),
        recorder(*client) {
    service.session = server.get();
  }

  StreamId get(std::string target, RequestKind kind = RequestKind::Short) {
    return start({.head = {.target = std::move(target), .authority = "hub"}, .kind = kind});
  }

  StreamId post(std::string target, Body body) {
    return start({.head = {.method = Method::Post, .target = std::move(target), .authority = "hub"},
                  .body = std::move(body)});
  }

  StreamId start(Request request) {
    return client->start(std::move(request), recorder, now).value();
  }

  // Moves bytes both ways until nothing moves any more.
  void run() {
    for (bool moved = true; moved;) {
      moved = move(*client, *server);
      moved = move(*server, *client) || moved;
    }
  }

  // The time passes in the steps that the sessions ask for.
  void advance(Duration length) {
    const Instant end = now + length;
    run();
    while (true) {
      const auto a = client->next_deadline();
      const auto b = server->next_deadline();
      const Instant next = std::min(a.value_or(Instant::max()), b.value_or(Instant::max()));
      if (next > end) break;
      now = std::max(now, next);
      client->on_time(now);
      server->on_time(now);
      run();
    }
    now = end;
  }

  const Answer& answer(StreamId id) { return recorder.answers[id]; }

  Instant now = Instant(std::chrono::hours(1));
  Service service;
  std::unique_ptr<ClientSession> client;
  std::unique_ptr<ServerSession> server;
  Recorder recorder;
  Random random{1};
  std::size_t piece_max = 100'000;
  bool cut = false;             // Nothing gets through.
  std::size_t output_peak = 0;  // The most that a session had ready at once.

 private:
  bool move(Session& from, Session& to) {
    if (cut) return false;
    const std::string_view output = from.output(now);
    output_peak = std::max(output_peak, output.size());
    if (output.empty() || !to.wants_input()) return false;
    const std::size_t size = 1 + random.below(std::min(output.size(), piece_max));
    const std::string bytes(output.substr(0, size));
    from.written(size);
    to.receive(bytes, now);
    return true;
  }
};

}  // namespace berth::http::testing
