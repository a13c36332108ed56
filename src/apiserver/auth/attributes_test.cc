#include "apiserver/auth/attributes.h"

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

TEST(Attributes, RefusalsAreInTheWordsOfTheReference) {
  struct Case {
    Attributes attributes;
    std::string_view message;
  };
  const Case cases[] = {
      {{.verb = "list", .group = "ex.io", .resource = "foos", .ns = "default"},
       "foos.ex.io is forbidden: User \"u\" cannot list resource \"foos\" in API group \"ex.io\" "
       "in "
       "the namespace \"default\""},
      {{.verb = "get", .resource = "nodes", .subresource = "status", .name = "n"},
       "nodes \"n\" is forbidden: User \"u\" cannot get resource \"nodes/status\" in API group "
       "\"\" "
       "at the cluster scope"},
      {{.verb = "get", .is_resource = false, .path = "/metrics"},
       "forbidden: User \"u\" cannot get path \"/metrics\""},
      {{.verb = "get", .is_resource = false, .path = "/<b>&"},
       "forbidden: User \"u\" cannot get path \"/&lt;b&gt;&amp;\""},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(forbidden({.name = "u"}, c.attributes).error.message, c.message);
  }
}

TEST(Attributes, ARefusalCarriesItsReasonAndDetails) {
  const Refusal refusal = forbidden(
      {.name = "u"}, {.verb = "get", .group = "apps", .resource = "deployments", .name = "d"},
      "RBAC: role missing");
  EXPECT_TRUE(refusal.error.message.ends_with("at the cluster scope: RBAC: role missing"));
  EXPECT_EQ(refusal.error.code, Code::Forbidden);
  EXPECT_EQ(refusal.details, (StatusDetails{.name = "d", .group = "apps", .kind = "deployments"}));
}

TEST(Attributes, ComeFromTheRequest) {
  const auto request =
      read_request_info(http::Method::Get, "/apis/apps/v1/namespaces/n/deployments/d/status");
  EXPECT_EQ(attributes_of(request.value()), (Attributes{.verb = "get",
                                                        .group = "apps",
                                                        .version = "v1",
                                                        .resource = "deployments",
                                                        .subresource = "status",
                                                        .ns = "n",
                                                        .name = "d"}));
  const auto path = read_request_info(http::Method::Get, "/healthz");
  EXPECT_EQ(attributes_of(path.value()),
            (Attributes{.verb = "get", .is_resource = false, .path = "/healthz"}));
}

}  // namespace
}  // namespace berth::apiserver
