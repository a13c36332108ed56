#include "apiserver/requests/request_info.h"

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

using http::Method;

RequestInfo info_of(Method method, std::string_view target) {
  const auto info = read_request_info(method, target);
  EXPECT_TRUE(info.ok()) << target;
  return info.value_or(RequestInfo{});
}

TEST(RequestInfo, ReadsVerbsAndNames) {
  struct Case {
    Method method;
    std::string_view target;
    std::string_view expected;  // verb group/version ns resource/name/subresource
  };
  const Case cases[] = {
      {Method::Get, "/api/v1/pods", "list /v1 [] pods//"},
      {Method::Get, "/api/v1/namespaces/a/pods", "list /v1 [a] pods//"},
      {Method::Get, "/api/v1/namespaces/a/pods?watch=1", "watch /v1 [a] pods//"},
      {Method::Get, "/api/v1/namespaces/a/pods?watch=false", "list /v1 [a] pods//"},
      {Method::Head, "/api/v1/namespaces/a/pods/p", "get /v1 [a] pods/p/"},
      {Method::Get, "/api/v1/namespaces/a/pods/p?watch=true", "watch /v1 [a] pods/p/"},
      {Method::Post, "/apis/apps/v1/namespaces/a/deployments", "create apps/v1 [a] deployments//"},
      {Method::Put, "/apis/apps/v1/namespaces/a/deployments/d/scale",
       "update apps/v1 [a] deployments/d/scale"},
      {Method::Delete, "/api/v1/namespaces/a/pods", "deletecollection /v1 [a] pods//"},
      {Method::Patch, "/api/v1/nodes/n/status", "patch /v1 [] nodes/n/status"},
      {Method::Get, "/api/v1/namespaces", "list /v1 [] namespaces//"},
      {Method::Get, "/api/v1/namespaces/a", "get /v1 [a] namespaces/a/"},
      {Method::Put, "/api/v1/namespaces/a/finalize", "update /v1 [a] namespaces/a/finalize"},
      {Method::Get, "/api/v1/namespaces/a/status", "get /v1 [a] namespaces/a/status"},
  };
  for (const Case& c : cases) {
    const RequestInfo info = info_of(c.method, c.target);
    EXPECT_EQ(info.verb + " " + info.group + "/" + info.version + " [" + info.ns + "] " +
                  info.resource + "/" + info.name + "/" + info.subresource,
              c.expected)
        << c.target;
    EXPECT_TRUE(info.is_resource);
  }
}

TEST(RequestInfo, TakesTheNameOfASelectorForOneObject) {
  EXPECT_EQ(info_of(Method::Get, "/api/v1/nodes?fieldSelector=metadata.name%3Dn1").name, "n1");
  EXPECT_EQ(info_of(Method::Get, "/api/v1/nodes?fieldSelector=metadata.name!%3Dn1").name, "");
  EXPECT_EQ(info_of(Method::Delete, "/api/v1/nodes?fieldSelector=metadata.name%3Dn1").name, "n1");
  EXPECT_EQ(info_of(Method::Post, "/api/v1/nodes?fieldSelector=metadata.name%3Dn1").name, "");
}

TEST(RequestInfo, KnowsOtherPathsByTheirMethod) {
  const RequestInfo info = info_of(Method::Get, "/healthz/ping?verbose");
  EXPECT_FALSE(info.is_resource);
  EXPECT_EQ(info.path, "/healthz/ping");
  EXPECT_EQ(info.verb, "get");
  EXPECT_FALSE(info_of(Method::Get, "/apis/apps/v1").is_resource);
  EXPECT_FALSE(info_of(Method::Get, "/api/v1").is_resource);
  EXPECT_EQ(info_of(Method::Get, "/").path, "/");
}

TEST(RequestInfo, RefusesPathsThatLeadAround) {
  EXPECT_FALSE(read_request_info(Method::Get, "/api/v1/../secrets").ok());
  EXPECT_FALSE(read_request_info(Method::Get, "/api/v1/namespaces//pods").ok());
  EXPECT_FALSE(read_request_info(Method::Get, "/api/v1/pods/%00").ok());
}

}  // namespace
}  // namespace berth::apiserver
