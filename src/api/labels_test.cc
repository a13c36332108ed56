#include "api/labels.h"

#include <vector>

#include <gtest/gtest.h>

namespace berth::api {
namespace {

TEST(Labels, LooksAtTheMembersOfAnObject) {
  const auto object = json::Value::object({{"app", "web"}, {"empty", ""}, {"odd", 1}});
  const Labels labels(object);
  EXPECT_EQ(labels.find("app"), "web");
  EXPECT_EQ(labels.find("empty"), "");
  EXPECT_FALSE(labels.has("odd")) << "a label is a string";
  EXPECT_FALSE(labels.has("other"));
}

TEST(Labels, LooksAtASortedList) {
  const std::vector<Label> sorted = {{"a", "1"}, {"b", "2"}, {"c", "3"}};
  const Labels labels{std::span<const Label>(sorted)};
  EXPECT_EQ(labels.find("a"), "1");
  EXPECT_EQ(labels.find("c"), "3");
  EXPECT_FALSE(labels.has("aa"));
  EXPECT_FALSE(labels.has("d"));
}

TEST(Labels, AreNoneWhenThereIsNoObject) {
  const json::Value* missing = nullptr;
  EXPECT_FALSE(Labels(missing).has("a"));
  EXPECT_FALSE(Labels().has("a"));
  EXPECT_FALSE(Labels(json::Value("text")).has("a"));
}

}  // namespace
}  // namespace berth::api
