#include "base/hash.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(Hash, MatchesThePublishedValuesOfFnv1a) {
  static_assert(hash64("") == 0xcbf29ce484222325);
  static_assert(hash64("a") == 0xaf63dc4c8601ec8c);
  static_assert(hash64("foobar") == 0x85944171f73967e8);
}

TEST(Hash, ChainsAsIfTheBytesWereOne) { EXPECT_EQ(hash64("bar", hash64("foo")), hash64("foobar")); }

}  // namespace
}  // namespace berth
