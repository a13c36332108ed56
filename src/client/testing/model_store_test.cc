#include "client/testing/model_store.h"

#include <gtest/gtest.h>

namespace berth::client::testing {
namespace {

TEST(ModelStore, RemembersEveryChangeInOrder) {
  ModelStore store;
  EXPECT_EQ(store.put("a"), 101);
  EXPECT_EQ(store.put("a"), 102);
  EXPECT_EQ(store.erase("a"), 103);
  EXPECT_EQ(store.erase("a"), 103);
  EXPECT_EQ(store.after(100)->event.type, WatchEvent::Type::Added);
  EXPECT_EQ(store.after(101)->event.type, WatchEvent::Type::Modified);
  EXPECT_EQ(store.after(102)->event.type, WatchEvent::Type::Deleted);
  EXPECT_EQ(store.after(103), nullptr);
  EXPECT_TRUE(store.state().empty());
}

TEST(ModelStore, ARestoreForgetsWhatCameAfterTheBackup) {
  ModelStore store;
  store.put("a");
  store.put("b");
  store.restore(101);
  EXPECT_EQ(store.revision(), 101);
  EXPECT_EQ(store.state().size(), 1u);
  EXPECT_EQ(store.put("c"), 102);
  EXPECT_EQ(store.after(101)->event.object.find_path({"metadata", "name"})->as_string(), "c");
}

}  // namespace
}  // namespace berth::client::testing
