// How many events per second does the simulator run? Machines in pairs send 100 bytes back and
// forth; each trip is a write, an arrival, a delivery and an acknowledgement.

#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "env/env.h"
#include "env/scope.h"
#include "sim/world.h"

namespace berth::sim {
namespace {

class Echo final : public env::StreamHandler {
 public:
  explicit Echo(std::unique_ptr<env::Stream> stream) : stream_(std::move(stream)) {
    stream_->start(*this);
  }
  env::Stream& stream() { return *stream_; }
  void on_received(std::string_view bytes) override { stream_->write(bytes); }
  void on_drained() override {}
  void on_ended() override {}
  void on_closed(const Status& /*why*/) override {}

 private:
  std::unique_ptr<env::Stream> stream_;
};

class Server {
 public:
  explicit Server(env::Env& env) {
    std::vector<env::Seat> seats;
    seats.push_back({&env.network, scope_.guard([this](std::unique_ptr<env::Stream> stream) {
                       echoes_.push_back(std::make_unique<Echo>(std::move(stream)));
                     })});
    listener_ = *env.network.listen({.address = {.host = "", .port = 1}}, std::move(seats));
  }

 private:
  std::vector<std::unique_ptr<Echo>> echoes_;
  std::unique_ptr<env::Listener> listener_;
  env::Scope scope_;
};

class Client {
 public:
  Client(env::Env& env, const std::string& server) {
    env.network.connect({.address = {.host = server, .port = 1}},
                        scope_.guard([this](Result<std::unique_ptr<env::Stream>> stream) {
                          echo_ = std::make_unique<Echo>(std::move(*stream));
                          echo_->stream().write(std::string(100, 'x'));
                        }));
  }

 private:
  std::unique_ptr<Echo> echo_;
  env::Scope scope_;
};

void events_per_second(benchmark::State& state) {
  World world({.seed = 1});
  for (int i = 0; i < state.range(0); ++i) {
    const std::string server = "server" + std::to_string(i);
    world.add_node(server).start(
        [](std::span<env::Env> loops) { return std::make_shared<Server>(loops[0]); });
    world.add_node("client" + std::to_string(i)).start([server](std::span<env::Env> loops) {
      return std::make_shared<Client>(loops[0], server);
    });
  }
  world.run_for(std::chrono::seconds(1));
  const std::uint64_t before = world.schedule().executed();
  for (auto _ : state) world.run_for(std::chrono::milliseconds(10));
  state.SetItemsProcessed(static_cast<std::int64_t>(world.schedule().executed() - before));
}
BENCHMARK(events_per_second)->Arg(1)->Arg(100)->Arg(1000);

}  // namespace
}  // namespace berth::sim
