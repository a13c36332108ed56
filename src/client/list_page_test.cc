#include "client/list_page.h"

#include <string_view>

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::client {
namespace {

ReadPage read(std::string_view text) {
  return read_page(json::parse(text).value(), Projection::everything());
}

TEST(ListPages, HaveTheirVersionTheirItemsAndTheWayOn) {
  const ReadPage read_one = read(R"({"metadata":{"resourceVersion":"7","continue":"more"},
      "items":[{"metadata":{"name":"a","resourceVersion":"3"}}]})");
  EXPECT_EQ(read_one.page.resource_version, "7");
  EXPECT_EQ(read_one.page.continue_token, "more");
  ASSERT_EQ(read_one.page.items.size(), 1U);
  EXPECT_EQ(read_one.page.items[0]->name(), "a");
}

TEST(ListPages, LeaveOutWhatIsNoObjectAndSaySo) {
  const ReadPage read_one = read(R"({"metadata":{"resourceVersion":"7"},
      "items":[{"metadata":{"name":"a","resourceVersion":"3"}},{"metadata":{}},1]})");
  EXPECT_EQ(read_one.page.items.size(), 1U);
  EXPECT_EQ(read_one.skipped.size(), 2U);
}

TEST(ListPages, MayBeEmpty) {
  EXPECT_TRUE(read(R"({"metadata":{"resourceVersion":"7"},"items":null})").page.items.empty());
  EXPECT_TRUE(read("{}").page.items.empty());
}

}  // namespace
}  // namespace berth::client
