#include "scores/generators/address_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::scores {
namespace {

using ::testing::HasSubstr;

Status check(std::string_view address, const AddressRules& rules = {}) {
  return check_address(api::IpAddress::parse(address).value(), rules);
}

std::vector<api::IpNetwork> networks(const std::vector<std::string>& texts) {
  return read_networks(texts).value();
}

TEST(AddressRules, LetPublicAddressesThrough) {
  for (const char* address : {"1.1.1.1", "93.184.216.34", "172.32.0.1", "100.128.0.1",
                              "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::1.1.1.1"}) {
    EXPECT_TRUE(check(address).ok()) << address;
  }
}

TEST(AddressRules, NeverLetLinkLocalAndMetadataAddressesThrough) {
  const AddressRules everything{.allowed = networks({"0.0.0.0/0", "::/0"}), .own = {{}}};
  for (const char* address :
       {"169.254.169.254", "169.254.0.1", "::ffff:169.254.169.254", "::169.254.169.254",
        "64:ff9b::169.254.169.254", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::1", "fe80::1",
        "fd00:ec2::254", "100.100.100.200", "168.63.129.16", "192.0.0.192", "0.0.0.0", "0.1.2.3",
        "::", "224.0.0.1", "255.255.255.255", "ff02::1"}) {
    const Status status = check(address, everything);
    ASSERT_FALSE(status.ok()) << address;
    EXPECT_EQ(status.error().code, Code::Forbidden);
    EXPECT_THAT(status.error().message, HasSubstr("never measured"));
  }
}

TEST(AddressRules, LetLoopbackThroughOnlyWhenItIsAllowed) {
  for (const char* address : {"127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"}) {
    const Status status = check(address);
    ASSERT_FALSE(status.ok()) << address;
    EXPECT_THAT(status.error().message, HasSubstr("--probe-allow="));
    EXPECT_FALSE(check(address, {.own = {{}}}).ok()) << address;
    EXPECT_TRUE(check(address, {.allowed = networks({"127.0.0.0/8", "::1"})}).ok()) << address;
  }
}

TEST(AddressRules, TakeEveryPrivateRangeForTheClustersOwnUntilTold) {
  for (const char* address : {"10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1",
                              "100.64.0.1", "fd12::1", "::ffff:10.1.2.3"}) {
    EXPECT_FALSE(check(address).ok()) << address;
    EXPECT_TRUE(check(address, {.own = networks({"10.96.0.0/12"})}).ok()) << address;
  }
  EXPECT_FALSE(check("10.96.0.1", {.own = networks({"10.96.0.0/12"})}).ok());
  EXPECT_FALSE(check("8.8.8.8", {.own = networks({"8.8.0.0/16"})}).ok());
}

TEST(AddressRules, AllowExactlyWhatIsListed) {
  const AddressRules rules{.allowed = networks({"10.1.0.0/16"})};
  EXPECT_TRUE(check("10.1.255.255", rules).ok());
  EXPECT_FALSE(check("10.2.0.0", rules).ok());
}

TEST(AddressRules, SayWhichRangeCannotBeRead) {
  EXPECT_EQ(networks({"10.0.0.0/8", "::1"}).size(), 2U);
  EXPECT_THAT(read_networks({"10.0.0.0/8", "here"}).error().message, HasSubstr("\"here\""));
  EXPECT_FALSE(read_networks({"10.0.0.0/33"}).ok());
}

}  // namespace
}  // namespace berth::scores
