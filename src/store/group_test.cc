#include "store/group.h"

#include <gtest/gtest.h>

namespace berth::store {
namespace {

const Key kWeb = {.table = "pods", .name = "default/web"};

Draft draft() { return {.text = R"({"resourceVersion":""})", .version_at = 20}; }

Group empty_group() { return Group(std::make_shared<const Snapshot>()); }

TEST(Group, GivesRevisionsWithoutGapsAndNoneToWhatItRefuses) {
  Group group = empty_group();
  EXPECT_EQ(group.add({.key = kWeb, .expected = 0, .draft = draft()})->revision, 1u);
  const auto refused = group.add({.key = kWeb, .expected = 0, .draft = draft()});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, Code::Conflict);
  EXPECT_EQ(refused.error().message,
            "pods default/web is at revision 1, and was expected not to be there");
  EXPECT_EQ(group.add({.key = kWeb, .expected = 1, .draft = draft()})->revision, 2u);
  EXPECT_EQ(group.add({.key = kWeb, .draft = draft()})->revision, 3u);
  EXPECT_EQ(group.revision(), 3u);
  EXPECT_EQ(group.changes().size(), 3u);
}

TEST(Group, ChecksAgainstTheWritesBeforeAndThenTheSnapshot) {
  Group first = empty_group();
  const EntryPtr entry = first.add({.key = kWeb, .draft = draft()})->entry;
  EXPECT_EQ(entry->text, R"({"resourceVersion":"1"})");
  Group group(applied(Snapshot(), first.changes()));
  EXPECT_EQ(group.add({.key = kWeb, .expected = 2, .draft = draft()}).error().code, Code::Conflict);
  const auto deleted = group.add({.key = kWeb, .expected = 1});
  ASSERT_TRUE(deleted.ok());
  EXPECT_EQ(deleted->revision, 2u);
  EXPECT_EQ(deleted->entry, entry);
  EXPECT_EQ(group.add({.key = kWeb, .expected = 1}).error().code, Code::Conflict);
  EXPECT_EQ(group.add({.key = kWeb}).error().code, Code::NotFound);
  EXPECT_EQ(group.add({.key = kWeb, .expected = 0, .draft = draft()})->revision, 3u);
  const Batch batch = std::move(group).batch();
  EXPECT_EQ(batch.after, 1u);
  ASSERT_EQ(batch.changes.size(), 2u);
  EXPECT_EQ(batch.changes[0].before, entry);
  EXPECT_EQ(batch.changes[0].after, nullptr);
  EXPECT_EQ(batch.changes[1].before, nullptr);
}

}  // namespace
}  // namespace berth::store
