#include "control/operations_service.h"

#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "http/gzip.h"
#include "http/testing/web_client_service.h"
#include "sim/world.h"

namespace berth::control {
namespace {

using namespace std::chrono_literals;
using http::testing::WebClient;

class OperationsTest : public ::testing::Test {
 protected:
  OperationsTest() {
    world_.add_node("server").start([this](std::span<env::Env> loops) {
      env::Env& env = loops[0];
      env.metrics.counter({"things_total", "Things."}).increment();
      auto operations = std::make_shared<Operations>(
          Operations::World{env.clock, env.loop, env.network, env.metrics});
      operations_ = operations.get();
      open(8080, {Topic::Health, Topic::Metrics, Topic::Added});
      return operations;
    });
    world_.run_for(1us);
    connect_to(8080);
  }

  void open(std::uint16_t port, const Topics& topics) {
    EXPECT_TRUE(operations_->listen({.address = {.host = "", .port = port}}, topics).ok());
  }

  void connect_to(std::uint16_t port) {
    client_ = nullptr;
    world_.add_node("client" + std::to_string(port)).start([this, port](std::span<env::Env> loops) {
      auto client = std::make_shared<WebClient>(
          loops[0], http::testing::WebClientOptions{
                        .connect = {.address = {.host = "server", .port = port}}});
      client_ = client.get();
      return client;
    });
    world_.run_until([this] { return client_ && client_->is_open(); }, 1s);
  }

  http::testing::Answer ask(http::Request request) {
    const http::StreamId id = client_->start(std::move(request));
    world_.run_until([&] { return client_->answer(id).ends > 0; }, 1s);
    return client_->answer(id);
  }
  http::testing::Answer get(std::string target) {
    return ask({.head = {.target = std::move(target)}});
  }

  Operations* operations_ = nullptr;
  WebClient* client_ = nullptr;
  sim::World world_{{}};
};

TEST_F(OperationsTest, AProgramWithoutChecksIsHealthy) {
  for (const char* path : {"/healthz", "/livez", "/readyz", "/livez/ping", "/readyz/"}) {
    const auto answer = get(path);
    EXPECT_EQ(answer.head->status, 200) << path;
    EXPECT_EQ(answer.body, "ok") << path;
    EXPECT_EQ(answer.head->headers.find("content-type"), "text/plain; charset=utf-8");
    EXPECT_EQ(answer.head->headers.find("x-content-type-options"), "nosniff");
  }
  EXPECT_EQ(get("/readyz?verbose").body, "[+]ping ok\n[+]shutdown ok\nreadyz check passed\n");
}

TEST_F(OperationsTest, AProgramThatIsNotReadyIsAlive) {
  bool synced = false;
  operations_->add_check(Probe::Ready, {"informer-sync", [&]() -> Status {
                                          if (synced) return {};
                                          return failure(Code::ServiceUnavailable, "no clusters");
                                        }});
  EXPECT_EQ(get("/readyz").head->status, 500);
  EXPECT_EQ(get("/livez").head->status, 200);
  EXPECT_EQ(get("/readyz?exclude=informer-sync").head->status, 200);
  EXPECT_EQ(get("/readyz/informer-sync").body, "internal server error: no clusters\n");
  EXPECT_EQ(get("/livez/informer-sync").head->status, 404);
  synced = true;
  EXPECT_EQ(get("/readyz").body, "ok");
}

TEST_F(OperationsTest, AProgramThatIsNotAliveIsNotReady) {
  operations_->add_check(
      Probe::Live, {"leader", []() -> Status { return failure(Code::InternalError, "stuck"); }});
  for (const char* path : {"/healthz", "/livez", "/readyz"}) {
    EXPECT_EQ(get(path).head->status, 500) << path;
  }
}

TEST_F(OperationsTest, AShutdownShowsBeforeTheEnd) {
  operations_->begin_shutdown();
  EXPECT_EQ(get("/readyz").head->status, 500);
  EXPECT_EQ(get("/livez").head->status, 200);
  bool drained = false;
  operations_->drain([&] { drained = true; });
  EXPECT_TRUE(world_.run_until([&] { return drained; }, 5s));
}

TEST_F(OperationsTest, ShowsTheMetrics) {
  const auto answer = get("/metrics");
  EXPECT_EQ(answer.head->headers.find("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_NE(answer.body.find("things_total 1\n"), std::string::npos) << answer.body;
  http::Request request{.head = {.target = "/metrics"}};
  request.head.headers.add("accept", "application/openmetrics-text;version=1.0.0,*/*;q=0.1");
  request.head.headers.add("accept-encoding", "gzip");
  const auto compressed = ask(std::move(request));
  EXPECT_EQ(compressed.head->headers.find("content-encoding"), "gzip");
  EXPECT_EQ(http::gunzip(compressed.body, {}).value(), answer.body);
}

TEST_F(OperationsTest, TakesTheLongestRouteThatFits) {
  const auto says = [](std::string text) {
    return [text](const http::ServerRequest&, http::Answer answer) { answer.send({}, text); };
  };
  operations_->add_route("/debug/", says("debug"));
  operations_->add_route("/debug/placements/", says("placements"));
  operations_->add_route("/version", says("1"));
  EXPECT_EQ(get("/debug/x").body, "debug");
  EXPECT_EQ(get("/debug/").body, "debug");
  EXPECT_EQ(get("/debug/placements/ns/name?x=/y").body, "placements");
  EXPECT_EQ(get("/version").body, "1");
  for (const char* path : {"/", "/debug", "/version/", "/metrics/x"}) {
    EXPECT_EQ(get(path).head->status, 404) << path;
  }
}

TEST_F(OperationsTest, AnAddressServesOnlyWhatItIsFor) {
  operations_->add_route("/debug/", [](const http::ServerRequest&, http::Answer answer) {
    answer.send({}, std::string("debug"));
  });
  struct Case {
    Topics topics;
    std::set<std::string> served;
  };
  const Case cases[] = {
      {{Topic::Health}, {"/healthz", "/livez", "/readyz/ping"}},
      {{Topic::Metrics}, {"/metrics"}},
      {{Topic::Metrics, Topic::Added}, {"/metrics", "/debug/x"}},
  };
  std::uint16_t port = 8080;
  for (const Case& c : cases) {
    open(++port, c.topics);
    connect_to(port);
    for (const char* path : {"/healthz", "/livez", "/readyz/ping", "/metrics", "/debug/x"}) {
      EXPECT_EQ(get(path).head->status, c.served.contains(path) ? 200 : 404) << port << path;
    }
  }
  bool drained = false;
  operations_->drain([&] { drained = true; });
  EXPECT_TRUE(world_.run_until([&] { return drained; }, 5s)) << "all addresses";
}

TEST(OperationsAddresses, HealthIsForEverybodyAndTheRestIsNot) {
  const auto at = [](std::string host, std::uint16_t port) {
    return env::Address{.host = std::move(host), .port = port};
  };
  const Topics health = {Topic::Health};
  const Topics numbers = {Topic::Metrics, Topic::Added};
  const Topics both = {Topic::Health, Topic::Metrics};
  const Topics all = {Topic::Health, Topic::Metrics, Topic::Added};
  using Served = std::map<env::Address, Topics>;
  EXPECT_EQ(topics_by_address({}), Served());
  EXPECT_EQ(topics_by_address({.health = at("0.0.0.0", 1)}), (Served{{at("0.0.0.0", 1), health}}));
  EXPECT_EQ(topics_by_address({.metrics = at("0.0.0.0", 2)}),
            (Served{{at("0.0.0.0", 2), numbers}}));
  EXPECT_EQ(topics_by_address({.health = at("0.0.0.0", 1), .metrics = at("127.0.0.1", 2)}),
            (Served{{at("0.0.0.0", 1), health}, {at("127.0.0.1", 2), numbers}}));
  for (const char* inside : {"127.0.0.1", "::1", "localhost", "127.1.2.3"}) {
    EXPECT_EQ(topics_by_address({.health = at(inside, 1), .metrics = at(inside, 1)}),
              (Served{{at(inside, 1), all}}));
  }
  for (const char* outside : {"", "0.0.0.0", "::", "10.0.0.1", "hub.example"}) {
    EXPECT_EQ(topics_by_address({.health = at(outside, 1), .metrics = at(outside, 1)}),
              (Served{{at(outside, 1), both}}));
  }
}

TEST_F(OperationsTest, ProbesAndMetricsAreOnlyRead) {
  for (const char* path : {"/healthz", "/metrics"}) {
    const auto answer = ask({.head = {.method = http::Method::Post, .target = path}});
    EXPECT_EQ(answer.head->status, 405);
    EXPECT_EQ(answer.head->headers.find("allow"), "GET, HEAD");
    EXPECT_EQ(ask({.head = {.method = http::Method::Head, .target = path}}).head->status, 200);
  }
}

}  // namespace
}  // namespace berth::control
