#include "store/partitions_service.h"

#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "sim/world.h"
#include "store/durable_store_service.h"
#include "store/testing/drafts.h"

namespace berth::store {
namespace {

using namespace std::chrono_literals;
using testing::draft_of;
using testing::value_of;

// A durable store on one loop of a machine, its partitions on another.
class PartitionsTest : public ::testing::Test {
 protected:
  PartitionsTest() : world_({.seed = 1}), node_(world_.add_node("hub", {.loops = 2})) {
    node_.start([this](std::span<env::Env> loops) { return start(loops); });
    world_.run_for(10ms);
  }

  struct Parts {
    std::shared_ptr<DurableStore> store;
    std::unique_ptr<Partitions> partitions;
  };

  std::shared_ptr<void> start(std::span<env::Env> loops) {
    loop_ = &loops[1].loop;
    auto parts = std::make_shared<Parts>();
    parts->store =
        DurableStore::open(loops[0], {.directory = "/data"}, [](const Error&) {}).value();
    parts->partitions = std::make_unique<Partitions>(*loop_, *parts->store);
    partitions_ = parts->partitions.get();
    return parts;
  }

  void restart() {
    node_.crash(sim::Crash::Process);
    node_.restart();
    world_.run_for(10ms);
  }

  Result<Written> put(const std::string& partition, const std::string& value) {
    std::optional<Result<Written>> answer;
    partitions_->of(partition).write({.key = {"pods", "one"}, .draft = draft_of("one", value)},
                                     *loop_,
                                     [&](Result<Written> result) { answer = std::move(result); });
    world_.run_until([&] { return answer.has_value(); }, 10s);
    return answer ? std::move(*answer) : failure(Code::Timeout, "no answer");
  }

  std::string value(const std::string& partition) {
    const EntryPtr entry = partitions_->of(partition).snapshot()->table("pods").find("one");
    return entry ? value_of(*entry) : "none";
  }

  std::vector<BatchPtr>& follow(const std::string& partition) {
    auto& heard = heard_[partition];
    partitions_->of(partition).follow(*loop_,
                                      [&heard](const BatchPtr& batch) { heard.push_back(batch); });
    world_.run_for(10ms);
    return heard;
  }

  sim::World world_;
  sim::Node& node_;
  env::Loop* loop_ = nullptr;
  Partitions* partitions_ = nullptr;
  std::map<std::string, std::vector<BatchPtr>> heard_;
};

TEST_F(PartitionsTest, TheSameNameIsAnotherObjectInEachOfThem) {
  ASSERT_TRUE(put("", "hub").ok());
  ASSERT_TRUE(put("paris", "paris").ok());
  EXPECT_EQ(value(""), "hub");
  EXPECT_EQ(value("paris"), "paris");
  EXPECT_EQ(value("rome"), "none");
}

TEST_F(PartitionsTest, WhoeverGotAnAnswerFindsTheWriteInTheSnapshot) {
  const auto written = put("paris", "a");
  ASSERT_TRUE(written.ok());
  EXPECT_EQ(partitions_->of("paris").snapshot()->revision(), written->revision);
}

TEST_F(PartitionsTest, AFollowerHearsOfItsOwnPartitionOnlyAndWithoutAGap) {
  const auto& heard = follow("paris");
  ASSERT_EQ(heard.size(), 1);
  EXPECT_TRUE(heard[0]->changes.empty());
  ASSERT_TRUE(put("paris", "a").ok());
  ASSERT_TRUE(put("rome", "b").ok());
  ASSERT_TRUE(put("paris", "c").ok());
  ASSERT_EQ(heard.size(), 3);
  EXPECT_EQ(heard[1]->after, heard[0]->after);
  EXPECT_EQ(heard[1]->changes[0].key, (Key{"pods", "one"}));
  EXPECT_EQ(heard[2]->after, heard[1]->changes[0].revision);
  EXPECT_EQ(value_of(*heard[2]->changes[0].after), "c");
}

TEST_F(PartitionsTest, ALateFollowerBeginsWhereItsPartitionIs) {
  ASSERT_TRUE(put("paris", "a").ok());
  follow("paris");
  const Revision position = put("paris", "b")->revision;
  const auto& heard = heard_["paris"];
  ASSERT_EQ(heard.size(), 2);
  EXPECT_EQ(heard[0]->after, position - 1);
  EXPECT_EQ(heard[1]->after, heard[0]->after);
}

TEST_F(PartitionsTest, ARestartKeepsEverythingAndGoesBackInNothing) {
  ASSERT_TRUE(put("paris", "a").ok());
  const Revision last = put("rome", "b")->revision;
  restart();
  EXPECT_EQ(value("paris"), "a");
  EXPECT_EQ(partitions_->of("paris").snapshot()->revision(), last);
  EXPECT_EQ(follow("paris")[0]->after, last);
}

}  // namespace
}  // namespace berth::store
