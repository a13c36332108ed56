#include "store/testing/drafts.h"

#include <gtest/gtest.h>

namespace berth::store::testing {
namespace {

TEST(Drafts, GiveBackTheirValue) {
  const Entry entry = completed(draft_of("web", "a value"), 12);
  EXPECT_EQ(entry.text, R"({"metadata":{"name":"web","resourceVersion":"12"},"value":"a value"})");
  EXPECT_EQ(value_of(entry), "a value");
}

}  // namespace
}  // namespace berth::store::testing
