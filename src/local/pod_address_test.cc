#include "local/pod_address.h"

#include <gtest/gtest.h>

namespace berth::local {
namespace {

TEST(PodAddress, IsOnTheLoopbackAndThePodsOwn) {
  const std::string address = loopback_address("6c4280e4-38be-4d45-9c73-c18c84799781");
  EXPECT_TRUE(address.starts_with("127."));
  EXPECT_FALSE(address.starts_with("127.0."));
  EXPECT_EQ(loopback_address("6c4280e4-38be-4d45-9c73-c18c84799781"), address);
  EXPECT_NE(loopback_address("6c4280e4-38be-4d45-9c73-c18c84799782"), address);
}

TEST(PodAddress, StandsForEveryAddressInArguments) {
  const auto said = [](std::string_view text) { return with_pod_address(text, "127.1.2.3"); };
  EXPECT_EQ(said("--health=0.0.0.0:8081"), "--health=127.1.2.3:8081");
  EXPECT_EQ(said("[::]:8080,0.0.0.0:8081"), "127.1.2.3:8080,127.1.2.3:8081");
  EXPECT_EQ(said("10.0.0.0:8080"), "10.0.0.0:8080");
  EXPECT_EQ(said("allow 0.0.0.0/0"), "allow 0.0.0.0/0");
}

}  // namespace
}  // namespace berth::local
