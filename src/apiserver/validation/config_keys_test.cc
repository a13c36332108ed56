#include "apiserver/validation/config_keys.h"

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

TEST(ConfigKeys, AreFileNames) {
  for (const char* key : {"a", "A.b-c_9", ".hidden", "a..b"}) {
    EXPECT_TRUE(config_key_problems(key).empty()) << key;
  }
  for (const char* key : {"", "a b", "a/b", ".", "..", "..a"}) {
    EXPECT_FALSE(config_key_problems(key).empty()) << key;
  }
  EXPECT_EQ(config_key_problems(std::string(254, 'a')).size(), 1);
}

}  // namespace
}  // namespace berth::apiserver
