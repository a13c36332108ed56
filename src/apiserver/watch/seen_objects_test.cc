#include "apiserver/watch/seen_objects.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

store::Entry entry(store::Revision revision, std::string text) {
  return {.text = std::move(text), .revision = revision};
}

TEST(SeenObjects, AreParsedOnce) {
  SeenObjects seen;
  const store::Entry one = entry(7, R"({"a":1})");
  const json::Value* object = seen.at(one);
  ASSERT_TRUE(object);
  EXPECT_EQ(object->find("a")->as_int(), 1);
  EXPECT_EQ(seen.at(one), object);
  EXPECT_EQ(seen.size(), 1);
}

TEST(SeenObjects, WhatIsNoJsonIsNoObject) {
  SeenObjects seen;
  EXPECT_EQ(seen.at(entry(1, "{")), nullptr);
}

TEST(SeenObjects, AreNotMoreThanTheirBound) {
  SeenObjects seen(100);
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(seen.at(entry(store::Revision(i), std::to_string(1000 + i)))->as_int(), 1000 + i);
    EXPECT_LE(seen.size(), 25u);
  }
  EXPECT_TRUE(seen.at(entry(50, std::string(500, '1'))));  // One is always possible.
  EXPECT_EQ(seen.size(), 1);
}

TEST(SeenObjects, ThatAreForgottenAreGone) {
  SeenObjects seen;
  seen.at(entry(1, "1"));
  EXPECT_EQ(seen.size(), 1);
  seen.forget();
  EXPECT_EQ(seen.size(), 0);
}

}  // namespace
}  // namespace berth::apiserver
