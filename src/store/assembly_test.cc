#include "store/assembly.h"

#include <gtest/gtest.h>

namespace berth::store {
namespace {

struct StoredRow {
  Revision revision;
  Key key;
  std::optional<Entry> entry;
};

StoredRow put(Revision revision, const std::string& name) {
  return {revision,
          {"t", name},
          completed({.text = R"({"resourceVersion":""})", .version_at = 20}, revision)};
}

StoredRow removal(Revision revision, const std::string& name) {
  return {revision, {"t", name}, std::nullopt};
}

std::uint32_t sum_of(const StoredRow& row) {
  return checksum(row_of(row.revision, row.key, row.entry ? &*row.entry : nullptr));
}

BaseState base_of(Revision revision, const std::vector<StoredRow>& rows) {
  BaseState base = {.revision = revision};
  for (const StoredRow& row : rows) base.add(sum_of(row));
  return base;
}

Result<Loaded> assemble(BaseState base, const std::vector<StoredRow>& rows) {
  Assembly assembly(base);
  for (const StoredRow& row : rows) {
    RETURN_IF_ERROR(assembly.add(row_of(row.revision, row.key, row.entry ? &*row.entry : nullptr),
                                 sum_of(row)));
  }
  return std::move(assembly).finish();
}

std::string error_of(BaseState base, const std::vector<StoredRow>& rows) {
  const auto loaded = assemble(base, rows);
  if (loaded.ok()) return "";
  EXPECT_EQ(loaded.error().code, Code::StoreReadError);
  return loaded.error().message;
}

TEST(Assembly, OfNothingIsEmpty) {
  const auto loaded = assemble({}, {});
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded->snapshot->revision(), 0u);
  EXPECT_TRUE(loaded->recent.empty());
}

TEST(Assembly, GoesOnAfterTheBaseEvenIfNoRowIsLeft) {
  EXPECT_EQ(assemble({.revision = 1'000'000}, {})->snapshot->revision(), 1'000'000u);
  const auto loaded = assemble({.revision = 7}, {put(8, "a")});
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded->snapshot->revision(), 8u);
}

TEST(Assembly, TellsTheBaseFromTheChangesSince) {
  const auto base = base_of(5, {put(2, "b"), put(5, "a")});
  const auto loaded =
      assemble(base, {put(2, "b"), put(5, "a"), put(6, "b"), removal(7, "a"), put(8, "c")});
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  EXPECT_EQ(loaded->snapshot->revision(), 8u);
  EXPECT_EQ(loaded->snapshot->size(), 2u);
  ASSERT_EQ(loaded->recent.size(), 1u);
  const Batch& batch = *loaded->recent[0];
  EXPECT_EQ(batch.after, 5u);
  ASSERT_EQ(batch.changes.size(), 3u);
  EXPECT_EQ(batch.changes[0].before->revision, 2u);
  EXPECT_EQ(batch.changes[1].before->revision, 5u);
  EXPECT_EQ(batch.changes[1].after, nullptr);
  EXPECT_EQ(batch.changes[2].before, nullptr);
}

TEST(Assembly, RefusesWhatCannotBeRight) {
  const StoredRow a = put(2, "a");
  const StoredRow b = put(5, "b");
  const auto base = base_of(5, {a, b});
  EXPECT_EQ(error_of(base, {a, b, put(7, "c")}), "revision 7: the row of revision 6 is missing");
  EXPECT_EQ(error_of(base, {a}), "the log should have 2 rows up to revision 5 and has 1");
  EXPECT_EQ(error_of(base, {a, put(5, "x")}),
            "the log should have 2 rows up to revision 5 and has 2 others");
  EXPECT_EQ(error_of(base, {b, a}), "revision 2: the rows are not in order");
  EXPECT_EQ(error_of(base, {a, put(3, "c"), b, put(6, "c")}),
            "revision 6: the log should have 2 rows up to revision 5 and has 3");
  EXPECT_EQ(error_of(base, {removal(2, "a"), b}),
            "revision 2: a deletion that should have been compacted away");
  EXPECT_EQ(error_of(base, {a, b, removal(6, "c")}), "revision 6: t c is not there");
  EXPECT_EQ(error_of(base_of(5, {a, put(5, "a")}), {a, put(5, "a")}),
            "up to revision 5 an object is there twice");
}

TEST(Assembly, RefusesADamagedRowAndNamesIt) {
  const StoredRow row = put(1, "a");
  Assembly assembly(BaseState{});
  const Status added = assembly.add(row_of(row.revision, row.key, &*row.entry), sum_of(row) ^ 1);
  ASSERT_FALSE(added.ok());
  EXPECT_TRUE(added.error().message.starts_with("revision 1: the row is damaged"))
      << added.error().message;
}

}  // namespace
}  // namespace berth::store
