#include "runtime/endpoint.h"

#include <gtest/gtest.h>

namespace berth::runtime {
namespace {

TEST(Endpoint, TakesNumericAddressesAsTheyAre) {
  for (const char* host : {"127.0.0.1", "::1"}) {
    const auto endpoint = numeric_endpoint({.host = host, .port = 6443});
    ASSERT_TRUE(endpoint.ok());
    EXPECT_EQ(endpoint->address(), (env::Address{.host = host, .port = 6443}));
  }
}

TEST(Endpoint, AsksNobodyAboutANameToConnectTo) {
  EXPECT_EQ(numeric_endpoint({.host = "localhost", .port = 1}).error().code,
            Code::ServiceUnavailable);
}

TEST(Endpoint, ListensOnANameThatTheSystemKnows) {
  EXPECT_TRUE(local_endpoint({.host = "localhost", .port = 1}).ok());
}

TEST(Endpoint, ListensOnAllAddressesIfNoneIsNamed) {
  const auto endpoint = local_endpoint({.host = "", .port = 80});
  ASSERT_TRUE(endpoint.ok());
  EXPECT_EQ(endpoint->address().port, 80);
}

}  // namespace
}  // namespace berth::runtime
