#include "store/compaction.h"

#include <gtest/gtest.h>

#include "store/group.h"
#include "store/row.h"

namespace berth::store {
namespace {

Draft draft() { return {.text = R"({"resourceVersion":""})", .version_at = 20}; }

// a (1), b (2), a again (3), b deleted (4), c (5).
std::vector<BatchPtr> some_batches() {
  std::vector<BatchPtr> batches;
  auto snapshot = std::make_shared<const Snapshot>();
  const EntryWrite writes[] = {{.key = {"t", "a"}, .draft = draft()},
                               {.key = {"t", "b"}, .draft = draft()},
                               {.key = {"t", "a"}, .draft = draft()},
                               {.key = {"t", "b"}},
                               {.key = {"t", "c"}, .draft = draft()}};
  for (std::span<const EntryWrite> rest = writes; !rest.empty();) {
    Group group(snapshot);
    const std::size_t count = std::min<std::size_t>(2, rest.size());
    for (const EntryWrite& write : rest.first(count)) EXPECT_TRUE(group.add(write).ok());
    rest = rest.subspan(count);
    snapshot = applied(*snapshot, group.changes());
    batches.push_back(std::make_shared<const Batch>(std::move(group).batch()));
  }
  return batches;
}

TEST(Compaction, RemovesWhatWasReplacedAndDeletionsThemselves) {
  Compaction compaction(BaseState{});
  compaction.add(some_batches());
  EXPECT_EQ(compaction.pending(), 5u);
  const CompactionStep step = compaction.next(100);
  EXPECT_EQ(step.rows, (std::vector<Revision>{1, 2, 4}));
  EXPECT_EQ(step.base.revision, 5u);
  EXPECT_EQ(step.base.rows, 2u);
  compaction.done(step);
  EXPECT_EQ(compaction.pending(), 0u);
  EXPECT_TRUE(compaction.next(100).rows.empty());
}

TEST(Compaction, SmallStepsLeadToTheSame) {
  Compaction whole(BaseState{});
  whole.add(some_batches());
  Compaction small(BaseState{});
  small.add(some_batches());
  std::vector<Revision> rows;
  CompactionStep step;
  for (int i = 0; i < 5; ++i) {
    step = small.next(1);
    EXPECT_EQ(step.base.revision, static_cast<Revision>(i + 1));
    rows.insert(rows.end(), step.rows.begin(), step.rows.end());
    small.done(step);
  }
  EXPECT_EQ(rows, whole.next(100).rows);
  EXPECT_EQ(step.base, whole.next(100).base);
  EXPECT_EQ(small.pending(), 0u);
}

TEST(Compaction, AStepThatFailedIsGivenAgain) {
  Compaction compaction(BaseState{});
  compaction.add(some_batches());
  EXPECT_EQ(compaction.next(2).rows, compaction.next(2).rows);
  EXPECT_EQ(compaction.pending(), 5u);
}

}  // namespace
}  // namespace berth::store
