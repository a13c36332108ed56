#include "upkeep/store_feed_service.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/world.h"
#include "store/durable_store_service.h"
#include "store/testing/drafts.h"

namespace berth::upkeep {
namespace {

using namespace std::chrono_literals;
using json::Value;

std::string name_of(const Value& object) {
  return std::string(object.find_path({"metadata", "name"})->string_or_empty());
}

// A store on one loop of a machine, its feed on another.
class FeedingFromAStore : public ::testing::Test {
 protected:
  FeedingFromAStore() : world_({.seed = 1}), node_(world_.add_node("hub", {.loops = 2})) {
    node_.start([this](std::span<env::Env> loops) {
      loop_ = &loops[1].loop;
      auto parts = std::make_shared<Parts>();
      parts->store =
          store::DurableStore::open(loops[0], {.directory = "/data"}, [](const Error&) {}).value();
      parts->feed = std::make_unique<StoreFeed>(*loop_, *parts->store);
      parts_ = parts;
      return parts;
    });
    world_.run_for(10ms);
  }

  struct Parts {
    std::unique_ptr<store::DurableStore> store;
    std::unique_ptr<StoreFeed> feed;
  };

  void write(const std::string& table, const std::string& name, std::optional<std::string> value) {
    const auto parts = parts_.lock();
    bool written = false;
    store::EntryWrite write{.key = {table, name}};
    if (value) write.draft = store::testing::draft_of(name, *value);
    parts->store->write(std::move(write), *loop_, [&written](const Result<store::Written>& answer) {
      EXPECT_TRUE(answer.ok());
      written = true;
    });
    ASSERT_TRUE(world_.run_until([&] { return written; }, 10s));
    world_.run_for(10ms);
  }

  std::unique_ptr<FollowedKind> follow(const client::Gvr& resource) {
    return parts_.lock()->feed->follow(
        {.gvr = resource, .kind = "Any"},
        {.on_state =
             [this](const std::vector<const Value*>& objects) {
               std::string text = "state";
               for (const Value* object : objects) text += " " + name_of(*object);
               heard_.push_back(text);
             },
         .on_put = [this](const Value& object) { heard_.push_back("put " + name_of(object)); },
         .on_removed =
             [this](const Value& object) { heard_.push_back("removed " + name_of(object)); }});
  }

  const client::Gvr pods_{"", "v1", "pods"};
  const client::Gvr deployments_{"apps", "v1", "deployments"};
  std::vector<std::string> heard_;
  sim::World world_;
  sim::Node& node_;
  env::Loop* loop_ = nullptr;
  std::weak_ptr<Parts> parts_;
};

TEST_F(FeedingFromAStore, TellsWhatThereIsAndThenEveryChangeOfThatKindOnce) {
  write("pods", "a", "1");
  write("pods", "b", "1");
  const auto followed = follow(pods_);
  EXPECT_TRUE(heard_.empty());  // Never from inside.
  EXPECT_FALSE(followed->has_synced());
  world_.run_for(10ms);
  EXPECT_TRUE(followed->has_synced());
  write("pods", "a", "2");
  write("deployments.apps", "web", "1");
  write("pods", "b", std::nullopt);
  EXPECT_EQ(heard_, (std::vector<std::string>{"state a b", "put a", "removed b"}));
}

TEST_F(FeedingFromAStore, KeepsKindsOfGroupsApart) {
  const auto followed = follow(deployments_);
  world_.run_for(10ms);
  write("deployments", "core", "1");
  write("deployments.apps", "web", "1");
  EXPECT_EQ(heard_, (std::vector<std::string>{"state", "put web"}));
}

TEST_F(FeedingFromAStore, TellsNothingToThoseWhoFollowNoMore) {
  auto followed = follow(pods_);
  followed.reset();
  world_.run_for(10ms);
  write("pods", "a", "1");
  EXPECT_TRUE(heard_.empty());
}

// A change whose batch is on its way when the state is read is in that state, and not told again.
TEST_F(FeedingFromAStore, DoesNotTellAgainWhatWasInTheFirstState) {
  const auto parts = parts_.lock();
  std::unique_ptr<FollowedKind> followed;
  // Answers come after the snapshot and before the batch has been told on this loop, or with it.
  parts->store->write({.key = {"pods", "a"}, .draft = store::testing::draft_of("a", "1")}, *loop_,
                      [&](const Result<store::Written>&) { followed = follow(pods_); });
  world_.run_for(1s);
  EXPECT_EQ(heard_, (std::vector<std::string>{"state a"}));
}

}  // namespace
}  // namespace berth::upkeep
