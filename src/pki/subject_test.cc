#include "pki/subject.h"

#include <gtest/gtest.h>

#include "pki/openssl.h"

namespace berth::pki {
namespace {

TEST(Subject, SurvivesTheWayThroughAName) {
  const Subject subject{.common_name = "system:open-cluster-management:c1:agent",
                        .organizations = {"system:open-cluster-management:c1", "b\xc3\xa9ta"},
                        .organizational_units = {"unit"}};
  const X509NamePointer name(X509_NAME_new());
  ASSERT_TRUE(write_subject(name.get(), subject).ok());
  EXPECT_EQ(read_subject(name.get()).value(), subject);
}

TEST(Subject, MayBeLongerThanX520OnceAllowed) {
  const Subject subject{.common_name = std::string(100, 'n'),
                        .organizations = {std::string(200, 'o')}};
  const X509NamePointer name(X509_NAME_new());
  ASSERT_TRUE(write_subject(name.get(), subject).ok());
  EXPECT_EQ(read_subject(name.get()).value(), subject);
  EXPECT_FALSE(write_subject(name.get(), {.common_name = "a", .organizations = {""}}).ok());
}

TEST(Subject, TheLastCommonNameCounts) {
  const X509NamePointer name(X509_NAME_new());
  ASSERT_TRUE(write_subject(name.get(), {.common_name = "first"}).ok());
  ASSERT_TRUE(write_subject(name.get(), {.common_name = "second"}).ok());
  EXPECT_EQ(read_subject(name.get()).value().common_name, "second");
}

TEST(Subject, ANulByteIsRefusedBothWays) {
  const std::string cut("admin\0.example.com", 18);
  const X509NamePointer name(X509_NAME_new());
  EXPECT_FALSE(write_subject(name.get(), {.common_name = cut}).ok());
  ASSERT_EQ(X509_NAME_add_entry_by_NID(name.get(), NID_commonName, MBSTRING_UTF8, bytes_of(cut),
                                       static_cast<int>(cut.size()), -1, 0),
            1);
  EXPECT_FALSE(read_subject(name.get()).ok());
}

TEST(AlternativeNames, SurviveTheWayThroughAnExtension) {
  const AlternativeNames names{.dns = {"hub.example.com", "localhost"},
                               .addresses = {"127.0.0.1", "::1", "2001:db8::7"},
                               .emails = {"a@example.com"},
                               .uris = {"spiffe://example/a"}};
  const GeneralNamesPointer stack(GENERAL_NAMES_new());
  ASSERT_TRUE(write_alternative_names(stack.get(), names).ok());
  EXPECT_EQ(read_alternative_names(stack.get()).value(), names);
}

TEST(AlternativeNames, WhatIsNoAddressIsRefused) {
  const GeneralNamesPointer stack(GENERAL_NAMES_new());
  EXPECT_FALSE(write_alternative_names(stack.get(), {.addresses = {"300.1.1.1"}}).ok());
  EXPECT_FALSE(write_alternative_names(stack.get(), {.dns = {""}}).ok());
  EXPECT_FALSE(write_alternative_names(stack.get(), {.dns = {std::string("a\0b", 3)}}).ok());
}

}  // namespace
}  // namespace berth::pki
