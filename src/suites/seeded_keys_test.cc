#include "suites/seeded_keys.h"

#include <string>

#include <gtest/gtest.h>

#include "pki/authority.h"

namespace berth::suites {
namespace {

std::string certificate_of(std::uint64_t seed) {
  seed_keys(seed);
  return pki::Authority::make("ca", Time::from_unix(0), std::chrono::hours(1)).certificate.pem();
}

TEST(SeededKeys, AreTheSameForTheSameSeed) {
  const std::string first = certificate_of(7);
  EXPECT_EQ(certificate_of(7), first);
  EXPECT_NE(certificate_of(8), first);
}

}  // namespace
}  // namespace berth::suites
