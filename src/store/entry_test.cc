#include "store/entry.h"

#include <gtest/gtest.h>

namespace berth::store {
namespace {

const Draft kDraft = {.text = R"({"metadata":{"resourceVersion":"","name":"a"}})",
                      .version_at = 32};

TEST(Draft, IsCompletedWithTheRevisionBetweenItsQuotes) {
  const Entry entry = completed(kDraft, 1234);
  EXPECT_EQ(entry.text, R"({"metadata":{"resourceVersion":"1234","name":"a"}})");
  EXPECT_EQ(entry.revision, 1234u);
  EXPECT_EQ(entry.version_at, 32u);
}

TEST(Entry, IsToldWithAnotherRevisionOfAnyLength) {
  const Entry entry = completed(kDraft, 99);
  EXPECT_EQ(text_at(entry, 100), R"({"metadata":{"resourceVersion":"100","name":"a"}})");
  EXPECT_EQ(text_at(completed(kDraft, 100), 7),
            R"({"metadata":{"resourceVersion":"7","name":"a"}})");
  EXPECT_EQ(text_at(entry, 99), entry.text);
}

}  // namespace
}  // namespace berth::store
