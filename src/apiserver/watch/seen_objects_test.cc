#include "apiserver/watch/seen_objects.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

store::EntryPtr entry(std::string text) {
  return std::make_shared<const store::Entry>(store::Entry{.text = std::move(text)});
}

TEST(SeenObjects, AreParsedOnce) {
  SeenObjects seen;
  const store::EntryPtr one = entry(R"({"a":1})");
  const json::Value* object = seen.at(one);
  ASSERT_TRUE(object);
  EXPECT_EQ(object->find("a")->as_int(), 1);
  EXPECT_EQ(seen.at(one), object);
  EXPECT_EQ(seen.size(), 1);
}

TEST(SeenObjects, WhatIsNoJsonIsNoObject) {
  SeenObjects seen;
  EXPECT_EQ(seen.at(entry("{")), nullptr);
}

TEST(SeenObjects, AreNotMoreThanTheirBound) {
  SeenObjects seen(100);
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(seen.at(entry(std::to_string(1000 + i)))->as_int(), 1000 + i);
    EXPECT_LE(seen.size(), 25u);
  }
  EXPECT_TRUE(seen.at(entry(std::string(500, '1'))));  // One is always possible.
  EXPECT_EQ(seen.size(), 1);
}

TEST(SeenObjects, ThatAreForgottenAreGone) {
  SeenObjects seen;
  store::EntryPtr one = entry("1");
  seen.at(one);
  const std::weak_ptr<const store::Entry> watched = std::exchange(one, nullptr);
  EXPECT_FALSE(watched.expired());
  seen.forget();
  EXPECT_TRUE(watched.expired());
  EXPECT_EQ(seen.size(), 0);
}

}  // namespace
}  // namespace berth::apiserver
