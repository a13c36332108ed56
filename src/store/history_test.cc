#include "store/history.h"

#include <gtest/gtest.h>

#include "store/group.h"

namespace berth::store {
namespace {

using namespace std::chrono_literals;

Draft draft(std::size_t size) {
  return {.text = R"({"resourceVersion":"","x":")" + std::string(size, 'x') + "\"}",
          .version_at = 20};
}

// A store without a disk: one change per batch.
class Changing {
 public:
  explicit Changing(HistoryBounds bounds) : history(bounds, 0) {}

  std::vector<BatchPtr> put(const std::string& name, Instant now, std::size_t size = 10) {
    Group group(snapshots.back());
    EXPECT_TRUE(group.add({.key = {"t", name}, .draft = draft(size)}).ok());
    snapshots.push_back(applied(*snapshots.back(), group.changes()));
    return history.add(std::make_shared<const Batch>(std::move(group).batch()), now);
  }

  History history;
  std::vector<SnapshotPtr> snapshots = {std::make_shared<const Snapshot>()};
};

std::vector<Revision> since(const History& history, Revision revision) {
  std::vector<Revision> revisions;
  EXPECT_TRUE(
      history
          .visit_since(revision,
                       [&](const EntryChange& change) { revisions.push_back(change.revision); })
          .ok());
  return revisions;
}

TEST(History, GivesTheChangesSinceARevision) {
  Changing changing({});
  for (const char* name : {"a", "b", "a", "c"}) changing.put(name, Instant(0s));
  EXPECT_EQ(since(changing.history, 0), (std::vector<Revision>{1, 2, 3, 4}));
  EXPECT_EQ(since(changing.history, 2), (std::vector<Revision>{3, 4}));
  EXPECT_TRUE(since(changing.history, 4).empty());
  EXPECT_TRUE(since(changing.history, 1000).empty());
  EXPECT_EQ(changing.history.batches_since(3).size(), 1u);
}

TEST(History, ForgetsWhatIsTooOldOrTooMuch) {
  Changing old({.age = 60s});
  old.put("a", Instant(0s));
  old.put("b", Instant(30s));
  EXPECT_TRUE(old.history.expire(Instant(60s)).empty());
  const auto dropped = old.history.expire(Instant(61s));
  ASSERT_EQ(dropped.size(), 1u);
  EXPECT_EQ(dropped[0]->changes[0].revision, 1u);
  EXPECT_EQ(old.history.oldest(), 1u);
  EXPECT_EQ(old.history.newest(), 2u);

  Changing many({.changes_max = 3});
  for (int i = 0; i < 10; ++i) many.put("a", Instant(0s));
  EXPECT_EQ(many.history.oldest(), 7u);
  EXPECT_EQ(many.history.changes(), 3u);

  Changing large({.bytes_max = 10'000});
  large.put("a", Instant(0s), 6000);
  EXPECT_TRUE(large.put("a", Instant(0s), 6000).empty());
  EXPECT_EQ(large.put("a", Instant(0s), 6000).size(), 2u);
  EXPECT_LE(large.history.bytes(), 10'000u);
}

TEST(History, SaysSoWhenARevisionIsTooOld) {
  Changing changing({.changes_max = 2});
  for (int i = 0; i < 5; ++i) changing.put("a", Instant(0s));
  const auto answer = changing.history.visit_since(2, [](const EntryChange&) { FAIL(); });
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code, Code::Expired);
  EXPECT_EQ(answer.error().message, "too old resource version: 2 (3)");
  EXPECT_EQ(changing.history.snapshot_at(*changing.snapshots.back(), 2).error().code,
            Code::Expired);
  EXPECT_TRUE(changing.history.snapshot_at(*changing.snapshots.back(), 3).ok());
}

TEST(History, KnowsHowThingsWere) {
  Changing changing({});
  for (const char* name : {"a", "b", "a", "c", "b"}) changing.put(name, Instant(0s));
  const Snapshot& now = *changing.snapshots[5];
  for (Revision revision = 0; revision <= 5; ++revision) {
    const SnapshotPtr then = changing.history.snapshot_at(now, revision).value();
    EXPECT_EQ(then->revision(), revision);
    for (const char* name : {"a", "b", "c"}) {
      EXPECT_EQ(then->table("t").find(name), changing.snapshots[revision]->table("t").find(name));
    }
  }
  // From an older snapshot, while the history has gone on.
  const SnapshotPtr then = changing.history.snapshot_at(*changing.snapshots[3], 1).value();
  EXPECT_EQ(then->size(), 1u);
  EXPECT_EQ(changing.history.snapshot_at(*changing.snapshots[3], 4).error().code, Code::BadRequest);
}

}  // namespace
}  // namespace berth::store
