#include "store/durable_store_service.h"

#include <map>
#include <memory>
#include <optional>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "sim/world.h"
#include "store/testing/drafts.h"

namespace berth::store {
namespace {

using namespace std::chrono_literals;
using testing::draft_of;
using testing::value_of;

constexpr const char* kFile = "/data/store.db";

Key key(const std::string& name) { return {.table = "things", .name = name}; }

EntryWrite put(const std::string& name, std::optional<Revision> expected = std::nullopt) {
  return {.key = key(name), .expected = expected, .draft = draft_of(name, "v")};
}

// A store in a simulated process: the store on the first loop, its users on the second.
class Host {
 public:
  explicit Host(StoreOptions options = {.directory = "/data"})
      : world_({.seed = 1}), node_(world_.add_node("hub", {.loops = 2})), options_(options) {
    node_.start([this](std::span<env::Env> loops) { return start(loops); });
    run();
  }

  void run(Duration length = 10ms) { world_.run_for(length); }

  void restart(sim::Crash kind = sim::Crash::Process) {
    node_.crash(kind);
    node_.restart();
    run();
  }

  DurableStore& store() { return *store_; }
  bool is_open() const { return store_ != nullptr; }
  const Error& open_error() const { return *open_error_; }
  const std::optional<Error>& failure_seen() const { return failure_; }
  env::Loop& user_loop() { return *user_loop_; }
  sim::MachineDisk& disk() { return node_.disk(); }
  StoreOptions& options() { return options_; }

  Result<Written> write(EntryWrite write) {
    std::optional<Result<Written>> answer;
    store_->write(std::move(write), *user_loop_,
                  [&](Result<Written> result) { answer = std::move(result); });
    world_.run_until([&] { return answer.has_value(); }, 10s);
    return answer ? std::move(*answer) : failure(Code::Timeout, "no answer");
  }

  std::size_t file_size(const std::string& path) {
    const auto inode = disk().find(path);
    return inode ? inode->cached.size() : 0;
  }

 private:
  std::shared_ptr<void> start(std::span<env::Env> loops) {
    store_ = nullptr;
    failure_.reset();
    user_loop_ = &loops[1].loop;
    auto opened =
        DurableStore::open(loops[0], options_, [this](const Error& why) { failure_ = why; });
    open_error_ = opened.ok() ? std::nullopt : std::optional(opened.error());
    if (!opened.ok()) return nullptr;
    std::shared_ptr<DurableStore> store = std::move(*opened);
    store_ = store.get();
    return store;
  }

  sim::World world_;
  sim::Node& node_;
  StoreOptions options_;
  DurableStore* store_ = nullptr;
  env::Loop* user_loop_ = nullptr;
  std::optional<Error> failure_;
  std::optional<Error> open_error_;
};

TEST(DurableStore, WritesAreInTheSnapshotWhenTheyAreAnswered) {
  Host host;
  ASSERT_TRUE(host.is_open());
  EXPECT_EQ(host.store().snapshot()->revision(), 0u);
  const auto written = host.write(put("a", 0));
  ASSERT_TRUE(written.ok()) << written.error().message;
  EXPECT_EQ(written->revision, 1u);
  const SnapshotPtr snapshot = host.store().snapshot();
  EXPECT_EQ(snapshot->revision(), 1u);
  EXPECT_EQ(snapshot->table("things").find("a"), written->entry);
  EXPECT_EQ(written->entry->text, R"({"metadata":{"name":"a","resourceVersion":"1"},"value":"v"})");
}

TEST(DurableStore, ComparesBeforeItWrites) {
  Host host;
  EXPECT_TRUE(host.write(put("a", 0)).ok());
  EXPECT_EQ(host.write(put("a", 0)).error().code, Code::Conflict);
  EXPECT_EQ(host.write(put("a", 7)).error().code, Code::Conflict);
  EXPECT_EQ(host.write(put("a", 1))->revision, 2u);
  EXPECT_EQ(host.write({.key = key("a"), .expected = 1}).error().code, Code::Conflict);
  EXPECT_EQ(host.write({.key = key("a"), .expected = 2})->revision, 3u);
  EXPECT_EQ(host.write({.key = key("a")}).error().code, Code::NotFound);
}

TEST(DurableStore, KeepsEverythingAcrossCrashes) {
  Host host;
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(host.write(put(fmt::format("{:03}", i % 40))).ok());
  ASSERT_TRUE(host.write({.key = key("007")}).ok());
  for (const sim::Crash kind : {sim::Crash::Process, sim::Crash::Power, sim::Crash::Power}) {
    host.restart(kind);
    ASSERT_TRUE(host.is_open()) << host.open_error().message;
    EXPECT_EQ(host.store().snapshot()->revision(), 101u);
    EXPECT_EQ(host.store().snapshot()->size(), 39u);
    EXPECT_EQ(host.store().snapshot()->table("things").find("008")->revision, 89u);
  }
  EXPECT_EQ(host.write(put("x"))->revision, 102u);
}

TEST(DurableStore, WritesThatArriveTogetherShareATransaction) {
  Host host;
  EXPECT_TRUE(host.write(put("first")).ok());
  const std::uint64_t before = host.disk().operations();
  EXPECT_TRUE(host.write(put("second")).ok());
  const std::uint64_t alone = host.disk().operations() - before;
  std::map<Revision, int> answers;
  for (int i = 0; i < 100; ++i) {
    host.store().write(put(fmt::format("{}", i)), host.user_loop(),
                       [&](Result<Written> written) { ++answers[written->revision]; });
  }
  const std::uint64_t start = host.disk().operations();
  host.run();
  EXPECT_EQ(answers.size(), 100u);
  EXPECT_EQ(answers.rbegin()->first, 102u);
  EXPECT_LT(host.disk().operations() - start, 10 * alone);
}

TEST(DurableStore, FollowersGetEveryBatchOnceAndInOrder) {
  Host host;
  std::vector<Revision> early;
  std::optional<Revision> start;
  host.store().follow(host.user_loop(), [&](const BatchPtr& batch) {
    if (!start) start = batch->after;
    for (const EntryChange& change : batch->changes) early.push_back(change.revision);
  });
  host.run();
  EXPECT_EQ(start, 0u);
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(host.write(put("a")).ok());
  std::vector<Revision> late;
  Revision last = 0;
  host.store().follow(host.user_loop(), [&](const BatchPtr& batch) {
    EXPECT_EQ(batch->after, last);
    for (const EntryChange& change : batch->changes) late.push_back(last = change.revision);
  });
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(host.write(put("b")).ok());
  host.run();
  ASSERT_EQ(early.size(), 20u);
  for (Revision i = 0; i < 20; ++i) EXPECT_EQ(early[i], i + 1);
  EXPECT_EQ(late, early);
}

TEST(DurableStore, AnswersComeAfterTheFollowersOfTheSameLoopWereTold) {
  Host host;
  Revision told = 0;
  host.store().follow(host.user_loop(), [&](const BatchPtr& batch) {
    if (!batch->changes.empty()) told = batch->changes.back().revision;
  });
  for (int i = 1; i <= 5; ++i) EXPECT_EQ(host.write(put("a"))->revision, told);
}

TEST(DurableStore, FollowersLearnAfterARestartFromWhereOnEverythingIsKnown) {
  Host host;
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(host.write(put("a")).ok());
  using Seen = std::pair<std::optional<Revision>, std::size_t>;
  const auto revisions = [&] {
    const auto seen = std::make_shared<Seen>();
    host.store().follow(host.user_loop(), [seen](const BatchPtr& batch) {
      if (!seen->first) seen->first = batch->after;
      seen->second += batch->changes.size();
    });
    host.run();
    return *seen;
  };
  host.restart();
  EXPECT_EQ(revisions(), Seen(0, 10));
  host.run(6min);  // All of it gets too old, and is compacted.
  EXPECT_EQ(revisions(), Seen(10, 0));
  host.restart();
  EXPECT_EQ(revisions(), Seen(10, 0));
  EXPECT_EQ(host.write(put("a"))->revision, 11u);
}

TEST(DurableStore, NeverUsesARevisionAgainEvenIfAllRowsAreGone) {
  Host host;
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(host.write(put("a")).ok());
  EXPECT_TRUE(host.write({.key = key("a")}).ok());
  host.run(10min);
  host.restart();
  EXPECT_EQ(host.store().snapshot()->size(), 0u);
  EXPECT_EQ(host.write(put("a"))->revision, 12u);
}

TEST(DurableStore, RefusesASecondProcess) {
  Host host;
  sim::World world({.seed = 1});
  const auto held = host.disk().locks.find("/data/lock");
  ASSERT_NE(held, host.disk().locks.end());
  const std::shared_ptr<void> keep = held->second.lock();  // As if the first had not ended.
  host.restart();
  ASSERT_FALSE(host.is_open());
  EXPECT_EQ(host.open_error().code, Code::Conflict);
  EXPECT_EQ(host.open_error().message, "the data directory /data is in use by another process");
}

TEST(DurableStore, AFullDiskRefusesWritesAndNothingElse) {
  Host host;
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(host.write(put("a")).ok());
  host.disk().options.capacity = 0;
  bool refused = false;
  Revision last = host.store().snapshot()->revision();
  for (int i = 0; i < 50; ++i) {
    const auto written = host.write(put("b"));
    if (written.ok()) {
      EXPECT_EQ(written->revision, ++last);
      continue;
    }
    refused = true;
    EXPECT_EQ(written.error().code, Code::ServiceUnavailable) << written.error().message;
  }
  EXPECT_TRUE(refused);
  EXPECT_EQ(host.failure_seen(), std::nullopt);
  EXPECT_EQ(host.store().snapshot()->revision(), last);
  host.disk().options.capacity = 1 << 30;
  EXPECT_EQ(host.write(put("c"))->revision, last + 1);
  host.restart(sim::Crash::Power);
  EXPECT_EQ(host.store().snapshot()->revision(), last + 1);
}

TEST(DurableStore, StopsForGoodWhenTheDiskFails) {
  Host host;
  EXPECT_TRUE(host.write(put("a")).ok());
  host.disk().options.sync_error = 1;
  EXPECT_EQ(host.write(put("b")).error().code, Code::InternalError);
  ASSERT_TRUE(host.failure_seen());
  EXPECT_NE(host.failure_seen()->message.find("/data/store.db-wal: Input/output error"),
            std::string::npos)
      << host.failure_seen()->message;
  host.disk().options.sync_error = 0;
  const auto later = host.write(put("c"));
  EXPECT_EQ(later.error().code, Code::InternalError);
  EXPECT_TRUE(later.error().message.starts_with("the store has failed: ")) << later.error().message;
  EXPECT_EQ(host.store().snapshot()->revision(), 1u);
}

TEST(DurableStore, WhatItFindsAfterAFailedSyncIsDurableBeforeItCounts) {
  Host host;
  EXPECT_TRUE(host.write(put("a")).ok());
  host.disk().options.sync_error = 1;
  EXPECT_FALSE(host.write(put("b")).ok());
  host.disk().options.sync_error = 0;
  host.restart(sim::Crash::Process);  // The cache still shows what the disk never got.
  ASSERT_TRUE(host.is_open());
  const Revision seen = host.store().snapshot()->revision();
  EXPECT_EQ(seen, 2u);
  host.restart(sim::Crash::Power);
  ASSERT_TRUE(host.is_open()) << host.open_error().message;
  EXPECT_EQ(host.store().snapshot()->revision(), seen);
}

TEST(DurableStore, RefusesWritesBeyondItsQueue) {
  StoreOptions options = {.directory = "/data"};
  options.waiting.items_max = 5;
  Host host(options);
  int fine = 0;
  int refused = 0;
  for (int i = 0; i < 8; ++i) {
    host.store().write(put("a"), host.user_loop(), [&](Result<Written> written) {
      if (written.ok()) ++fine;
      if (!written.ok() && written.error().code == Code::TooManyRequests &&
          written.error().retry_after) {
        ++refused;
      }
    });
  }
  host.run();
  EXPECT_EQ(fine, 5);
  EXPECT_EQ(refused, 3);
}

TEST(DurableStore, DoesNotGrowForEverWhenTheSameObjectsChange) {
  StoreOptions options = {.directory = "/data"};
  options.history.changes_max = 2000;
  Host host(options);
  std::size_t early = 0;
  for (int round = 0; round < 1000; ++round) {
    for (int i = 0; i < 100; ++i) {
      host.store().write(put(fmt::format("{}", i)), host.user_loop(), [](Result<Written> written) {
        ASSERT_TRUE(written.ok()) << written.error().message;
      });
    }
    host.run();
    if (round == 400) early = host.file_size(kFile);
  }
  EXPECT_EQ(host.store().snapshot()->revision(), 100'000u);
  EXPECT_GT(early, 0u);
  EXPECT_LT(host.file_size(kFile), 2 * early);
  EXPECT_LT(host.file_size(kFile), 2u << 20);
  const std::size_t log_size = host.file_size(std::string(kFile) + "-wal");
  EXPECT_LT(log_size, 16u << 20);
  std::printf("100,000 changes of 100 objects: %zu KiB, write-ahead log %zu KiB\n",
              host.file_size(kFile) / 1024, log_size / 1024);
  host.restart(sim::Crash::Power);
  ASSERT_TRUE(host.is_open()) << host.open_error().message;
  EXPECT_EQ(host.store().snapshot()->revision(), 100'000u);
  EXPECT_EQ(host.store().snapshot()->size(), 100u);
}

}  // namespace
}  // namespace berth::store
