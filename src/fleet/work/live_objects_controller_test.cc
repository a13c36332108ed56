#include "fleet/work/live_objects_controller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/testing/model_server_service.h"
#include "sim/world.h"

namespace berth::fleet {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const client::Gvr kMaps{"", "v1", "configmaps"};

LiveObject map(std::string name) {
  return {.resource = kMaps, .key = {.ns = "default", .name = name}};
}

class Watching : public ::testing::Test {
 protected:
  struct Client {
    Client(const env::Env& env, LiveObjects::Changed changed)
        : api(env, client::testing::model_config("http"), {}), live(env, api, std::move(changed)) {}

    client::Api api;
    LiveObjects live;
  };

  void SetUp() override {
    world_.add_node("server").start([this](std::span<env::Env> loops) {
      return std::make_shared<client::testing::ModelServer>(
          loops[0], store_,
          client::testing::ModelServerOptions{
              .collection = [this](const std::string&) { return &store_; }});
    });
    world_.add_node("client").start([this](std::span<env::Env> loops) {
      auto client = std::make_shared<Client>(
          loops[0], [this](const std::string& watcher) { told_.push_back(watcher); });
      live_ = &client->live;
      return client;
    });
    world_.run_for(1us);
  }

  std::vector<std::string> told() {
    world_.run_for(10s);  // The model server looks for changes now and then.
    return std::exchange(told_, {});
  }

  std::string version(const std::string& name) {
    return std::string(
        store_.state().at(name).find_path({"metadata", "resourceVersion"})->string_or_empty());
  }

  sim::World world_{{}};
  client::testing::ModelStore store_;
  LiveObjects* live_ = nullptr;
  std::vector<std::string> told_;
};

TEST_F(Watching, TellsWhoWatchesWhatChanges) {
  store_.put("a");
  live_->watch("w", {map("a")});
  EXPECT_FALSE(live_->is_followed(map("a")));
  EXPECT_THAT(told(), ElementsAre("w")) << "it was never read";
  EXPECT_TRUE(live_->is_followed(map("a")));
  live_->saw("w", map("a"), version("a"));
  EXPECT_TRUE(live_->is_as_seen("w", map("a")));
  store_.put("other");
  EXPECT_THAT(told(), IsEmpty());
  store_.put("a");
  EXPECT_THAT(told(), ElementsAre("w"));
  EXPECT_FALSE(live_->is_as_seen("w", map("a")));
  store_.erase("a");
  EXPECT_THAT(told(), ElementsAre("w"));
  live_->saw("w", map("a"), "");
  EXPECT_TRUE(live_->is_as_seen("w", map("a")));
  store_.put("a");
  EXPECT_THAT(told(), ElementsAre("w"));
}

TEST_F(Watching, WhoWroteItselfIsNotToldButTheOthersAre) {
  store_.put("a");
  live_->watch("w", {map("a")});
  live_->watch("x", {map("a")});
  EXPECT_THAT(told(), ElementsAre("w", "x"));
  live_->saw("w", map("a"), version("a"));
  live_->saw("x", map("a"), version("a"));
  store_.put("a");
  live_->saw("w", map("a"), version("a"));
  EXPECT_THAT(told(), ElementsAre("x"));
  EXPECT_TRUE(live_->is_as_seen("w", map("a")));
  EXPECT_FALSE(live_->is_as_seen("x", map("a")));
}

TEST_F(Watching, AnAnswerThatComesAfterTheRemovalDoesNotBringTheObjectBack) {
  live_->watch("w", {map("a")});
  EXPECT_THAT(told(), ElementsAre("w"));
  live_->saw("w", map("a"), "");
  store_.put("a");
  const std::string written = version("a");
  store_.erase("a");
  told();
  live_->saw("w", map("a"), written);
  EXPECT_FALSE(live_->is_as_seen("w", map("a")));
  EXPECT_THAT(told(), ElementsAre("w")) << "it has to be made again";
  store_.put("a");
  live_->saw("w", map("a"), version("a"));
  EXPECT_TRUE(live_->is_as_seen("w", map("a"))) << "this one is younger than the removal";
  EXPECT_THAT(told(), IsEmpty());
  EXPECT_TRUE(live_->is_as_seen("w", map("a")));
}

TEST_F(Watching, WhetherAnAnswerIsNewerThanAStateWithoutTheObjectIsForTheWatchToSay) {
  live_->watch("w", {map("a")});
  EXPECT_THAT(told(), ElementsAre("w"));
  store_.put("a");
  live_->saw("w", map("a"), version("a"));
  EXPECT_FALSE(live_->is_as_seen("w", map("a")));
  EXPECT_EQ(told_.size(), 1U);
  live_->saw("w", map("a"), version("a"));
  EXPECT_EQ(told_.size(), 1U) << "looking again would not change that";
  told();
  EXPECT_TRUE(live_->is_as_seen("w", map("a")));
}

TEST_F(Watching, AnAnswerThatThereIsNoneMayBeOlderThanTheObject) {
  store_.put("a");
  live_->watch("w", {map("a")});
  EXPECT_THAT(told(), ElementsAre("w"));
  live_->saw("w", map("a"), "");
  EXPECT_FALSE(live_->is_as_seen("w", map("a")));
  EXPECT_THAT(told(), ElementsAre("w"));
  store_.erase("a");
  EXPECT_THAT(told(), IsEmpty()) << "as it was seen";
  EXPECT_TRUE(live_->is_as_seen("w", map("a")));
}

TEST_F(Watching, AKindThatNobodyWatchesIsNotFollowed) {
  live_->watch("w", {map("a")});
  EXPECT_EQ(live_->kinds(), 1U);
  live_->watch("w", {});
  EXPECT_EQ(live_->kinds(), 0U);
  store_.put("a");
  EXPECT_THAT(told(), IsEmpty());
  EXPECT_FALSE(live_->is_as_seen("w", map("a")));
}

}  // namespace
}  // namespace berth::fleet
