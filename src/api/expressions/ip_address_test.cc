#include "api/expressions/ip_address.h"

#include <gtest/gtest.h>

namespace berth::api {
namespace {

TEST(IpAddress, PrintsTheCanonicalForm) {
  EXPECT_EQ(IpAddress::parse("2001:DB8:0:0:1:0:0:1")->to_string(), "2001:db8::1:0:0:1");
  EXPECT_EQ(IpAddress::parse("::")->to_string(), "::");
  EXPECT_EQ(IpAddress::parse("1:0:2:3:4:5:6:7")->to_string(), "1:0:2:3:4:5:6:7");
  EXPECT_EQ(IpAddress::parse("10.0.0.1")->to_string(), "10.0.0.1");
}

TEST(IpAddress, RefusesWhatLooksAlike) {
  for (const char* text : {"", "1.2.3", "1.2.3.4.5", "01.2.3.4", "256.1.1.1", "1::2::3", ":1",
                           "1:", "12345::", "1:2:3:4:5:6:7:8:9", "::1.2.3", "1.2.3.4::"}) {
    EXPECT_FALSE(IpAddress::parse(text)) << text;
  }
}

TEST(IpNetwork, ContainsAddressesOfItsFamilyOnly) {
  const auto network = IpNetwork::parse("10.1.2.3/8");
  ASSERT_TRUE(network);
  EXPECT_TRUE(network->contains(*IpAddress::parse("10.200.0.1")));
  EXPECT_FALSE(network->contains(*IpAddress::parse("11.0.0.1")));
  EXPECT_FALSE(network->contains(*IpAddress::parse("a00::")));
  EXPECT_EQ(network->masked().to_string(), "10.0.0.0/8");
  EXPECT_FALSE(IpNetwork::parse("10.0.0.0/33"));
  EXPECT_FALSE(IpNetwork::parse("10.0.0.0/08"));
}

}  // namespace
}  // namespace berth::api
