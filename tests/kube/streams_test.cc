// Many requests and watches at once, within what the server allows on one connection.

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kube/blocking_api.h"
#include "kube/server.h"

namespace berth::kube {
namespace {

using namespace std::chrono_literals;
using json::Value;

constexpr int kRequests = 1000;
constexpr int kWatches = 200;

const client::ResourcePath kConfigMaps = {.resource = {.version = "v1", .resource = "configmaps"},
                                          .ns = "default"};

class CountingListener final : public client::WatchListener {
 public:
  void on_opened() override { ++opened; }
  void on_events(std::vector<client::WatchEvent> received) override {
    for (const client::WatchEvent& event : received) {
      if (event.type == client::WatchEvent::Type::Added) ++added;
    }
  }
  void on_closed(const Status& why) override {
    ++closed;
    if (!why.ok()) error = why.error().message;
  }

  int opened = 0;
  int added = 0;
  int closed = 0;
  std::string error = {};
};

struct Load {
  std::vector<std::unique_ptr<CountingListener>> watches = {};
  int answered = 0;
  int failed = 0;
  std::string error = {};

  bool all_open() const {
    for (const auto& watch : watches) {
      if (watch->opened != 1) return false;
    }
    return true;
  }
  bool all_heard() const {
    for (const auto& watch : watches) {
      if (watch->added != 1 || watch->closed != 0) return false;
    }
    return true;
  }
};

void start_watches(BlockingApi& api, Load& load) {
  api.on_loop([&] {
    for (int i = 0; i < kWatches; ++i) {
      load.watches.push_back(std::make_unique<CountingListener>());
      api.api().watch(kConfigMaps, {.selection = {.fields = "metadata.name=heard"}},
                      {.listener = load.watches.back().get()});
    }
  });
}

void start_requests(BlockingApi& api, Load& load) {
  api.on_loop([&] {
    for (int i = 0; i < kRequests; ++i) {
      api.api().list(kConfigMaps, {.limit = 1}, [&load](const Result<Value>& answer) {
        ++load.answered;
        if (!answer.ok()) {
          ++load.failed;
          load.error = answer.error().message;
        }
      });
    }
  });
}

// Returns how many connections it took.
std::size_t run_load(std::vector<std::string> flags) {
  auto started = Server::start({.flags = std::move(flags)});
  EXPECT_TRUE(started.ok()) << started.error().message;
  if (!started.ok()) return 0;
  // What one connection carries is known when the server has said it, however late that is.
  BlockingApi api(
      (*started)->kubeconfig(),
      {.rate = {.per_second = 0}, .http = {.timeouts = {.head = 2min, .settings = 2min}}});
  Load load;
  start_watches(api, load);
  EXPECT_TRUE(api.eventually([&] { return load.all_open(); }));
  start_requests(api, load);
  EXPECT_TRUE(api.eventually([&] { return load.answered == kRequests; }));
  EXPECT_EQ(load.failed, 0) << load.error;

  const auto created =
      api.create(kConfigMaps, Value::object({{"metadata", Value::object({{"name", "heard"}})}}));
  EXPECT_TRUE(created.ok());
  EXPECT_TRUE(api.eventually([&] { return load.all_heard(); }));
  std::size_t connections = 0;
  api.on_loop([&] { connections = api.api().connections(); });
  return connections;
}

TEST(Streams, FurtherConnectionsAreOpenedAtTheServersLimit) {
  // 200 watches on connections of 100 streams, of which each keeps one free for short requests.
  const std::size_t connections = run_load({});
  EXPECT_GE(connections, 3u);
  EXPECT_LE(connections, 25u);
}

TEST(Streams, OneConnectionIsEnoughWhereTheServerAllowsIt) {
  EXPECT_EQ(run_load({"--http2-max-streams-per-connection=2000"}), 1u);
}

}  // namespace
}  // namespace berth::kube
