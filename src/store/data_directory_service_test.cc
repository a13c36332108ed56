#include "store/data_directory_service.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "sim/world.h"
#include "store/testing/drafts.h"

namespace berth::store {
namespace {

using namespace std::chrono_literals;

class DataDirectoryTest : public ::testing::Test {
 protected:
  DataDirectoryTest() : world_({.seed = 1}), node_(world_.add_node("hub")) {
    node_.start([](std::span<env::Env>) { return nullptr; });
    world_.run_for(1ms);
  }

  env::Disk& disk() { return node_.process()->loops()[0].disk; }

  // Commits of one object each, without a checkpoint.
  Status write(int commits) {
    ASSIGN_OR_RETURN(DataDirectory directory, DataDirectory::hold(disk(), "/data"));
    ASSIGN_OR_RETURN(auto log, directory.open_log());
    ASSIGN_OR_RETURN(const Loaded loaded, log->load());
    SnapshotPtr snapshot = loaded.snapshot;
    for (int i = 0; i < commits; ++i) {
      Group group(snapshot);
      ASSIGN_OR_RETURN(const Written written,
                       group.add({.key = {"t", "a"}, .draft = testing::draft_of("a", "v")}));
      RETURN_IF_ERROR(log->append(group.changes()));
      snapshot = applied(*snapshot, group.changes());
    }
    return {};
  }

  Result<Revision> revision() {
    ASSIGN_OR_RETURN(DataDirectory directory, DataDirectory::hold(disk(), "/data"));
    ASSIGN_OR_RETURN(auto log, directory.open_log());
    ASSIGN_OR_RETURN(const Loaded loaded, log->load());
    return loaded.snapshot->revision();
  }

  std::string error() {
    const auto found = revision();
    return found.ok() ? "" : found.error().message;
  }

  void put_file(const std::string& path, const std::string& contents) {
    ASSERT_TRUE(disk().create_directory("/data").ok());
    auto file = disk().open(path, {.mode = env::OpenMode::Create});
    ASSERT_TRUE(file.ok() && (*file)->write_at(0, contents).ok());
  }

  sim::World world_;
  sim::Node& node_;
};

TEST_F(DataDirectoryTest, IsHeldByOneAtATime) {
  const auto one = DataDirectory::hold(disk(), "/data");
  ASSERT_TRUE(one.ok());
  const auto two = DataDirectory::hold(disk(), "/data");
  ASSERT_FALSE(two.ok());
  EXPECT_EQ(two.error().code, Code::Conflict);
  EXPECT_EQ(two.error().message, "the data directory /data is in use by another process");
}

TEST_F(DataDirectoryTest, MakesALogAndFindsItAgain) {
  EXPECT_EQ(*revision(), 0u);
  ASSERT_TRUE(write(3).ok());
  EXPECT_EQ(*revision(), 3u);
}

TEST_F(DataDirectoryTest, TakesAHalfMadeLogForNone) {
  put_file("/data/store.db.new", "half");
  put_file("/data/store.db.new-wal", "half");
  EXPECT_EQ(*revision(), 0u);
  EXPECT_FALSE(*disk().exists("/data/store.db.new"));
  EXPECT_FALSE(*disk().exists("/data/store.db.new-wal"));
}

TEST_F(DataDirectoryTest, RefusesWhatIsNotOurs) {
  put_file("/data/store.db", std::string(4096, 'x'));
  EXPECT_EQ(error(), "/data/store.db is no store of Berth: it does not begin as one");
  put_file("/data/store.db-journal", "x");
  EXPECT_EQ(error(), "/data/store.db-journal is there: another program wrote to the store");
}

TEST_F(DataDirectoryTest, RefusesAnotherFormat) {
  ASSERT_TRUE(write(1).ok());
  ASSERT_EQ(*revision(), 1u);
  node_.disk().find("/data/store.db")->cached[63] = 9;
  EXPECT_EQ(error(), "/data/store.db has format 9; this version of Berth knows format 1");
}

TEST_F(DataDirectoryTest, RefusesAWriteAheadLogWithoutItsStore) {
  ASSERT_TRUE(write(1).ok());
  ASSERT_TRUE(disk().remove("/data/store.db").ok());
  EXPECT_EQ(error(), "/data/store.db-wal is there, but the store it belongs to is missing");
}

TEST_F(DataDirectoryTest, RefusesAWriteAheadLogWithADamagedCommit) {
  ASSERT_TRUE(write(10).ok());
  std::string& bytes = node_.disk().find("/data/store.db-wal")->cached;
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  const std::string said = error();
  EXPECT_TRUE(said.starts_with("/data/store.db-wal: frame ")) << said;
  EXPECT_TRUE(said.ends_with("commits that were durable depend on it")) << said;
}

TEST_F(DataDirectoryTest, TakesAnUnfinishedCommitForNone) {
  ASSERT_TRUE(write(10).ok());
  std::string& bytes = node_.disk().find("/data/store.db-wal")->cached;
  bytes.resize(bytes.size() - 100);
  EXPECT_EQ(*revision(), 9u);
}

}  // namespace
}  // namespace berth::store
