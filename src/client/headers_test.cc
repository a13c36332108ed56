#include "client/headers.h"

#include <gtest/gtest.h>

namespace berth::client {
namespace {

TEST(Headers, ImpersonationNamesUserUidGroupsAndExtra) {
  http::Headers headers;
  add_impersonation(
      headers,
      {.user = "me", .uid = "7", .groups = {"a", "b"}, .extra = {{"Scopes/x", {"p", "q"}}}});
  EXPECT_EQ(headers.find("impersonate-user"), "me");
  EXPECT_EQ(headers.find("impersonate-uid"), "7");
  EXPECT_EQ(headers.count("impersonate-group"), 2u);
  EXPECT_EQ(headers.count("impersonate-extra-scopes%2fx"), 2u);
  http::Headers none;
  add_impersonation(none, {});
  EXPECT_TRUE(none.empty());
}

TEST(Headers, WarningsAreUnquoted) {
  http::Headers headers;
  headers.add("warning", R"(299 - "use \"v1\" instead")");
  headers.add("warning", R"(199 - "miscellaneous")");
  headers.add("warning", "299 -");
  headers.add("warning", R"(299 - "no end)");
  headers.add("warning", R"(299 - "second" "date")");
  EXPECT_EQ(warnings_in(headers), (std::vector<std::string>{"use \"v1\" instead", "second"}));
}

TEST(Headers, TheUserAgentStartsWithTheFieldManager) {
  EXPECT_EQ(user_agent({.name = "berth-agent", .version = "1.2", .commit = "abc"}),
            "berth-agent/1.2 (linux/amd64) berth/abc");
  EXPECT_EQ(user_agent({.name = "x", .version = "1"}), "x/1 (linux/amd64)");
}

}  // namespace
}  // namespace berth::client
