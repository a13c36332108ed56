#include "http/stream_table.h"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

namespace berth::http {
namespace {

struct Item {
  StreamId id;
};

TEST(StreamTable, FindsAndRemovesByIdAndKeepsTheOrder) {
  StreamTable<Item> table;
  for (const StreamId id : {1, 3, 7, 9}) table.add(std::make_unique<Item>(Item{id}));
  const Item* seven = table.find(7);
  ASSERT_NE(seven, nullptr);
  EXPECT_EQ(table.find(5), nullptr);
  EXPECT_EQ(table.find(11), nullptr);
  EXPECT_EQ(table.remove(3)->id, 3);
  EXPECT_EQ(table.remove(3), nullptr);
  EXPECT_EQ(table.find(7), seven) << "addresses are stable";
  std::vector<StreamId> order;
  for (const auto& item : table) order.push_back(item->id);
  EXPECT_EQ(order, (std::vector<StreamId>{1, 7, 9}));
  EXPECT_EQ(table.remove_all().size(), 3u);
  EXPECT_TRUE(table.empty());
}

}  // namespace
}  // namespace berth::http
