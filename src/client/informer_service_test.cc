#include "client/informer_service.h"

#include <cstdlib>
#include <optional>

#include <gtest/gtest.h>

#include "client/testing/model_server_service.h"
#include "json/print.h"
#include "sim/explore.h"
#include "sim/world.h"

namespace berth::client {
namespace {

using namespace std::chrono_literals;
using testing::model_config;
using testing::model_tls;
using testing::ModelServer;
using testing::ModelServerOptions;
using testing::ModelStore;
using testing::ServerBug;

const ResourcePath kConfigMaps{.resource = {.version = "v1", .resource = "configmaps"},
                               .ns = "default"};
// What a controller would have: a client, a cache, and a copy made of what its handler hears.
class Follower {
 public:
  Follower(const env::Env& env, const ClientConfig& server, StartMode mode)
      : api_(env, server, {.rate = {.per_second = -1}}),
        informer(env, api_, {.collection = kConfigMaps, .reflector = {.start = mode}}) {
    handler = informer.add_handler([this](const Delta& delta) { follow(delta); });
    informer.start();
  }

  void follow(const Delta& delta) {
    const std::string name(delta.object().name());
    const auto known = copy.find(name);
    const bool expected = (delta.type == Delta::Type::Added) == (known == copy.end());
    if (!expected) problem = name + ": added twice, or changed before it was added";
    if (delta.type == Delta::Type::Updated) {
      const auto version = [](const ObjectPtr& o) {
        return std::stoll(std::string(o->resource_version()));
      };
      if (known != copy.end() && known->second != delta.before) problem = name + ": a gap";
      if (version(delta.before) >= version(delta.after)) problem = name + ": went back in time";
    }
    if (delta.type == Delta::Type::Deleted) {
      copy.erase(name);
    } else {
      copy[name] = delta.after;
    }
  }

 private:
  Api api_;

 public:
  InformerService informer;
  HandlerId handler = 0;
  std::map<std::string, ObjectPtr> copy;
  std::string problem;
};

// A server whose store changes for a while, and a follower. Both may be killed at any time.
class Following final : public sim::Workload {
 public:
  explicit Following(ServerBug bug) : bug_(bug) {}

  void start(sim::World& world) override {
    world_ = &world;
    random_ = world.random().stream("workload");
    scheme_ = random_->chance(0.5) ? "https" : "http";
    mode_ = random_->chance(0.5) ? StartMode::WatchList : StartMode::List;
    const bool initial_events = random_->chance(0.8);
    for (int i = 0; i < 20; ++i) mutate();
    world.add_node("server").start([this, initial_events](std::span<env::Env> loops) {
      return std::make_shared<ModelServer>(
          loops[0], store_,
          ModelServerOptions{.tls = model_tls(scheme_),
                             .initial_events = initial_events,
                             .bug = bug_,
                             .trouble = [this] { return draw_trouble(); }});
    });
    world.add_node("client").start([this](std::span<env::Env> loops) {
      auto follower = std::make_shared<Follower>(loops[0], model_config(scheme_), mode_);
      follower_ = follower;
      return follower;
    });
    plan_mutation();
  }

  Status check() override {
    const auto follower = follower_.lock();
    if (!follower) return {};
    if (follower->informer.count(Notice::EventOutOfOrder) > 0) {
      return failure(Code::InternalError, "a watch sent events out of order");
    }
    if (follower->informer.count(Notice::ServerWasReset) > 0) {
      return failure(Code::InternalError, "the server showed an older state than before");
    }
    if (follower->problem.empty()) return {};
    return failure(Code::InternalError, follower->problem);
  }

  Status settled() override {
    const auto follower = follower_.lock();
    if (world_->now() < kBusy) return failure(Code::Timeout, "still changing");
    if (!follower) return failure(Code::Timeout, "no client");
    if (!follower->informer.has_synced(follower->handler)) {
      return failure(Code::Timeout, "not synced: " + follower->informer.trouble());
    }
    if (follower->copy.size() != store_.state().size()) {
      return failure(Code::Timeout, "the copy has another size");
    }
    for (const auto& [name, body] : store_.state()) {
      const auto copied = follower->copy.find(name);
      if (copied == follower->copy.end() || copied->second->body() != body ||
          follower->informer.store().find({"default", name}) != copied->second) {
        return failure(Code::Timeout, name + " differs");
      }
    }
    return {};
  }

 private:
  static constexpr Duration kBusy = 40s;

  void mutate() {
    const std::string name = "object-" + std::to_string(random_->below(12));
    random_->chance(0.3) ? store_.erase(name) : store_.put(name);
    if (random_->chance(0.05)) store_.compact(store_.revision() - random_->between(0, 20));
  }

  void plan_mutation() {
    const Duration gap = std::chrono::milliseconds(random_->between(1, 300));
    world_->schedule().add(world_->now() + gap, [this] {
      mutate();
      if (world_->now() < kBusy) plan_mutation();
    });
  }

  int draw_trouble() {
    const int troubles[] = {429, 500, 503, 401, 404, 410};
    if (world_->now() > kBusy || !random_->chance(0.1)) return 0;
    return troubles[random_->below(std::size(troubles))];
  }

  ServerBug bug_;
  sim::World* world_ = nullptr;
  std::optional<Random> random_;
  std::string scheme_;
  StartMode mode_ = StartMode::WatchList;
  ModelStore store_;
  std::weak_ptr<Follower> follower_;
};

sim::Suite suite(ServerBug bug) {
  return {.name = "informer",
          .make = [bug] { return std::make_unique<Following>(bug); },
          .faults = {"bad-network", "clock-errors", "clogs", "cut-streams", "kills", "partitions",
                     "power-losses"},
          .faulty = 40s,
          .settles_within = 10min};
}

TEST(InformerSuite, FollowsTheServerThroughEveryFault) {
  const sim::SeedRange seeds = sim::parse_seeds(std::getenv("BERTH_SEEDS"));
  const sim::Exploration exploration = sim::explore(suite(ServerBug::None), seeds);
  EXPECT_TRUE(exploration.failures.empty()) << exploration.what();
  EXPECT_EQ(exploration.runs, seeds.count);
}

TEST(InformerSuite, NoticesAServerThatIsWrong) {
  for (const ServerBug bug :
       {ServerBug::EarlyBookmark, ServerBug::SkippedEvent, ServerBug::ListFromFuture}) {
    const sim::Exploration exploration = sim::explore(suite(bug), {.first = 1, .count = 20});
    EXPECT_FALSE(exploration.failures.empty()) << static_cast<int>(bug);
  }
}

// One server and one follower without faults, for what is to be seen in detail.
class InformerWorld : public ::testing::Test {
 protected:
  void serve(ModelServerOptions options = {}) {
    world_.add_node("server").start([this, options](std::span<env::Env> loops) {
      return std::make_shared<ModelServer>(loops[0], store_, options);
    });
  }
  void follow(StartMode mode = StartMode::WatchList, std::string_view scheme = "http") {
    world_.add_node("client").start(
        [this, mode, server = model_config(scheme)](std::span<env::Env> loops) {
          auto follower = std::make_shared<Follower>(loops[0], server, mode);
          follower_ = follower.get();
          return follower;
        });
    world_.run_for(10us);
  }
  bool is_current() {
    return follower_->informer.last_version() == std::to_string(store_.revision());
  }

  sim::World world_{{}};
  ModelStore store_;
  Follower* follower_ = nullptr;
};

TEST_F(InformerWorld, AHandlerHearsTheFirstStateThenTheChanges) {
  store_.put("a");
  store_.put("b");
  serve();
  follow();
  EXPECT_FALSE(follower_->informer.has_synced());
  ASSERT_TRUE(
      world_.run_until([&] { return follower_->informer.has_synced(follower_->handler); }, 5s));
  EXPECT_EQ(follower_->copy.size(), 2u);
  store_.put("c");
  store_.erase("a");
  ASSERT_TRUE(world_.run_until([&] { return follower_->copy.contains("c"); }, 1s));
  ASSERT_TRUE(world_.run_until([&] { return !follower_->copy.contains("a"); }, 1s));
  EXPECT_EQ(follower_->problem, "");
}

TEST_F(InformerWorld, AServerWithoutInitialEventsIsListedInPages) {
  for (int i = 0; i < 11; ++i) store_.put("object-" + std::to_string(i));
  serve({.initial_events = false});
  follow();
  ASSERT_TRUE(world_.run_until([&] { return follower_->copy.size() == 11; }, 10s));
}

TEST_F(InformerWorld, AHandlerThatComesLateHearsEverythingOnce) {
  store_.put("a");
  serve();
  follow();
  ASSERT_TRUE(world_.run_until([&] { return follower_->informer.has_synced(); }, 5s));
  std::vector<std::string> heard;
  const HandlerId late = follower_->informer.add_handler([&](const Delta& delta) {
    heard.push_back(std::string(delta.object().name()) + (delta.in_initial_list ? "!" : ""));
  });
  EXPECT_FALSE(follower_->informer.has_synced(late));
  store_.put("b");
  ASSERT_TRUE(world_.run_until([&] { return heard.size() == 2; }, 5s));
  EXPECT_EQ(heard, (std::vector<std::string>{"a!", "b"}));
  EXPECT_TRUE(follower_->informer.has_synced(late));
  follower_->informer.remove_handler(late);
  store_.put("c");
  ASSERT_TRUE(world_.run_until([&] { return follower_->copy.contains("c"); }, 5s));
  EXPECT_EQ(heard.size(), 2u);
}

TEST_F(InformerWorld, ATaskCanWaitUntilAWriteIsVisible) {
  store_.put("a");
  serve();
  follow();
  bool synced = false;
  follower_->informer.when_synced([&] { synced = true; });
  ASSERT_TRUE(world_.run_until([&] { return synced; }, 5s));
  const std::int64_t written = store_.put("mine");
  bool visible = false;
  follower_->informer.when_reached(std::to_string(written), [&] {
    visible = follower_->informer.store().find({"default", "mine"}) != nullptr;
  });
  EXPECT_FALSE(visible);
  ASSERT_TRUE(world_.run_until([&] { return visible; }, 5s));
}

TEST_F(InformerWorld, AServerThatRestartsIsFollowedWithoutAnotherList) {
  store_.put("a");
  serve();
  follow();
  ASSERT_TRUE(world_.run_until([&] { return is_current(); }, 5s));
  world_.node("server").crash(sim::Crash::Process);
  store_.put("b");
  world_.node("server").restart_after(2s);
  ASSERT_TRUE(world_.run_until([&] { return follower_->copy.size() == 2; }, 10s));
  EXPECT_EQ(follower_->informer.trouble(), "");
}

TEST_F(InformerWorld, APeerThatVanishesWithoutAWordIsNoticedWithin45Seconds) {
  store_.put("a");
  serve({.tls = model_tls("https")});
  follow(StartMode::WatchList, "https");
  ASSERT_TRUE(world_.run_until([&] { return is_current(); }, 5s));
  world_.fabric().block("server", "client");
  world_.fabric().block("client", "server");
  ASSERT_TRUE(world_.run_until([&] { return !follower_->informer.trouble().empty(); }, 46s));
  world_.fabric().heal();
  store_.put("b");
  ASSERT_TRUE(world_.run_until([&] { return is_current(); }, 2min));
}

TEST_F(InformerWorld, TroubleIsToldWhileItLasts) {
  int status = 404;
  serve({.trouble = [&] { return status; }});
  follow();
  ASSERT_TRUE(world_.run_until([&] { return !follower_->informer.trouble().empty(); }, 5s));
  world_.run_for(60s);
  EXPECT_FALSE(follower_->informer.has_synced());
  status = 0;
  ASSERT_TRUE(world_.run_until([&] { return follower_->informer.has_synced(); }, 2min));
  EXPECT_EQ(follower_->informer.trouble(), "");
}

}  // namespace
}  // namespace berth::client
