#include "runtime/socket_network.h"

#include <algorithm>
#include <future>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/line_log.h"
#include "runtime/system_clock.h"
#include "runtime/testing/names.h"
#include "runtime/testing/socket_ends.h"

namespace berth::runtime {
namespace {

using namespace std::chrono_literals;
using testing::Awaited;
using testing::connect;
using testing::echo;
using testing::End;
using testing::has;
using testing::Heard;
using testing::kLocal;
using testing::nobody;
using testing::SocketNetworkTest;

TEST_F(SocketNetworkTest, ResolvesNamesToNumericAddresses) {
  Awaited<Result<std::vector<env::Address>>> found;
  run_on(client().loop, [&] {
    client().network.resolve({.host = "127.0.0.1", .port = 7},
                             [&](auto addresses) { found.put(std::move(addresses)); });
  });
  EXPECT_EQ(found.take(), (std::vector<env::Address>{{.host = "127.0.0.1", .port = 7}}));

  Awaited<Result<std::vector<env::Address>>> missing;
  run_on(client().loop, [&] {
    client().network.resolve({.host = "", .port = 7},
                             [&](auto addresses) { missing.put(std::move(addresses)); });
  });
  EXPECT_EQ(missing.take().error().code, Code::ServiceUnavailable);
}

TEST_F(SocketNetworkTest, CarriesBytesBothWaysAndClosesInOrder) {
  const env::Address address = listen({.address = kLocal}, &echo);
  End& end = open({.address = address});
  write(client(), end, "hello");
  end.wait_until(has("hello"));
  run_on(client().loop, [&] { end.stream().shutdown_write(); });
  End& other = *newest_.take();
  other.wait_until([](const Heard& heard) { return heard.ended; });
  EXPECT_FALSE(other.heard().closed.has_value());
}

TEST_F(SocketNetworkTest, AHalfClosedStreamStillSendsTheOtherWay) {
  const env::Address address = listen({.address = kLocal});
  End& end = open({.address = address});
  run_on(client().loop, [&] {
    end.stream().write("question");
    end.stream().shutdown_write();
    end.stream().write("ignored");
  });
  End& other = *newest_.take();
  other.wait_until([](const Heard& heard) { return heard.ended; });
  EXPECT_EQ(other.heard().received, "question");
  for (std::size_t i = 0; i < 2; ++i) {
    run_on(system_.env(i).loop, [&, i] {
      if (accepted_[i].empty()) return;
      other.stream().write("answer");
      other.stream().shutdown_write();
    });
  }
  const Heard heard = end.wait_until([](const Heard& h) { return h.closed.has_value(); });
  EXPECT_EQ(heard.received, "answer");
  EXPECT_TRUE(heard.closed->ok());
  other.wait_until([](const Heard& h) { return h.closed.has_value(); });
}

TEST_F(SocketNetworkTest, SaysWhoRefuses) {
  env::Address address = listen({.address = kLocal});
  run_on(server().loop, [this] { listener_.reset(); });
  const auto stream = connect(client(), {.address = address});
  ASSERT_FALSE(stream.ok());
  EXPECT_EQ(stream.error().code, Code::ServiceUnavailable);
  EXPECT_EQ(stream.error().message, "connect to " + to_string(address) + ": Connection refused");
}

TEST_F(SocketNetworkTest, ResolvesNames) {
  const env::Address address = listen({.address = kLocal}, &echo);
  End& end = open({.address = {.host = "localhost", .port = address.port}});
  write(client(), end, "x");
  end.wait_until(has("x"));
  const auto lost = connect(client(), {.address = {.host = nobody(), .port = 1}});
  ASSERT_FALSE(lost.ok());
  EXPECT_TRUE(lost.error().message.starts_with("resolve " + nobody() + ": "));
}

TEST(SocketNetworkNames, OneThatIsNotAnsweredHoldsUpNoOther) {
  std::promise<void> late;
  const LookUp look_up = [answer = late.get_future().share()](const std::string& host) {
    if (host.starts_with("silent")) answer.wait();
    return Result<std::vector<std::string>>({"127.0.0.1"});
  };
  const SystemClock clock;
  LineLog log(clock, {.level = env::Level::Error});
  IoLoop loop(clock);
  SocketNetwork network(loop, clock, log, look_up);
  std::vector<env::Seat> seats;
  seats.push_back({&network, [](auto) {}});
  const auto listener = network.listen({.address = kLocal}, std::move(seats));
  ASSERT_TRUE(listener.ok());
  const std::uint16_t port = (*listener)->address().port;

  bool reached = false;
  const auto finished = [&](const auto& stream) {
    reached = stream.ok();
    loop.stop();
  };
  for (const char* host : {"silent1.test", "silent2.test", "hub.test"}) {
    network.connect({.address = {.host = host, .port = port}, .connect_timeout = 5s}, finished);
  }
  loop.run();
  EXPECT_TRUE(reached);
  late.set_value();
}

TEST_F(SocketNetworkTest, RefusesAPortThatIsTaken) {
  const env::Address address = listen({.address = kLocal});
  run_on(client().loop, [&] {
    std::vector<env::Seat> seats;
    seats.push_back({&client().network, [](auto) {}});
    const auto second = client().network.listen({.address = address}, std::move(seats));
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error().message,
              "listen on " + to_string(address) + ": Address already in use");
  });
}

TEST_F(SocketNetworkTest, TellsTheOtherSideWhenAStreamIsDropped) {
  const env::Address address = listen({.address = kLocal});
  End& end = open({.address = address});
  End* other = newest_.take();
  write(client(), end, "unread bytes turn a close into a reset");
  other->wait_until([](const Heard& heard) { return !heard.received.empty(); });
  run_on(client().loop, [this] { clients_.clear(); });
  other->wait_until([](const Heard& heard) { return heard.ended || heard.closed.has_value(); });
}

TEST_F(SocketNetworkTest, ASlowReaderBoundsWhatTheWriterQueues) {
  const env::Address address = listen({.address = kLocal});
  constexpr std::size_t kBound = 256 * 1024;
  constexpr std::size_t kMore = 16 * 1024 * 1024;
  constexpr std::size_t kTooMuch = 1024 * 1024 * 1024;  // For the buffers of any two sockets.
  End& end = open({.address = address});
  End* other = newest_.take();
  const bool on_first = [&] {
    bool found = false;
    run_on(system_.env(0).loop, [&] { found = !accepted_[0].empty(); });
    return found;
  }();
  env::Env& reader = system_.env(on_first ? 0 : 1);
  run_on(reader.loop, [&] { other->stream().pause_reading(); });

  // Writes whenever there is room, as a good producer does.
  std::size_t produced = 0;
  std::size_t total = kTooMuch;
  std::size_t queued_most = 0;
  const std::string chunk(64 * 1024, 'x');
  const std::function<void()> produce = [&] {
    while (produced < total) {
      const std::size_t queued = end.stream().write(chunk);
      produced += chunk.size();
      queued_most = std::max(queued_most, queued);
      if (queued >= kBound) return;
    }
  };
  for (;;) {
    int drained = 0;
    run_on(client().loop, [&] {
      drained = end.heard().drained;
      produce();
    });
    ASSERT_LT(produced, kTooMuch) << "nothing holds the writer up";
    // The reader does not read, so soon the writer is never told to go on.
    bool stuck = false;
    for (int turn = 0; turn < 200; ++turn) {
      run_on(client().loop, [&] { stuck = end.heard().drained == drained; });
      if (!stuck) break;
    }
    if (stuck) break;
  }
  EXPECT_LE(queued_most, kBound + chunk.size());
  EXPECT_EQ(other->heard().received.size(), 0u);

  run_on(reader.loop, [&] { other->stream().resume_reading(); });
  total = produced + kMore;
  while (produced < total) {
    const int drained = end.heard().drained;
    if (drained > 0) run_on(client().loop, produce);
    if (produced < total) {
      end.wait_until([&](const Heard& heard) { return heard.drained > drained; });
    }
  }
  other->wait_until([&](const Heard& heard) { return heard.received.size() == total; });
}

TEST_F(SocketNetworkTest, ADestroyedStreamSaysNothingMoreEvenFromInsideACallback) {
  const env::Address address = listen({.address = kLocal}, &echo);
  Awaited<bool> destroyed;
  End& end = open({.address = address}, [&](End& /*end*/, std::string_view /*bytes*/) {
    auto gone = std::move(clients_);
    clients_.clear();
    destroyed.put(true);
  });
  write(client(), end, "bye");
  EXPECT_TRUE(destroyed.take());
}

TEST_F(SocketNetworkTest, ClosesStreamsBeyondTheLimit) {
  const env::Address address = listen({.address = kLocal, .streams_max = 1}, &echo);
  End& first = open({.address = address});
  write(client(), first, "x");
  first.wait_until(has("x"));
  End& second = open({.address = address});
  second.wait_until([](const Heard& heard) { return heard.ended || heard.closed.has_value(); });
  EXPECT_EQ(count_.load(), 1);
}

TEST_F(SocketNetworkTest, DealsStreamsToAllSeats) {
  const env::Address address = listen({.address = kLocal}, &echo);
  for (int i = 0; i < 4; ++i) {
    End& end = open({.address = address});
    write(client(), end, "x");
    end.wait_until(has("x"));
  }
  for (std::size_t i = 0; i < 2; ++i) {
    run_on(system_.env(i).loop, [&, i] { EXPECT_EQ(accepted_[i].size(), 2u); });
  }
}

TEST_F(SocketNetworkTest, HandlesAsManyConnectionsAtOnceAsTheSystemLetsIt) {
  // Each has two ends here.
  const int connections =
      static_cast<int>(std::min<std::size_t>(2000, (raise_descriptor_limit() - 200) / 2));
  const env::Address address = listen({.address = kLocal}, &echo);
  int left = connections;  // Of those whose outcome is not known yet.
  std::vector<std::string> failures;
  Awaited<bool> all;
  run_on(client().loop, [&] {
    const auto settle = [&] {
      if (--left == 0) all.put(true);
    };
    for (int i = 0; i < connections; ++i) {
      client().network.connect({.address = address}, [&, settle](auto stream) {
        if (!stream.ok()) {
          failures.push_back(stream.error().message);
          return settle();
        }
        clients_.push_back(std::make_unique<End>(std::move(*stream),
                                                 [settle](End&, std::string_view) { settle(); }));
        clients_.back()->stream().write("ping");
      });
    }
  });
  EXPECT_TRUE(all.take());
  EXPECT_EQ(failures, std::vector<std::string>());
  EXPECT_EQ(count_.load(), connections);
}

}  // namespace
}  // namespace berth::runtime
