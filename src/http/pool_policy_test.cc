#include "http/pool_policy.h"

#include <vector>

#include <gtest/gtest.h>

namespace berth::http {
namespace {

using Action = PoolChoice::Action;
using State = ConnectionView::State;

constexpr PoolChoice kOpen = {.action = Action::Open};
constexpr PoolChoice kWait = {.action = Action::Wait};
constexpr PoolChoice use(std::size_t i) { return {.action = Action::Use, .connection = i}; }

ConnectionView http2(std::size_t free) { return {.free_streams = free}; }
ConnectionView http1(std::size_t free) {
  return {.protocol = Protocol::Http1, .free_streams = free};
}
constexpr ConnectionView kConnecting = {.state = State::Connecting};

PoolChoice choose(const std::vector<ConnectionView>& connections, const PoolDemand& demand = {}) {
  return choose_connection(connections, demand, {.connections = 3});
}

TEST(PoolPolicy, OpensTheFirstConnection) { EXPECT_EQ(choose({}), kOpen); }

TEST(PoolPolicy, SpreadsShortRequestsAndPacksWatches) {
  const std::vector<ConnectionView> connections = {http2(5), http2(40), http2(0)};
  EXPECT_EQ(choose(connections), use(1));
  EXPECT_EQ(choose(connections, {.kind = RequestKind::Watch}), use(0));
}

TEST(PoolPolicy, NeverGivesTheLastStreamToAWatch) {
  EXPECT_EQ(choose({http2(1)}, {.kind = RequestKind::Watch}), kOpen);
  EXPECT_EQ(choose({http2(1)}), use(0));
  EXPECT_EQ(choose({http2(1), http2(1), http2(1)}, {.kind = RequestKind::Watch}), kWait);
}

TEST(PoolPolicy, GivesAWholeHttp1ConnectionToAWatch) {
  EXPECT_EQ(choose({http1(1)}, {.kind = RequestKind::Watch}), use(0));
  EXPECT_EQ(choose({http1(0)}, {.kind = RequestKind::Watch}), kOpen);
}

TEST(PoolPolicy, WaitsAtTheLimitButDoesNotCountWhatIsDraining) {
  EXPECT_EQ(choose({http2(0), http2(0), http2(0)}), kWait);
  const ConnectionView draining = {.state = State::Draining, .free_streams = 7};
  EXPECT_EQ(choose({http2(0), http2(0), draining}), kOpen);
}

TEST(PoolPolicy, DoesNotOpenAConnectionForEachOfManyRequestsAtOnce) {
  EXPECT_EQ(choose({kConnecting}, {.queued_before = 50}), kWait);
  EXPECT_EQ(choose({http2(0), kConnecting}, {.queued_before = 50}), kWait);
  EXPECT_EQ(choose({http1(0), kConnecting}, {.queued_before = 0}), kWait);
  EXPECT_EQ(choose({http1(0), kConnecting}, {.queued_before = 1}), kOpen);
}

TEST(PoolPolicy, DoesNotOpenAnotherWhileTheServerHasNotSaidWhatOneCarries) {
  ConnectionView unsettled = http2(0);
  unsettled.settled = false;
  EXPECT_EQ(choose({unsettled}), kWait);
  EXPECT_EQ(choose({http2(0), unsettled}), kWait);
  EXPECT_EQ(choose({unsettled, http2(3)}), use(1)) << "what is free elsewhere is used";
  unsettled.free_streams = 1;
  EXPECT_EQ(choose({unsettled}), use(0)) << "the guess is good enough to begin with";
  EXPECT_EQ(choose({unsettled}, {.kind = RequestKind::Watch}), kWait);
  unsettled.state = State::Draining;
  EXPECT_EQ(choose({unsettled}), kOpen);
}

// The promise of the client: 1,000 requests and 200 watches with 100 streams on a connection.
TEST(PoolPolicy, CarriesAThousandRequestsBesideTwoHundredWatches) {
  std::vector<ConnectionView> connections;
  const auto take = [&](RequestKind kind) {
    const PoolChoice choice = choose_connection(connections, {.kind = kind}, {.connections = 25});
    ASSERT_NE(choice.action, Action::Wait);
    if (choice.action == Action::Open) connections.push_back(http2(100));
    const std::size_t i =
        choice.action == Action::Open ? connections.size() - 1 : choice.connection;
    ASSERT_GT(connections[i].free_streams, kind == RequestKind::Watch ? 1u : 0u);
    --connections[i].free_streams;
  };
  for (int i = 0; i < 200; ++i) take(RequestKind::Watch);
  EXPECT_EQ(connections.size(), 3u);
  for (int i = 0; i < 1000; ++i) take(RequestKind::Short);
  EXPECT_EQ(connections.size(), 12u);
}

}  // namespace
}  // namespace berth::http
