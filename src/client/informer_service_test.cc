#include "client/informer_service.h"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "client/testing/follower_service.h"
#include "client/testing/model_server_service.h"
#include "client/testing/protobuf_writer.h"
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
          metrics_ = &loops[0].metrics;
          auto follower = std::make_shared<Follower>(loops[0], server, mode);
          follower_ = follower.get();
          return follower;
        });
    world_.run_for(10us);
  }
  bool is_current() {
    return follower_->informer().last_version() == std::to_string(store_.revision());
  }

  // Of the series of that name and the cache's labels; empty when there is none.
  std::string metric(const std::string& name) const {
    const std::string text = metrics_->exposition();
    const std::string start = name + "{host=\"server:6443\",name=\"configmaps\"} ";
    const std::size_t found = text.find(start);
    if (found == std::string::npos) return "";
    const std::size_t from = found + start.size();
    return text.substr(from, text.find('\n', from) - from);
  }
  std::string logged() {
    std::string text;
    for (const auto& line : world_.log().lines()) text += line + "\n";
    return text;
  }

  env::Metrics* metrics_ = nullptr;
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

TEST_F(InformerWorld, TellsHowItIsDoing) {
  store_.put("a");
  store_.put("b");
  serve();
  follow();
  ASSERT_TRUE(
      world_.run_until([&] { return follower_->informer().has_synced(follower_->handler()); }, 5s));
  EXPECT_EQ(metric("berth_informer_objects"), "2");
  EXPECT_EQ(metric("berth_informer_synced"), "1");
  EXPECT_EQ(metric("reflector_watches_total"), "1");
  EXPECT_EQ(metric("berth_informer_handler_queue_depth"), "0");
}

TEST_F(InformerWorld, AFirstStateThatDoesNotComeIsComplainedAbout) {
  serve({.trouble = [] { return 503; }});
  follow();
  world_.run_for(9s);
  EXPECT_FALSE(logged().contains("informer.still_syncing"));
  world_.run_for(2s);
  EXPECT_TRUE(logged().contains("informer.still_syncing")) << logged();
  EXPECT_TRUE(logged().contains("waits_for=\"the next attempt\"")) << logged();
}

// Pods of a server that sends protobuf: each page answers one request.
class ProtobufWorld : public InformerWorld {
 protected:
  using Page = ModelServerOptions::Page;

  void serve_pages(std::vector<Page> pages) {
    serve({.page = [this, pages](const std::string&) -> std::optional<Page> {
      return pages[std::min(asked_++, pages.size() - 1)];
    }});
    world_.add_node("client").start([this](std::span<env::Env> loops) {
      struct Client {
        explicit Client(env::Env& env)
            : api(env, model_config("http"), {}),
              informer(env, api,
                       {.collection = {.resource = {.version = "v1", .resource = "pods"}}}) {
          informer.start();
        }
        Api api;
        InformerService informer;
      };
      auto client = std::make_shared<Client>(loops[0]);
      informer_ = &client->informer;
      return client;
    });
    ASSERT_TRUE(world_.run_until([&] { return informer_ && informer_->has_synced(); }, 30s));
  }
  static Page stream(std::string body) {
    return {.content_type = "application/vnd.kubernetes.protobuf;stream=watch",
            .body = std::move(body)};
  }
  static std::string pod(std::uint32_t field) {
    return testing::envelope(
        "Pod", testing::Proto().message(
                   1, testing::Proto().text(1, "a").text(6, "7").text(field, "value")));
  }

  std::size_t asked_ = 0;
  InformerService* informer_ = nullptr;
};

TEST_F(ProtobufWorld, AStreamOfProtobufFillsTheCache) {
  const testing::Proto end = testing::Proto().message(
      1, testing::Proto().text(6, "9").entry(12, "k8s.io/initial-events-end", "true"));
  serve_pages({stream(testing::event_frame("ADDED", pod(5)) +
                      testing::event_frame("BOOKMARK", testing::envelope("Pod", end)))});
  ASSERT_TRUE(informer_->store().find({.name = "a"}));
  EXPECT_EQ(informer_->store().find({.name = "a"})->uid(), "value");
}

TEST_F(ProtobufWorld, WhatProtobufCannotTellIsReadAsJson) {
  serve_pages(
      {stream(testing::event_frame("ADDED", pod(900))),
       {.content_type = "application/json", .body = R"({"metadata":{"resourceVersion":"9"},"items":[
                  {"metadata":{"name":"a","resourceVersion":"7","inventedLater":"value"}}]})"}});
  const ObjectPtr object = informer_->store().find({.name = "a"});
  ASSERT_TRUE(object);
  EXPECT_TRUE(object->body().find_path({"metadata", "inventedLater"}));
}

}  // namespace
}  // namespace berth::client
