#include "env/network.h"

#include <gtest/gtest.h>

namespace berth::env {
namespace {

TEST(Address, IsWrittenAsUrlsWriteIt) {
  EXPECT_EQ(to_string({.host = "hub.example", .port = 443}), "hub.example:443");
  EXPECT_EQ(to_string({.host = "10.0.0.1", .port = 1}), "10.0.0.1:1");
  EXPECT_EQ(to_string({.host = "fe80::1", .port = 65535}), "[fe80::1]:65535");
}

}  // namespace
}  // namespace berth::env
