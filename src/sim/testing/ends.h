// Ends of simulated streams for tests: they note all they hear.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "env/env.h"
#include "env/scope.h"

namespace berth::sim::testing {

class End final : public env::StreamHandler {
 public:
  using Reaction = std::function<void(End&, std::string_view)>;

  explicit End(std::unique_ptr<env::Stream> its_stream, Reaction on_bytes = {})
      : stream(std::move(its_stream)), on_bytes_(std::move(on_bytes)) {
    stream->start(*this);
  }

  void on_received(std::string_view bytes) override {
    received += bytes;
    if (on_bytes_) on_bytes_(*this, bytes);
  }
  void on_drained() override { ++drained; }
  void on_ended() override { ended = true; }
  void on_closed(const Status& why) override { closed = why; }

  std::unique_ptr<env::Stream> stream;
  std::string received;
  int drained = 0;
  bool ended = false;
  std::optional<Status> closed;

 private:
  Reaction on_bytes_;
};

// A program that listens on port 1 and keeps its ends.
class Server {
 public:
  explicit Server(env::Env& env, End::Reaction reaction = {}, env::ListenOptions options = kPlain) {
    std::vector<env::Seat> seats;
    seats.push_back({&env.network, scope_.guard([this, reaction](std::unique_ptr<env::Stream> s) {
                       ends.push_back(std::make_unique<End>(std::move(s), reaction));
                     })});
    listener = *env.network.listen(std::move(options), std::move(seats));
  }

  std::vector<std::unique_ptr<End>> ends;
  std::unique_ptr<env::Listener> listener;

  static inline const env::ListenOptions kPlain = {.address = {.host = "", .port = 1}};

 private:
  env::Scope scope_;
};

// A program that connects once.
class Client {
 public:
  Client(env::Env& env, env::ConnectOptions options, End::Reaction reaction = {}) {
    env.network.connect(std::move(options),
                        scope_.guard([this, reaction](Result<std::unique_ptr<env::Stream>> s) {
                          if (s.ok()) {
                            end = std::make_unique<End>(std::move(*s), reaction);
                          } else {
                            error = s.error();
                          }
                        }));
  }

  std::unique_ptr<End> end;
  std::optional<Error> error;

 private:
  env::Scope scope_;
};

}  // namespace berth::sim::testing
