#include "store/snapshot.h"

#include <map>

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"

namespace berth::store {
namespace {

using Model = std::map<Key, EntryPtr>;

EntryPtr entry(Revision revision) {
  return std::make_shared<const Entry>(Entry{.text = "x", .version_at = 0, .revision = revision});
}

EntryChange change(Revision revision, Key key, EntryPtr before, EntryPtr after) {
  return {.revision = revision,
          .key = std::move(key),
          .before = std::move(before),
          .after = std::move(after)};
}

Model contents(const Snapshot& snapshot) {
  Model model;
  for (const auto& table : snapshot.tables().all()) {
    table->table.visit("", [&](std::string_view name, const EntryPtr& each) {
      model.emplace(Key{.table = table->name, .name = std::string(name)}, each);
      return true;
    });
  }
  return model;
}

TEST(Snapshot, HasAnEmptyTableForEveryName) {
  const Snapshot snapshot;
  EXPECT_EQ(snapshot.revision(), 0u);
  EXPECT_EQ(snapshot.table("pods").size(), 0u);
  EXPECT_EQ(snapshot.table("pods").revision(), 0u);
  EXPECT_EQ(snapshot.table("pods").find("a"), nullptr);
}

TEST(Snapshot, EachTableKnowsItsLastChange) {
  const auto one = applied(Snapshot(), std::vector<EntryChange>{
                                           change(1, {"pods", "b"}, nullptr, entry(1)),
                                           change(2, {"nodes", "n"}, nullptr, entry(2)),
                                           change(3, {"pods", "a"}, nullptr, entry(3)),
                                       });
  EXPECT_EQ(one->revision(), 3u);
  EXPECT_EQ(one->table("pods").revision(), 3u);
  EXPECT_EQ(one->table("nodes").revision(), 2u);
  EXPECT_EQ(one->size(), 3u);
  const auto two = applied(*one, std::vector<EntryChange>{change(
                                     4, {"nodes", "n"}, one->table("nodes").find("n"), nullptr)});
  EXPECT_EQ(two->table("nodes").revision(), 4u);
  EXPECT_EQ(two->table("nodes").size(), 0u);
  EXPECT_EQ(two->table("pods").revision(), 3u);
  EXPECT_EQ(one->table("nodes").size(), 1u);
}

TEST(Snapshot, TheLastOfSeveralChangesToOneKeyHolds) {
  const EntryPtr first = entry(1);
  const EntryPtr second = entry(2);
  const std::vector<EntryChange> changes = {
      change(1, {"pods", "a"}, nullptr, first),
      change(2, {"pods", "a"}, first, second),
      change(3, {"pods", "b"}, nullptr, entry(3)),
      change(4, {"pods", "b"}, entry(3), nullptr),
  };
  const auto snapshot = applied(Snapshot(), changes);
  EXPECT_EQ(snapshot->table("pods").find("a"), second);
  EXPECT_EQ(snapshot->size(), 1u);
  EXPECT_EQ(snapshot->table("pods").revision(), 4u);
  EXPECT_EQ(undone(*snapshot, changes, 0)->size(), 0u);
}

RC_GTEST_PROP(Snapshot, UndoingChangesGivesWhatWasThere, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  std::vector<SnapshotPtr> snapshots = {std::make_shared<const Snapshot>()};
  std::vector<EntryChange> changes;
  Model model;
  std::vector<Model> models = {model};
  for (Revision revision = 1; revision <= 60; ++revision) {
    const Key key = {.table = fmt::format("t{}", random.below(3)),
                     .name = fmt::format("n{}", random.below(10))};
    const auto found = model.find(key);
    const EntryPtr before = found == model.end() ? nullptr : found->second;
    const EntryPtr after = before && random.chance(0.4) ? nullptr : entry(revision);
    changes.push_back(change(revision, key, before, after));
    snapshots.push_back(applied(*snapshots.back(), std::span(changes).last(1)));
    model.erase(key);
    if (after) model[key] = after;
    models.push_back(model);
    RC_ASSERT(contents(*snapshots.back()) == model);
  }
  for (Revision revision = 0; revision <= 60; ++revision) {
    const auto then = undone(*snapshots.back(), std::span(changes).subspan(revision), revision);
    RC_ASSERT(contents(*then) == models[revision]);
    RC_ASSERT(then->revision() == revision);
    // All in one batch is the same as one after the other.
    const auto whole = applied(Snapshot(), std::span(changes).first(revision));
    RC_ASSERT(contents(*whole) == models[revision]);
  }
}

}  // namespace
}  // namespace berth::store
