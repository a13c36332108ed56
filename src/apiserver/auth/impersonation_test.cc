#include "apiserver/auth/impersonation.h"

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

http::Headers headers(std::initializer_list<std::pair<std::string_view, std::string_view>> fields) {
  http::Headers headers;
  for (const auto& [name, value] : fields) headers.add(name, value);
  return headers;
}

TEST(Impersonation, NoHeaderIsNone) {
  EXPECT_EQ(read_impersonation(headers({{"x-remote-user", "admin"}, {"accept", "a"}}))->has_value(),
            false);
}

TEST(Impersonation, EverythingThatIsTakenOnIsCheckedByItself) {
  const auto read = read_impersonation(headers({{"impersonate-user", "jane"},
                                                {"impersonate-group", "devs"},
                                                {"impersonate-group", "ops"},
                                                {"impersonate-uid", "u-1"},
                                                {"impersonate-extra-acme%2Fscope", "view"},
                                                {"impersonate-extra-acme%2Fscope", "edit"}}));
  ASSERT_TRUE(read.ok() && read->has_value());
  EXPECT_EQ((*read)->user, (User{.name = "jane",
                                 .uid = "u-1",
                                 .groups = {"devs", "ops", "system:authenticated"},
                                 .extra = {{"acme/scope", {"view", "edit"}}}}));
  const std::string group = "authentication.k8s.io";
  const std::vector<Attributes> checks = {
      {.verb = "impersonate", .version = "v1", .resource = "users", .name = "jane"},
      {.verb = "impersonate", .version = "v1", .resource = "groups", .name = "devs"},
      {.verb = "impersonate", .version = "v1", .resource = "groups", .name = "ops"},
      {.verb = "impersonate",
       .group = group,
       .version = "v1",
       .resource = "userextras",
       .subresource = "acme/scope",
       .name = "view"},
      {.verb = "impersonate",
       .group = group,
       .version = "v1",
       .resource = "userextras",
       .subresource = "acme/scope",
       .name = "edit"},
      {.verb = "impersonate", .group = group, .version = "v1", .resource = "uids", .name = "u-1"}};
  EXPECT_EQ((*read)->checks, checks);
}

TEST(Impersonation, AServiceAccountBringsItsGroups) {
  const auto read =
      read_impersonation(headers({{"impersonate-user", "system:serviceaccount:ns:app"}})).value();
  EXPECT_EQ(read->user.groups,
            (std::vector<std::string>{"system:serviceaccounts", "system:serviceaccounts:ns",
                                      "system:authenticated"}));
  EXPECT_EQ(read->checks.at(0), (Attributes{.verb = "impersonate",
                                            .version = "v1",
                                            .resource = "serviceaccounts",
                                            .ns = "ns",
                                            .name = "app"}));
}

TEST(Impersonation, GroupsOfEverybodyAreAddedOnlyWhenNothingIsSaidAboutThem) {
  struct Case {
    std::string_view user;
    std::string_view group;
    std::vector<std::string> groups;
  };
  const Case cases[] = {
      {"jane", "system:unauthenticated", {"system:unauthenticated"}},
      {"jane", "system:authenticated", {"system:authenticated"}},
      {"system:anonymous", "g", {"g", "system:unauthenticated"}},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(
        read_impersonation(headers({{"impersonate-user", c.user}, {"impersonate-group", c.group}}))
            .value()
            ->user.groups,
        c.groups);
  }
}

TEST(Impersonation, GroupsWithoutAUserAreRefused) {
  for (const std::string_view name :
       {"impersonate-group", "impersonate-uid", "impersonate-extra-a"}) {
    EXPECT_EQ(read_impersonation(headers({{name, "x"}})).error().code, Code::BadRequest) << name;
  }
}

}  // namespace
}  // namespace berth::apiserver
