// A client for tests of servers: one connection in whatever world, one session, all answers kept.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "env/env.h"
#include "env/scope.h"
#include "http/session.h"
#include "http/testing/loopback.h"

namespace berth::http::testing {

struct WebClientOptions {
  env::ConnectOptions connect;
  Protocol protocol = Protocol::Http1;  // Unless ALPN says something else.
  ClientOptions session = {};
  std::function<void()> on_news = [] {};  // After everything that happens.
};

// Lives on one loop. Requests that are started before the connection is there wait for it.
class WebClient final : public env::StreamHandler {
 public:
  WebClient(env::Env& env, WebClientOptions options) : env_(env), options_(std::move(options)) {
    env_.network.connect(options_.connect,
                         scope_.guard([this](Result<std::unique_ptr<env::Stream>> stream) {
                           if (stream.ok()) {
                             open(*std::move(stream));
                           } else {
                             closed = failure(stream.error());
                           }
                           options_.on_news();
                         }));
  }

  bool is_open() const { return session != nullptr && !closed; }

  StreamId start(Request request) {
    request.head.authority = "hub";
    const StreamId id = session->start(std::move(request), *recorder, now()).value();
    flush();
    return id;
  }
  StreamId get(std::string target) { return start({.head = {.target = std::move(target)}}); }
  StreamId post(std::string target, Body body) {
    return start(
        {.head = {.method = Method::Post, .target = std::move(target)}, .body = std::move(body)});
  }
  void cancel(StreamId id) {
    session->cancel(id);
    flush();
  }
  void release(StreamId id, std::size_t bytes) {
    recorder->release(id, bytes);
    flush();
  }
  void hang_up() { stream_.reset(); }

  const Answer& answer(StreamId id) { return recorder->answers[id]; }

  void on_received(std::string_view bytes) override {
    session->receive(bytes, now());
    flush();
  }
  void on_drained() override { flush(); }
  void on_ended() override {
    ended = true;
    session->receive_end(now());
    flush();
  }
  void on_closed(const Status& why) override {
    closed = why;
    session->fail({.code = Code::ServiceUnavailable, .message = "gone"}, now());
    options_.on_news();
  }

  std::unique_ptr<ClientSession> session;
  std::optional<Recorder> recorder;
  std::optional<Status> closed;
  bool ended = false;  // The server has ended its side.

 private:
  Instant now() const { return env_.clock.monotonic(); }

  void open(std::unique_ptr<env::Stream> stream) {
    stream_ = std::move(stream);
    const bool h2 = stream_->peer().protocol == alpn_name(Protocol::Http2);
    session =
        make_client_session(h2 ? Protocol::Http2 : options_.protocol, options_.session, now());
    recorder.emplace(*session);
    stream_->start(*this);
    flush();
  }

  void flush() {
    while (stream_ && !closed) {
      const std::string_view bytes = session->output(now());
      if (bytes.empty()) break;
      stream_->write(bytes);
      session->written(bytes.size());
    }
    if (stream_ && session->finished()) stream_.reset();
    if (stream_) session->wants_input() ? stream_->resume_reading() : stream_->pause_reading();
    options_.on_news();
  }

  env::Env& env_;
  WebClientOptions options_;
  std::unique_ptr<env::Stream> stream_;
  env::Scope scope_;
};

}  // namespace berth::http::testing
