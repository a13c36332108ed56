#include "api/expressions/testing/cluster_case.h"

namespace berth::api {
namespace {

using cel::testing::ExpressionCase;
using testing::expect_for_cluster;

TEST(CidrLibrary, TellsWhatANetworkContains) {
  const ExpressionCase cases[] = {
      {R"(cidr("10.0.0.0/8").containsIP("10.1.2.3"))", "true", 2},
      {R"(cidr("10.0.0.0/8").containsIP(ip("11.1.2.3")))", "false", 3},
      {R"(cidr("10.0.0.0/8").containsIP("x"))", "!no such overload", 2},
      {R"(cidr("10.0.0.0/8").containsCIDR("10.1.0.0/16"))", "true", 2},
      {R"(cidr("10.0.0.0/8").containsCIDR(cidr("0.0.0.0/0")))", "false", 3},
      {R"(cidr("10.0.0.0/8").containsCIDR("x"))",
       R"(!network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("x"): no '/')",
       2},
      {R"(cidr("10.1.2.3/8").masked())", "10.0.0.0/8", 2},
      {R"(string(cidr("10.1.2.3/8").masked()))", R"("10.0.0.0/8")", 3},
      {R"(cidr("10.1.2.3/8").ip())", "10.1.2.3", 2},
      {R"(cidr("10.0.0.0/8").prefixLength())", "8", 2},
      {R"(cidr("10.0.0.0"))",
       R"(!network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0"): no '/')",
       1},
      {R"(isCIDR("2001:db8::/32"))", "true", 1},
      {R"(isCIDR("::ffff:1.2.3.4/96"))", "false", 1},
      {R"(cidr("10.0.0.0/8").containsIP("::1"))", "false", 2},
      {R"(string(cidr("2001:db8::1/32")))", R"("2001:db8::1/32")", 2},
  };
  expect_for_cluster(cases);
}

}  // namespace
}  // namespace berth::api
