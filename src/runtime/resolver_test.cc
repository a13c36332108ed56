#include "runtime/resolver.h"

#include <gtest/gtest.h>

#include "runtime/system_clock.h"

namespace berth::runtime {
namespace {

Result<std::vector<Endpoint>> resolve_now(const env::Address& address) {
  const SystemClock clock;
  IoLoop loop(clock);
  Result<std::vector<Endpoint>> outcome = failure(Code::Unknown, "not called");
  resolve(loop, address, [&](Result<std::vector<Endpoint>> endpoints) {
    outcome = std::move(endpoints);
    loop.stop();
  });
  loop.run();
  return outcome;
}

TEST(Resolver, TakesNumericAddressesAsTheyAre) {
  for (const char* host : {"127.0.0.1", "::1"}) {
    const auto endpoints = resolve_now({.host = host, .port = 6443});
    ASSERT_TRUE(endpoints.ok());
    ASSERT_EQ(endpoints->size(), 1u);
    EXPECT_EQ((*endpoints)[0].address(), (env::Address{.host = host, .port = 6443}));
  }
}

TEST(Resolver, KnowsTheLocalHost) {
  const auto endpoints = resolve_now({.host = "localhost", .port = 1});
  ASSERT_TRUE(endpoints.ok()) << endpoints.error().message;
  EXPECT_EQ((*endpoints)[0].address().port, 1);
}

TEST(Resolver, NeedsAName) { EXPECT_FALSE(resolve_now({.host = "", .port = 1}).ok()); }

TEST(Resolver, ListensOnAllAddressesIfNoneIsNamed) {
  const auto endpoint = resolve_local({.host = "", .port = 80});
  ASSERT_TRUE(endpoint.ok());
  EXPECT_EQ(endpoint->address().port, 80);
}

}  // namespace
}  // namespace berth::runtime
