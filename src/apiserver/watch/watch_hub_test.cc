#include "apiserver/watch/watch_hub.h"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

using store::Revision;

store::EntryChange change(Revision revision, std::string table, std::string name) {
  return {.revision = revision,
          .key = {.table = std::move(table), .name = std::move(name)},
          .after = std::make_shared<store::Entry>(
              store::Entry{.text = "{}", .version_at = 0, .revision = revision})};
}

void take(WatchHub& hub, std::vector<store::EntryChange> changes) {
  const Revision after = changes.front().revision - 1;
  hub.take(
      std::make_shared<store::Batch>(store::Batch{.after = after, .changes = std::move(changes)}),
      Instant());
}

std::vector<Revision> taken(WatchHub::Cursor& cursor) {
  std::vector<Revision> revisions;
  while (const store::EntryChange* next = cursor.next()) revisions.push_back(next->revision);
  return revisions;
}

using Revisions = std::vector<Revision>;

TEST(WatchHub, DeliversWhatHappenedSinceAndWhatHappensNext) {
  WatchHub hub;
  take(hub, {change(1, "pods", "a/x"), change(2, "nodes", "n"), change(3, "pods", "a/y")});
  int woken = 0;
  WatchHub::Cursor cursor(hub, "pods", {}, 1, [&woken] { ++woken; });
  EXPECT_EQ(taken(cursor), Revisions{3});
  take(hub, {change(4, "nodes", "n")});
  EXPECT_EQ(woken, 0);
  take(hub, {change(5, "pods", "b/x"), change(6, "pods", "b/x")});
  EXPECT_EQ(woken, 1);
  EXPECT_EQ(taken(cursor), (Revisions{5, 6}));
  EXPECT_EQ(cursor.position(), 6);
}

TEST(WatchHub, WakesOnlyThoseWhomItConcerns) {
  WatchHub hub;
  int all = 0;
  int in_a = 0;
  int in_b = 0;
  int one = 0;
  WatchHub::Cursor everything(hub, "pods", {}, 0, [&all] { ++all; });
  WatchHub::Cursor a(hub, "pods", {.prefix = "a/"}, 0, [&in_a] { ++in_a; });
  WatchHub::Cursor b(hub, "pods", {.prefix = "b/"}, 0, [&in_b] { ++in_b; });
  WatchHub::Cursor x(hub, "pods", {.name = "a/x"}, 0, [&one] { ++one; });
  take(hub, {change(1, "pods", "a/x")});
  EXPECT_EQ(all + in_a + one, 3);
  EXPECT_EQ(in_b, 0);
  EXPECT_EQ(taken(a), Revisions{1});
  take(hub, {change(2, "pods", "a/y")});
  EXPECT_EQ(taken(x), Revisions{1});
  EXPECT_EQ(taken(a), Revisions{2});
  EXPECT_EQ(taken(b), Revisions{});
  EXPECT_EQ(b.position(), 2);
}

TEST(WatchHub, SkipsWhatCameBeforeAFutureStart) {
  WatchHub hub;
  WatchHub::Cursor cursor(hub, "pods", {}, 2, [] {});
  take(hub, {change(1, "pods", "x"), change(2, "pods", "x"), change(3, "pods", "x")});
  EXPECT_EQ(taken(cursor), Revisions{3});
}

TEST(WatchHub, AReaderThatIsTooSlowIsLostAndAnIdleOneIsNot) {
  WatchHub hub({.changes_max = 2});
  WatchHub::Cursor slow(hub, "pods", {}, 0, [] {});
  WatchHub::Cursor idle(hub, "nodes", {}, 0, [] {});
  for (Revision r = 1; r <= 5; ++r) take(hub, {change(r, "pods", "x")});
  EXPECT_TRUE(slow.is_lost());
  EXPECT_EQ(slow.next(), nullptr);
  EXPECT_FALSE(idle.is_lost());
  EXPECT_EQ(idle.position(), 5);
  take(hub, {change(6, "nodes", "n")});
  EXPECT_EQ(taken(idle), Revisions{6});
  EXPECT_GE(hub.oldest(), 4);
}

TEST(WatchHub, KnowsNothingFromBeforeItsFirstBatch) {
  WatchHub hub;
  take(hub, {change(7, "pods", "x")});
  EXPECT_EQ(hub.oldest(), 6);
}

TEST(WatchHub, AnEmptyBatchSaysWhereItBegins) {
  WatchHub hub;
  EXPECT_FALSE(hub.has_begun());
  hub.take(std::make_shared<store::Batch>(store::Batch{.after = 9, .changes = {}}), Instant());
  EXPECT_TRUE(hub.has_begun());
  EXPECT_EQ(hub.oldest(), 9);
  EXPECT_EQ(hub.position(), 9);
}

TEST(WatchHub, ACursorMayGoAtAnyTime) {
  WatchHub hub;
  {
    WatchHub::Cursor cursor(hub, "pods", {}, 0, [] { FAIL(); });
    EXPECT_EQ(hub.cursors(), 1);
  }
  take(hub, {change(1, "pods", "x")});
  EXPECT_EQ(hub.cursors(), 0);
}

}  // namespace
}  // namespace berth::apiserver
