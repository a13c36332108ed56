#include "suites/store_checker.h"

#include <gtest/gtest.h>

#include "store/group.h"
#include "store/testing/drafts.h"

namespace berth::suites {
namespace {

using store::testing::draft_of;

struct Stored {
  store::SnapshotPtr snapshot;
  store::Batch batch;
};

// a, b, a again; b is deleted.
Stored stored(int changes) {
  store::Group group(std::make_shared<const store::Snapshot>());
  for (const char* name : {"a", "b", "a"}) {
    EXPECT_TRUE(group.add({.key = {"t", name}, .draft = draft_of(name, "v")}).ok());
  }
  EXPECT_TRUE(group.add({.key = {"t", "b"}}).ok());
  store::Batch batch = std::move(group).batch();
  batch.changes.resize(static_cast<std::size_t>(changes));
  return {store::applied(store::Snapshot(), batch.changes), batch};
}

TEST(StoreChecker, FindsNothingWrongWithAGoodStore) {
  StoreChecker checker("t");
  for (int changes = 1; changes <= 4; ++changes) {
    const Stored good = stored(changes);
    checker.served(*good.snapshot);
    EXPECT_EQ(checker.followed(good.batch, 0), static_cast<store::Revision>(changes));
    checker.served(*good.snapshot);
  }
  EXPECT_TRUE(checker.verdict().ok()) << checker.verdict().error().message;
}

TEST(StoreChecker, FindsWhatWasLost) {
  StoreChecker checker("t");
  checker.saw(4, "b", nullptr);
  checker.served(*stored(3).snapshot);
  EXPECT_EQ(checker.verdict().error().message, "revision 4 was told and the store is at 3");

  StoreChecker other("t");
  const Stored good = stored(4);
  other.followed(good.batch, 0);
  other.served(store::Snapshot({}, 4));
  EXPECT_EQ(other.verdict().error().message, "a of revision 3 is not in the snapshot");
}

TEST(StoreChecker, FindsARevisionThatWasUsedTwice) {
  StoreChecker checker("t");
  const store::Entry entry = completed(draft_of("c", "v"), 3);
  checker.saw(3, "c", &entry);
  checker.served(*stored(3).snapshot);
  EXPECT_EQ(checker.verdict().error().message, "revision 3 was c and is a");
}

TEST(StoreChecker, FindsGapsInWhatFollowersHear) {
  StoreChecker checker("t");
  store::Batch batch = stored(4).batch;
  batch.changes.erase(batch.changes.begin() + 1);
  checker.followed(batch, 0);
  EXPECT_EQ(checker.verdict().error().message, "a follower heard of revision 3 after 1");
  StoreChecker other("t");
  other.followed(stored(4).batch, 2);
  EXPECT_EQ(other.verdict().error().message,
            "a follower that knew revision 2 was told what follows 0");
}

TEST(StoreChecker, ToleratesADiskThatDoesNotAnswerButNoDamage) {
  StoreChecker checker("t");
  checker.refused({.code = Code::StoreReadError, .message = "read x: Input/output error"});
  checker.refused({.code = Code::InternalError, .message = "the process is gone"});
  EXPECT_TRUE(checker.verdict().ok());
  checker.refused({.code = Code::StoreReadError, .message = "the row is damaged"});
  EXPECT_FALSE(checker.verdict().ok());
}

}  // namespace
}  // namespace berth::suites
