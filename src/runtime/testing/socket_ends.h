// A server and a client on real sockets, each on a loop of its own, and the ends of their streams.

#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/system.h"
#include "runtime/testing/ends.h"

namespace berth::runtime::testing {

inline const env::Address kLocal = {.host = "127.0.0.1"};

// A server whose accepted ends are kept, one client loop, one or two server loops.
class SocketNetworkTest : public ::testing::Test {
 protected:
  ~SocketNetworkTest() override {
    run_on(server().loop, [this] { listener_.reset(); });
    for (std::size_t i = 0; i < system_.loops(); ++i) {
      run_on(system_.env(i).loop, [this, i] { accepted_[i].clear(); });
    }
    run_on(client().loop, [this] { clients_.clear(); });
  }

  env::Env& server() { return system_.env(0); }
  env::Env& client() { return system_.env(1); }

  env::Address listen(env::ListenOptions options, End::Reaction reaction = {}) {
    env::Address address;
    run_on(server().loop, [&] {
      std::vector<env::Seat> seats;
      for (std::size_t i = 0; i < system_.loops(); ++i) {
        seats.push_back({&system_.env(i).network, [this, i, reaction](auto stream) {
                           accepted_[i].push_back(
                               std::make_unique<End>(std::move(stream), reaction));
                           newest_.put(accepted_[i].back().get());
                           count_.fetch_add(1);
                         }});
      }
      auto listener = server().network.listen(std::move(options), std::move(seats));
      ASSERT_TRUE(listener.ok()) << listener.error().message;
      listener_ = std::move(*listener);
      address = listener_->address();
    });
    return address;
  }

  // The client's end of a new stream.
  End& open(env::ConnectOptions options, End::Reaction reaction = {}) {
    auto stream = connect(client(), std::move(options));
    EXPECT_TRUE(stream.ok()) << stream.error().message;
    End* end = nullptr;
    run_on(client().loop, [&] {
      clients_.push_back(std::make_unique<End>(std::move(*stream), std::move(reaction)));
      end = clients_.back().get();
    });
    return *end;
  }

  void write(env::Env& env, End& end, std::string_view bytes) {
    run_on(env.loop, [&] { end.stream().write(bytes); });
  }

  System system_{{.loops = 2, .workers = 1, .log = {.level = env::Level::Error}}};
  std::unique_ptr<env::Listener> listener_;
  std::vector<std::unique_ptr<End>> accepted_[2];
  std::vector<std::unique_ptr<End>> clients_;
  Awaited<End*> newest_;
  std::atomic<int> count_ = 0;
};

inline void echo(End& end, std::string_view bytes) { end.stream().write(bytes); }

inline std::function<bool(const Heard&)> has(std::string text) {
  return [text = std::move(text)](const Heard& heard) { return heard.received == text; };
}

}  // namespace berth::runtime::testing
