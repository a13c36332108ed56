#include "store/sqlite.h"

#include <gtest/gtest.h>

namespace berth::store {
namespace {

// In memory, with SQLite's own VFS.
Database memory() {
  auto database = Database::open("unix", ":memory:", DatabaseMode::Create);
  EXPECT_TRUE(database.ok());
  EXPECT_TRUE(database->execute("CREATE TABLE t(a)").ok());
  return std::move(*database);
}

TEST(Statement, GivesBackWhatWasBoundByItsType) {
  Database database = memory();
  auto insert = database.prepare("INSERT INTO t VALUES (?1)");
  ASSERT_TRUE(insert.ok());
  insert->bind(1, -7);
  ASSERT_TRUE(insert->run().ok());
  insert->bind_text(1, "text");
  ASSERT_TRUE(insert->run().ok());
  insert->bind_blob(1, std::string_view("a\0b", 3));
  ASSERT_TRUE(insert->run().ok());
  insert->bind_null(1);
  ASSERT_TRUE(insert->run().ok());

  auto select = database.prepare("SELECT a FROM t");
  ASSERT_TRUE(*select->step());
  EXPECT_EQ(select->number(0), -7);
  EXPECT_EQ(select->text(0), std::nullopt);
  ASSERT_TRUE(*select->step());
  EXPECT_EQ(select->text(0), "text");
  EXPECT_EQ(select->blob(0), std::nullopt);
  ASSERT_TRUE(*select->step());
  EXPECT_EQ(select->blob(0), std::string_view("a\0b", 3));
  ASSERT_TRUE(*select->step());
  EXPECT_TRUE(select->is_null(0));
  EXPECT_FALSE(*select->step());
}

TEST(Database, SaysWhatIsWrong) {
  Database database = memory();
  EXPECT_EQ(database.execute("nonsense").error().message,
            "near \"nonsense\": syntax error (SQLite's code 1)");
  EXPECT_FALSE(database.prepare("SELECT * FROM missing").ok());
  EXPECT_EQ(database.number("SELECT 'x'").error().code, Code::StoreReadError);
  EXPECT_EQ(*database.number("SELECT 5"), 5);
  EXPECT_FALSE(Database::open("no such vfs", "x", DatabaseMode::Create).ok());
}

TEST(Database, ATransactionThatFailsLeavesNothing) {
  Database database = memory();
  const Status failed = database.in_transaction([&]() -> Status {
    RETURN_IF_ERROR(database.execute("INSERT INTO t VALUES (1)"));
    return failure(Code::Conflict, "no");
  });
  EXPECT_EQ(failed.error().code, Code::Conflict);
  EXPECT_EQ(*database.number("SELECT count(*) FROM t"), 0);
  EXPECT_TRUE(
      database.in_transaction([&] { return database.execute("INSERT INTO t VALUES (1)"); }).ok());
  EXPECT_EQ(*database.number("SELECT count(*) FROM t"), 1);
}

}  // namespace
}  // namespace berth::store
