#include "store/backup_service.h"

#include <optional>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "sim/sim_disk.h"
#include "sim/world.h"
#include "store/data_directory_service.h"
#include "store/group.h"
#include "store/testing/drafts.h"

namespace berth::store {
namespace {

using namespace std::chrono_literals;

// A process that does nothing by itself, for its disk and its loop.
class BackupTest : public ::testing::Test {
 protected:
  BackupTest() : world_({.seed = 1}), node_(world_.add_node("hub")) {
    node_.start([](std::span<env::Env>) { return nullptr; });
    world_.run_for(1ms);
  }

  env::Env& env() { return node_.process()->loops()[0]; }
  env::Disk& disk() { return env().disk; }

  static SnapshotPtr some_objects(int count) {
    Group group(std::make_shared<const Snapshot>());
    for (int i = 0; i < count; ++i) {
      const std::string name = fmt::format("{}", i * 7919 % count);
      EXPECT_TRUE(group
                      .add({.key = {fmt::format("t{}", i % 3), name},
                            .draft = testing::draft_of(name, std::string(100, 'v'))})
                      .ok());
    }
    return applied(Snapshot(), group.changes());
  }

  Result<Loaded> loaded(const std::string& directory) {
    ASSIGN_OR_RETURN(DataDirectory held, DataDirectory::hold(disk(), directory));
    ASSIGN_OR_RETURN(auto log, held.open_log());
    return log->load();
  }

  void expect_same(const Snapshot& one, const Snapshot& other) {
    ASSERT_EQ(one.size(), other.size());
    for (const auto& each : one.tables().all()) {
      each->table.visit("", [&](std::string_view name, const EntryPtr& entry) {
        const EntryPtr found = other.table(each->name).find(name);
        EXPECT_TRUE(found && found->text == entry->text && found->revision == entry->revision);
        return true;
      });
    }
  }

  sim::World world_;
  sim::Node& node_;
};

TEST_F(BackupTest, RestoresAllObjectsInANewEpoch) {
  const SnapshotPtr snapshot = some_objects(5000);
  const auto report = write_backup(disk(), snapshot, "/backup.db");
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(*report, (BackupReport{.revision = 5000, .objects = 5000}));
  const auto restored = restore_backup(disk(), "/backup.db", "/data");
  ASSERT_TRUE(restored.ok()) << restored.error().message;
  EXPECT_EQ(*restored, (BackupReport{.revision = 1'005'000, .objects = 5000}));
  const auto found = loaded("/data");
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_EQ(found->snapshot->revision(), 1'005'000u);
  EXPECT_TRUE(found->recent.empty());
  expect_same(*snapshot, *found->snapshot);
}

TEST_F(BackupTest, LeavesOneFileAndNothingBesides) {
  ASSERT_TRUE(disk().create_directory("/backups").ok());
  ASSERT_TRUE(write_backup(disk(), some_objects(10), "/backups/one.db").ok());
  EXPECT_EQ(*disk().list("/backups"), std::vector<std::string>{"one.db"});
  const auto again = write_backup(disk(), some_objects(10), "/backups/one.db");
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().code, Code::AlreadyExists);
}

TEST_F(BackupTest, SurvivesALossOfPower) {
  ASSERT_TRUE(write_backup(disk(), some_objects(100), "/backup.db").ok());
  node_.crash(sim::Crash::Power);
  node_.restart();
  world_.run_for(1ms);
  EXPECT_TRUE(restore_backup(disk(), "/backup.db", "/data").ok());
  node_.crash(sim::Crash::Power);
  node_.restart();
  world_.run_for(1ms);
  EXPECT_EQ(loaded("/data")->snapshot->size(), 100u);
}

TEST_F(BackupTest, RunsOnALoopBesideOtherThings) {
  std::optional<Result<BackupReport>> report;
  std::vector<std::size_t> progress;
  int others = 0;
  env().loop.post([&] { ++others; });
  const Backup backup(env().loop, env().disk,
                      {.snapshot = some_objects(3500),
                       .path = "/backup.db",
                       .on_progress =
                           [&](std::size_t done, std::size_t all) {
                             EXPECT_EQ(all, 3500u);
                             progress.push_back(done);
                             env().loop.post([&] { ++others; });
                           }},
                      [&](Result<BackupReport> result) { report = std::move(result); });
  world_.run_for(1s);
  ASSERT_TRUE(report && report->ok());
  EXPECT_EQ((*report)->objects, 3500u);
  EXPECT_EQ(progress, (std::vector<std::size_t>{1000, 2000, 3000, 3500}));
  EXPECT_EQ(others, 5);
}

TEST_F(BackupTest, IsMadeOfADirectoryThatNobodyServes) {
  EXPECT_EQ(back_up_directory(disk(), "/data", "/backup.db").error().code, Code::NotFound);
  {
    auto held = DataDirectory::hold(disk(), "/data");
    auto log = held->open_log();
    Group group(std::make_shared<const Snapshot>());
    ASSERT_TRUE(group.add({.key = {"t", "a"}, .draft = testing::draft_of("a", "v")}).ok());
    ASSERT_TRUE((*log)->append(group.changes()).ok());
    EXPECT_EQ(back_up_directory(disk(), "/data", "/backup.db").error().code, Code::Conflict);
  }
  EXPECT_EQ(back_up_directory(disk(), "/data", "/backup.db")->revision, 1u);
}

TEST_F(BackupTest, IsRestoredIntoAnEmptyDirectoryOnly) {
  ASSERT_TRUE(write_backup(disk(), some_objects(10), "/backup.db").ok());
  ASSERT_TRUE(restore_backup(disk(), "/backup.db", "/data").ok());
  const auto again = restore_backup(disk(), "/backup.db", "/data");
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().code, Code::AlreadyExists);
  EXPECT_EQ(again.error().message, "the data directory /data has a store already");
}

TEST_F(BackupTest, IsRefusedWhenItIsDamagedOrNone) {
  EXPECT_EQ(restore_backup(disk(), "/nothing.db", "/data").error().code, Code::NotFound);
  ASSERT_TRUE((*disk().open("/other.db", {.mode = env::OpenMode::Create}))
                  ->write_at(0, std::string(200, 'x'))
                  .ok());
  EXPECT_EQ(restore_backup(disk(), "/other.db", "/data").error().message,
            "/other.db is no store of Berth: it does not begin as one");
  ASSERT_TRUE(write_backup(disk(), some_objects(100), "/backup.db").ok());
  const auto inode = node_.disk().find("/backup.db");
  const std::size_t at = inode->cached.find("vvvvvvvvvv");
  ASSERT_NE(at, std::string::npos);
  inode->cached[at] = 'w';
  const auto restored = restore_backup(disk(), "/backup.db", "/data");
  ASSERT_FALSE(restored.ok());
  EXPECT_EQ(restored.error().code, Code::StoreReadError);
  EXPECT_NE(restored.error().message.find("the row is damaged"), std::string::npos)
      << restored.error().message;
  EXPECT_FALSE(*disk().exists("/data/store.db"));
}

}  // namespace
}  // namespace berth::store
