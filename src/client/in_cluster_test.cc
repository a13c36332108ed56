#include "client/in_cluster.h"

#include <gtest/gtest.h>

namespace berth::client {
namespace {

TEST(InCluster, ComesFromTheVariablesOfThePod) {
  const auto config =
      in_cluster_config({.service_host = "10.0.0.1", .service_port = "443", .ns = "prod\n"});
  EXPECT_EQ(config->server.host, "10.0.0.1");
  EXPECT_EQ(config->server.port_or_default(), 443);
  EXPECT_EQ(config->ns, "prod");
  EXPECT_EQ(config->credentials.token_file, kServiceAccountToken);
  EXPECT_EQ(config->tls.certificate_authority.path, kServiceAccountCa);
}

TEST(InCluster, BracketsAnIpv6Address) {
  const auto config = in_cluster_config({.service_host = "fd00::1", .service_port = "6443"});
  EXPECT_EQ(config->server.authority(), "[fd00::1]:6443");
  EXPECT_EQ(config->ns, "default");
}

TEST(InCluster, SaysWhenItIsNot) {
  EXPECT_FALSE(in_cluster_config({.service_host = "10.0.0.1"}).ok());
  EXPECT_FALSE(in_cluster_config({.service_host = "10.0.0.1", .service_port = "https"}).ok());
}

}  // namespace
}  // namespace berth::client
