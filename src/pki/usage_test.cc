#include "pki/usage.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace berth::pki {
namespace {

TEST(Usage, TheTableIsSortedSoThatItCanBeSearched) {
  EXPECT_TRUE(std::ranges::is_sorted(known_usages(), {}, &UsageName::kubernetes));
  EXPECT_EQ(known_usages().size(), 23U);
  for (const UsageName& usage : known_usages()) EXPECT_EQ(find_usage(usage.kubernetes), &usage);
  EXPECT_EQ(find_usage("clientAuth"), nullptr);
}

TEST(Usage, NamesGoIntoTheExtensionTheyBelongTo) {
  const auto extensions =
      usage_extensions({"digital signature", "signing", "key encipherment", "client auth"}).value();
  EXPECT_EQ(extensions.key_usage, "digitalSignature,keyEncipherment");
  EXPECT_EQ(extensions.extended_key_usage, "clientAuth");
  EXPECT_EQ(usage_extensions({"walking"}).error().message, "unrecognized usage \"walking\"");
}

}  // namespace
}  // namespace berth::pki
