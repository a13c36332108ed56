#include "apiserver/auth/service_account.h"

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

TEST(ServiceAccount, HasAUserNameAndTwoGroups) {
  const ServiceAccountName account{.ns = "kube-system", .name = "a.b"};
  EXPECT_EQ(account.username(), "system:serviceaccount:kube-system:a.b");
  EXPECT_EQ(account.groups(), (std::vector<std::string>{"system:serviceaccounts",
                                                        "system:serviceaccounts:kube-system"}));
  EXPECT_EQ(ServiceAccountName::parse(account.username()), account);
}

TEST(ServiceAccount, OtherUsersAreNone) {
  for (const std::string_view name :
       {"", "admin", "system:serviceaccount:", "system:serviceaccount:a",
        "system:serviceaccount:a:b:c", "system:serviceaccount:A:b",
        "system:serviceaccount:a:", "system:serviceaccounts:a:b"}) {
    EXPECT_EQ(ServiceAccountName::parse(name), std::nullopt) << name;
  }
}

}  // namespace
}  // namespace berth::apiserver
