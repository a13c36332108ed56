#include "client/informer_service.h"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "client/testing/follower_service.h"
#include "client/testing/model_server_service.h"
#include "sim/world.h"

namespace berth::client {
namespace {

using namespace std::chrono_literals;
using testing::Follower;
using testing::model_config;
using testing::model_tls;
using testing::ModelServer;
using testing::ModelServerOptions;
using testing::ModelStore;

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
    return follower_->informer().last_version() == std::to_string(store_.revision());
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
  EXPECT_FALSE(follower_->informer().has_synced());
  ASSERT_TRUE(
      world_.run_until([&] { return follower_->informer().has_synced(follower_->handler()); }, 5s));
  EXPECT_EQ(follower_->copy().size(), 2u);
  store_.put("c");
  store_.erase("a");
  ASSERT_TRUE(world_.run_until([&] { return follower_->copy().contains("c"); }, 1s));
  ASSERT_TRUE(world_.run_until([&] { return !follower_->copy().contains("a"); }, 1s));
  EXPECT_EQ(follower_->problem(), "");
}

TEST_F(InformerWorld, AServerWithoutInitialEventsIsListedInPages) {
  for (int i = 0; i < 11; ++i) store_.put("object-" + std::to_string(i));
  serve({.initial_events = false});
  follow();
  ASSERT_TRUE(world_.run_until([&] { return follower_->copy().size() == 11; }, 10s));
}

TEST_F(InformerWorld, AHandlerThatComesLateHearsEverythingOnce) {
  store_.put("a");
  serve();
  follow();
  ASSERT_TRUE(world_.run_until([&] { return follower_->informer().has_synced(); }, 5s));
  std::vector<std::string> heard;
  const HandlerId late = follower_->informer().add_handler([&](const Delta& delta) {
    heard.push_back(std::string(delta.object().name()) + (delta.in_initial_list ? "!" : ""));
  });
  EXPECT_FALSE(follower_->informer().has_synced(late));
  store_.put("b");
  ASSERT_TRUE(world_.run_until([&] { return heard.size() == 2; }, 5s));
  EXPECT_EQ(heard, (std::vector<std::string>{"a!", "b"}));
  EXPECT_TRUE(follower_->informer().has_synced(late));
  follower_->informer().remove_handler(late);
  store_.put("c");
  ASSERT_TRUE(world_.run_until([&] { return follower_->copy().contains("c"); }, 5s));
  EXPECT_EQ(heard.size(), 2u);
}

TEST_F(InformerWorld, ATaskCanWaitUntilAWriteIsVisible) {
  store_.put("a");
  serve();
  follow();
  bool synced = false;
  follower_->informer().when_synced([&] { synced = true; });
  ASSERT_TRUE(world_.run_until([&] { return synced; }, 5s));
  const std::int64_t written = store_.put("mine");
  bool visible = false;
  follower_->informer().when_reached(std::to_string(written), [&] {
    visible = follower_->informer().store().find({"default", "mine"}) != nullptr;
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
  ASSERT_TRUE(world_.run_until([&] { return follower_->copy().size() == 2; }, 10s));
  EXPECT_EQ(follower_->informer().trouble(), "");
}

TEST_F(InformerWorld, APeerThatVanishesWithoutAWordIsNoticedWithin45Seconds) {
  store_.put("a");
  serve({.tls = model_tls("https")});
  follow(StartMode::WatchList, "https");
  ASSERT_TRUE(world_.run_until([&] { return is_current(); }, 5s));
  world_.fabric().block("server", "client");
  world_.fabric().block("client", "server");
  ASSERT_TRUE(world_.run_until([&] { return !follower_->informer().trouble().empty(); }, 46s));
  world_.fabric().heal();
  store_.put("b");
  ASSERT_TRUE(world_.run_until([&] { return is_current(); }, 2min));
}

TEST_F(InformerWorld, TroubleIsToldWhileItLasts) {
  int status = 404;
  serve({.trouble = [&] { return status; }});
  follow();
  ASSERT_TRUE(world_.run_until([&] { return !follower_->informer().trouble().empty(); }, 5s));
  world_.run_for(60s);
  EXPECT_FALSE(follower_->informer().has_synced());
  status = 0;
  ASSERT_TRUE(world_.run_until([&] { return follower_->informer().has_synced(); }, 2min));
  EXPECT_EQ(follower_->informer().trouble(), "");
}

}  // namespace
}  // namespace berth::client
