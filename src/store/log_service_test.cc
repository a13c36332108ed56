#include "store/log_service.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "sim/world.h"
#include "store/testing/drafts.h"

namespace berth::store {
namespace {

using namespace std::chrono_literals;

class LogTest : public ::testing::Test {
 protected:
  LogTest() : world_({.seed = 1}), node_(world_.add_node("hub")) {
    node_.start([](std::span<env::Env>) { return nullptr; });
    world_.run_for(1ms);
  }

  env::Disk& disk() { return node_.process()->loops()[0].disk; }

  // a, b, a again; b is deleted.
  Group some_changes() {
    Group group(std::make_shared<const Snapshot>());
    for (const char* name : {"a", "b", "a"}) {
      EXPECT_TRUE(
          group.add({.key = {"t", name}, .draft = testing::draft_of(name, "some value")}).ok());
    }
    EXPECT_TRUE(group.add({.key = {"t", "b"}}).ok());
    return group;
  }

  void write_some() {
    auto log = Log::create(disk(), "/log.db");
    ASSERT_TRUE(log.ok()) << log.error().message;
    ASSERT_TRUE((*log)->append(some_changes().changes()).ok());
    ASSERT_TRUE(Log::close(std::move(*log)).ok());
  }

  Result<Loaded> load() {
    ASSIGN_OR_RETURN(auto log, Log::open(disk(), "/log.db"));
    return log->load();
  }

  std::string load_error() {
    const auto loaded = load();
    if (loaded.ok()) return "";
    EXPECT_EQ(loaded.error().code, Code::StoreReadError) << loaded.error().message;
    return loaded.error().message;
  }

  // As somebody with sqlite3 could.
  void tamper(const std::string& sql) {
    DiskVfs vfs(disk());
    auto database = Database::open(vfs.name(), "/log.db", DatabaseMode::Existing);
    ASSERT_TRUE(database.ok());
    const Status done = database->execute("PRAGMA locking_mode=EXCLUSIVE;" + sql);
    ASSERT_TRUE(done.ok()) << done.error().message;
  }

  sim::World world_;
  sim::Node& node_;
};

TEST_F(LogTest, GivesBackWhatWasAppended) {
  write_some();
  const auto loaded = load();
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  EXPECT_EQ(loaded->snapshot->revision(), 4u);
  EXPECT_EQ(loaded->snapshot->size(), 1u);
  ASSERT_EQ(loaded->recent.size(), 1u);
  EXPECT_EQ(loaded->recent[0]->changes.size(), 4u);
  const EntryPtr a = loaded->snapshot->table("t").find("a");
  EXPECT_EQ(a->revision, 3u);
  EXPECT_EQ(testing::value_of(*a), "some value");
}

TEST_F(LogTest, KeepsNamesAndTextsByteByByte) {
  const std::string name("\0\xff'\"\n", 5);
  Draft draft = testing::draft_of("x", "");
  draft.text += std::string("\0\x80tail", 6);
  Group group(std::make_shared<const Snapshot>());
  ASSERT_TRUE(group.add({.key = {"t", ""}, .draft = draft}).ok());
  ASSERT_TRUE(group.add({.key = {"t", name}, .draft = draft}).ok());
  {
    auto log = Log::create(disk(), "/log.db");
    ASSERT_TRUE((*log)->append(group.changes()).ok());
  }
  const auto loaded = load();
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  const EntryPtr found = loaded->snapshot->table("t").find(name);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->text, completed(draft, 2).text);
}

TEST_F(LogTest, ACompactionLeavesTheSameObjects) {
  write_some();
  {
    auto log = Log::open(disk(), "/log.db");
    ASSERT_TRUE(log.ok());
    const auto loaded = (*log)->load();
    Compaction compaction(loaded->base);
    compaction.add(loaded->recent);
    ASSERT_TRUE((*log)->compact(compaction.next(3)).ok());
  }
  auto loaded = load();
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  EXPECT_EQ(loaded->base.revision, 3u);
  EXPECT_EQ(loaded->base.rows, 2u);
  EXPECT_EQ(loaded->snapshot->size(), 1u);
  ASSERT_EQ(loaded->recent.size(), 1u);
  EXPECT_EQ(loaded->recent[0]->after, 3u);
  ASSERT_EQ(loaded->recent[0]->changes.size(), 1u);
  EXPECT_EQ(loaded->recent[0]->changes[0].before->revision, 2u);
}

TEST_F(LogTest, NamesWhatIsDamaged) {
  struct Case {
    const char* sql;
    const char* error;
  };
  const Case cases[] = {
      {"DELETE FROM log WHERE revision = 2",
       "/log.db: revision 3: the row of revision 2 is missing"},
      {"UPDATE log SET version_at = 'x' WHERE revision = 2",
       "/log.db: revision 2: the row's columns have wrong types"},
      {"UPDATE log SET text = 'text' WHERE revision = 1",
       "/log.db: revision 1: the row's columns have wrong types"},
      {"UPDATE log SET checksum = 4294967296 WHERE revision = 1",
       "/log.db: revision 1: the row's columns have wrong types"},
      {"UPDATE log SET checksum = 7 WHERE revision = 3",
       "/log.db: revision 3: the row is damaged: its checksum is "},
      {"UPDATE log SET name = 'z' WHERE revision = 4",
       "/log.db: revision 4: the row is damaged: its checksum is "},
      {"UPDATE log SET revision = -1 WHERE revision = 1", "/log.db: a row has no revision"},
      {"UPDATE base SET revision = 3",
       "/log.db: the state of the base is damaged: its checksum is wrong"},
      {"DELETE FROM base", "/log.db: the base has no state"},
      {"DROP TABLE log", "/log.db: its tables are not ours"},
      {"CREATE VIEW more AS SELECT 1", "/log.db: its tables are not ours"},
      {"CREATE INDEX i ON log(name)", "/log.db: its tables are not ours"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.sql);
    for (const char* path : {"/log.db", "/log.db-wal"}) {
      if (*disk().exists(path)) ASSERT_TRUE(disk().remove(path).ok());
    }
    write_some();
    tamper(c.sql);
    const auto loaded = load();
    ASSERT_FALSE(loaded.ok());
    EXPECT_TRUE(loaded.error().message.starts_with(c.error)) << loaded.error().message;
  }
}

TEST_F(LogTest, NeverCrashesOnFlippedBits) {
  write_some();
  const auto inode = node_.disk().find("/log.db");
  const std::string good = inode->cached;
  int refused = 0;
  int same = 0;
  for (std::size_t bit = 0; bit < good.size() * 8; bit += 37) {
    inode->cached = good;
    inode->cached[bit / 8] = static_cast<char>(inode->cached[bit / 8] ^ (1 << bit % 8));
    if (*disk().exists("/log.db-wal")) ASSERT_TRUE(disk().remove("/log.db-wal").ok());
    const auto loaded = load();
    if (!loaded.ok()) {
      ++refused;
      continue;
    }
    // In bytes that nobody uses. What is served is never wrong.
    ++same;
    ASSERT_EQ(loaded->snapshot->revision(), 4u) << bit;
    ASSERT_EQ(testing::value_of(*loaded->snapshot->table("t").find("a")), "some value") << bit;
  }
  EXPECT_GT(refused, 20);
  std::printf("refused %d, in unused bytes %d\n", refused, same);
}

TEST_F(LogTest, ErrorsHaveTheDisksOwnWords) {
  auto log = Log::create(disk(), "/log.db");
  ASSERT_TRUE(log.ok());
  node_.disk().options.write_error = 1;
  const Status appended = (*log)->append(some_changes().changes());
  ASSERT_FALSE(appended.ok());
  EXPECT_EQ(appended.error().code, Code::InternalError);
  EXPECT_EQ(appended.error().message,
            "/log.db: disk I/O error (SQLite's code 778): write /log.db-wal: Input/output error");
}

TEST_F(LogTest, AFullDiskIsToldApartAndLeavesNothing) {
  auto log = Log::create(disk(), "/log.db");
  ASSERT_TRUE(log.ok());
  node_.disk().options.capacity = 0;
  Group group(std::make_shared<const Snapshot>());
  const Draft draft = testing::draft_of("x", std::string(100'000, 'x'));
  ASSERT_TRUE(group.add({.key = {"t", "x"}, .draft = draft}).ok());
  const Status appended = (*log)->append(group.changes());
  ASSERT_FALSE(appended.ok());
  EXPECT_EQ(appended.error().code, Code::ServiceUnavailable);
  node_.disk().options.capacity = 1 << 30;
  EXPECT_EQ((*log)->load()->snapshot->revision(), 0u);
  EXPECT_TRUE((*log)->append(some_changes().changes()).ok());
  EXPECT_EQ((*log)->load()->snapshot->revision(), 4u);
}

}  // namespace
}  // namespace berth::store
