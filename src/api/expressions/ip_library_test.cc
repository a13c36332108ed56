#include "api/expressions/testing/cluster_case.h"

namespace berth::api {
namespace {

using cel::testing::ExpressionCase;
using testing::expect_for_cluster;

TEST(IpLibrary, ReadsAndClassifiesAddresses) {
  const ExpressionCase cases[] = {
      {R"(ip("192.168.0.1"))", "192.168.0.1", 1},
      {R"(ip("::1").family())", "6", 2},
      {R"(ip("10.0.0.1").family())", "4", 2},
      {R"(ip("::ffff:1.2.3.4"))", R"(!IPv4-mapped IPv6 address "::ffff:1.2.3.4" is not allowed)",
       1},
      {R"(ip("fe80::1%eth0"))", R"(!IP address "fe80::1%eth0" with zone value is not allowed)", 1},
      {R"(isIP("1.2.3.4"))", "true", 1},
      {R"(isIP("1.2.3"))", "false", 1},
      {R"(isIP("::"))", "true", 1},
      {R"(isIP("1::2::3"))", "false", 1},
      {R"(isIP("1:2:3:4:5:6:7:8"))", "true", 1},
      {R"(isIP("1:2:3:4:5:6:7:8:9"))", "false", 1},
      {R"(isIP("1:2:3:4:5:6:7::"))", "true", 1},
      {R"(isIP("::1.2.3.4"))", "true", 1},
      {R"(isIP("1:2:3:4:5:6:1.2.3.4"))", "true", 1},
      {R"(isIP("12345::"))", "false", 1},
      {R"(isIP(""))", "false", 1},
      {R"(ip.isCanonical("2001:db8::1"))", "true", 1},
      {R"(ip.isCanonical("2001:DB8::1"))", "false", 1},
      {R"(ip.isCanonical("2001:db8:0:0:0:0:0:1"))", "false", 1},
      {R"(ip.isCanonical("x"))",
       R"(!IP Address "x" parse error during conversion from string: ParseAddr("x"): unable to parse IP)",
       1},
      {R"(string(ip("2001:DB8:0:0:1:0:0:1")))", R"("2001:db8::1:0:0:1")", 2},
      {R"(string(ip("1:0:0:2:0:0:0:3")))", R"("1:0:0:2::3")", 2},
      {R"(string(ip("::")))", R"("::")", 2},
      {R"(string(ip("1::")))", R"("1::")", 2},
      {R"(string(ip("::1.2.3.4")))", R"("::102:304")", 2},
      {R"(ip("127.0.0.1").isLoopback())", "true", 2},
      {R"(ip("::1").isLoopback())", "true", 2},
      {R"(ip("0.0.0.0").isUnspecified())", "true", 2},
      {R"(ip("224.0.0.1").isLinkLocalMulticast())", "true", 2},
      {R"(ip("ff02::1").isLinkLocalMulticast())", "true", 2},
      {R"(ip("169.254.1.1").isLinkLocalUnicast())", "true", 2},
      {R"(ip("fe80::1").isLinkLocalUnicast())", "true", 2},
      {R"(ip("8.8.8.8").isGlobalUnicast())", "true", 2},
      {R"(ip("255.255.255.255").isGlobalUnicast())", "false", 2},
      {R"(ip("10.0.0.1") == ip("10.0.0.1"))", "true", 3},
      {R"(type(ip("::1")))", "net.IP", 2},
  };
  expect_for_cluster(cases);
}

}  // namespace
}  // namespace berth::api
