#include "api/expressions/network_values.h"

#include <gtest/gtest.h>

namespace berth::api {
namespace {

TEST(NetworkValues, RefuseZonesAndMappedAddresses) {
  EXPECT_EQ(read_ip("fe80::1%eth0").error().message,
            "IP address \"fe80::1%eth0\" with zone value is not allowed");
  EXPECT_EQ(read_ip("::ffff:1.2.3.4").error().message,
            "IPv4-mapped IPv6 address \"::ffff:1.2.3.4\" is not allowed");
  EXPECT_FALSE(read_cidr("::ffff:1.2.3.4/96").ok());
  EXPECT_FALSE(read_ip("1.2.3.4%eth0").ok());
}

}  // namespace
}  // namespace berth::api
