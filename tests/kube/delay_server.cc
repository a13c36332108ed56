#include "kube/delay_server.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/check.h"
#include "env/env.h"
#include "env/scope.h"
#include "runtime/system.h"

namespace berth::kube {
namespace {

constexpr const char* kAnswer = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";

// Each piece that a client sends is a request of its own: they are small.
class Connection final : public env::StreamHandler {
 public:
  Connection(const env::Env& env, std::unique_ptr<env::Stream> stream, Duration delay)
      : env_(env), stream_(std::move(stream)), delay_(delay) {
    stream_->start(*this);
  }

  void on_received(std::string_view /*bytes*/) override {
    timer_ = env::after(env_.loop, env_.clock, delay_, [this] {
      if (stream_) stream_->write(kAnswer);
    });
  }
  void on_drained() override {}
  void on_ended() override { stream_.reset(); }
  void on_closed(const Status& /*why*/) override { stream_.reset(); }

  bool is_over() const { return !stream_; }

 private:
  env::Env env_;
  std::unique_ptr<env::Stream> stream_;
  Duration delay_;
  env::Timer timer_ = {};
};

}  // namespace

struct DelayServer::Serving {
  runtime::System system{{.loops = 1, .workers = 1, .log = {.level = env::Level::Error}}};
  std::vector<std::unique_ptr<Connection>> connections;
  std::unique_ptr<env::Listener> listener;
  env::Scope scope;
};

DelayServer::DelayServer(Duration delay) : serving_(std::make_unique<Serving>()) {
  env::Env& env = serving_->system.env(0);
  runtime::run_on(env.loop, [&] {
    std::vector<env::Seat> seats;
    seats.push_back({&env.network, serving_->scope.guard([serving = serving_.get(), delay](
                                                             std::unique_ptr<env::Stream> stream) {
                       std::erase_if(serving->connections,
                                     [](const auto& connection) { return connection->is_over(); });
                       serving->connections.push_back(std::make_unique<Connection>(
                           serving->system.env(0), std::move(stream), delay));
                     })});
    auto listener =
        env.network.listen({.address = {.host = "127.0.0.1", .port = 0}}, std::move(seats));
    CHECK(listener.ok());
    serving_->listener = *std::move(listener);
  });
}

DelayServer::~DelayServer() {
  runtime::run_on(serving_->system.env(0).loop, [this] {
    serving_->listener.reset();
    serving_->connections.clear();
    serving_->scope.renew();
  });
}

std::string DelayServer::url() const {
  return fmt::format("http://127.0.0.1:{}", serving_->listener->address().port);
}

}  // namespace berth::kube
