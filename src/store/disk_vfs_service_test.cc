#include "store/disk_vfs_service.h"

#include <gtest/gtest.h>

#include "sim/world.h"
#include "store/sqlite.h"

namespace berth::store {
namespace {

using namespace std::chrono_literals;

class DiskVfsTest : public ::testing::Test {
 protected:
  DiskVfsTest() : world_({.seed = 1}), node_(world_.add_node("hub")) {
    node_.start([](std::span<env::Env>) { return nullptr; });
    world_.run_for(1ms);
  }

  env::Disk& disk() { return node_.process()->loops()[0].disk; }

  sim::World world_;
  sim::Node& node_;
};

TEST_F(DiskVfsTest, KeepsADatabaseOnTheDisk) {
  DiskVfs vfs(disk());
  {
    auto database = Database::open(vfs.name(), "/a.db", DatabaseMode::Create);
    ASSERT_TRUE(database.ok());
    ASSERT_TRUE(database->execute("CREATE TABLE t(a); INSERT INTO t VALUES (42);").ok());
  }
  EXPECT_TRUE(node_.disk().find("/a.db")->cached.starts_with("SQLite format 3"));
  EXPECT_EQ(node_.disk().find("/a.db-journal"), nullptr);
  auto database = Database::open(vfs.name(), "/a.db", DatabaseMode::ReadOnly);
  EXPECT_EQ(*database->number("SELECT a FROM t"), 42);
  EXPECT_FALSE(database->execute("INSERT INTO t VALUES (1)").ok());
}

TEST_F(DiskVfsTest, MakesTheNamesOfNewFilesDurable) {
  DiskVfs vfs(disk());
  auto database = Database::open(vfs.name(), "/a.db", DatabaseMode::Create);
  ASSERT_TRUE(database->execute("CREATE TABLE t(a); INSERT INTO t VALUES (42);").ok());
  node_.disk().options.unsynced = sim::Unsynced::Lost;
  node_.disk().lose_power();
  EXPECT_NE(node_.disk().find("/a.db"), nullptr);
}

TEST_F(DiskVfsTest, TwoOnTwoDisksDoNotMeet) {
  sim::Node& other = world_.add_node("other");
  other.start([](std::span<env::Env>) { return nullptr; });
  world_.run_for(1ms);
  DiskVfs one(disk());
  DiskVfs two(other.process()->loops()[0].disk);
  EXPECT_NE(one.name(), two.name());
  auto first = Database::open(one.name(), "/a.db", DatabaseMode::Create);
  ASSERT_TRUE(first->execute("CREATE TABLE t(a)").ok());
  EXPECT_EQ(other.disk().find("/a.db"), nullptr);
}

TEST_F(DiskVfsTest, RemembersWhatTheDiskSaid) {
  DiskVfs vfs(disk());
  auto database = Database::open(vfs.name(), "/a.db", DatabaseMode::Create);
  node_.disk().options.write_error = 1;
  EXPECT_FALSE(database->execute("CREATE TABLE t(a)").ok());
  EXPECT_EQ(vfs.take_error(), "write /a.db-journal: Input/output error");
  EXPECT_EQ(vfs.take_error(), "");
  EXPECT_FALSE(Database::open(vfs.name(), "/missing/a.db", DatabaseMode::Existing).ok());
  EXPECT_EQ(vfs.take_error(), "/missing/a.db: No such file or directory");
}

}  // namespace
}  // namespace berth::store
