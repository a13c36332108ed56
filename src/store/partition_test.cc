#include "store/partition.h"

#include <gtest/gtest.h>

#include "store/testing/drafts.h"

namespace berth::store {
namespace {

SnapshotPtr with(const SnapshotPtr& before, const std::string& table, Revision revision) {
  const auto entry =
      std::make_shared<const Entry>(completed(testing::draft_of("one", table), revision));
  const EntryChange change{.revision = revision, .key = {table, "one"}, .after = entry};
  return applied(*before, std::span(&change, 1));
}

SnapshotPtr whole() {
  auto snapshot = with(std::make_shared<const Snapshot>(), "pods", 1);
  snapshot = with(snapshot, "~paris/pods", 2);
  snapshot = with(snapshot, "~paris/nodes", 3);
  return with(snapshot, "~rome/pods", 4);
}

std::string value_in(const SnapshotPtr& snapshot, const std::string& table) {
  const EntryPtr entry = snapshot->table(table).find("one");
  return entry ? testing::value_of(*entry) : "none";
}

TEST(Partition, ATableSaysWhereItBelongs) {
  EXPECT_EQ(partitioned("pods").partition, "");
  EXPECT_EQ(partitioned("pods").table, "pods");
  EXPECT_EQ(partitioned("~paris/pods").partition, "paris");
  EXPECT_EQ(partitioned("~paris/pods").table, "pods");
}

TEST(PartitionView, ShowsItsOwnTablesUnderTheirPlainNames) {
  PartitionView paris("paris");
  const SnapshotPtr seen = paris.of(whole(), 0);
  EXPECT_EQ(seen->tables().all().size(), 2);
  EXPECT_EQ(value_in(seen, "pods"), "~paris/pods");
  EXPECT_EQ(value_in(seen, "nodes"), "~paris/nodes");
}

TEST(PartitionView, WhatIsInNoPartitionIsThereForTheEmptyName) {
  PartitionView none("");
  const SnapshotPtr seen = none.of(whole(), 0);
  EXPECT_EQ(seen->tables().all().size(), 1);
  EXPECT_EQ(value_in(seen, "pods"), "pods");
}

TEST(PartitionView, APartitionThatIsTheBeginningOfAnotherSeesNothingOfIt) {
  PartitionView ro("ro");
  EXPECT_TRUE(ro.of(whole(), 0)->tables().all().empty());
}

TEST(PartitionView, StaysAtItsOwnLastChange) {
  PartitionView paris("paris");
  const SnapshotPtr before = whole();
  const SnapshotPtr seen = paris.of(before, 0);
  EXPECT_EQ(seen->revision(), 3);
  EXPECT_EQ(paris.of(with(before, "~rome/pods", 5), 0), seen);
}

TEST(PartitionView, IsNeverOlderThanItsFloor) {
  PartitionView paris("paris");
  EXPECT_EQ(paris.of(whole(), 9)->revision(), 9);
}

TEST(PartitionView, KeepsTheTablesThatDidNotChange) {
  PartitionView paris("paris");
  const SnapshotPtr before = whole();
  const SnapshotPtr seen = paris.of(before, 0);
  const SnapshotPtr later = paris.of(with(before, "~paris/pods", 5), 0);
  EXPECT_EQ(later->revision(), 5);
  EXPECT_EQ(later->tables().all()[0], seen->tables().all()[0]);
  EXPECT_NE(later->tables().all()[1], seen->tables().all()[1]);
}

}  // namespace
}  // namespace berth::store
