#include "http/client_rules.h"

#include <string>

#include <gtest/gtest.h>

namespace berth::http {
namespace {

RequestHead usual() { return {.target = "/api", .authority = "hub"}; }

TEST(ClientRules, AcceptAnOrdinaryRequest) { EXPECT_TRUE(check_request(usual()).ok()); }

TEST(ClientRules, RefuseWhatWouldBreakTheRequestLine) {
  for (const std::string target : {"", "api", "/a b", "/a\r\nx: y", "/\xc3\xa4"}) {
    RequestHead head = usual();
    head.target = target;
    EXPECT_FALSE(check_request(head).ok()) << target;
  }
  RequestHead no_host = usual();
  no_host.authority = "";
  EXPECT_FALSE(check_request(no_host).ok());
  RequestHead odd = usual();
  odd.headers.add("a b", "c");
  EXPECT_FALSE(check_request(odd).ok());
}

TEST(ClientRules, RefuseRedirectsAndUpgradesOnly) {
  for (const int status : {200, 204, 304, 404, 500}) {
    EXPECT_TRUE(check_response({.status = status}).ok()) << status;
  }
  ResponseHead redirect = {.status = 307};
  redirect.headers.add("location", "https://elsewhere/");
  const auto checked = check_response(redirect);
  ASSERT_FALSE(checked.ok());
  EXPECT_NE(checked.error().message.find("https://elsewhere/"), std::string::npos);
  EXPECT_FALSE(check_response({.status = 101}).ok());
}

}  // namespace
}  // namespace berth::http
