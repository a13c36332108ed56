#include "apiserver/paths/served_paths.h"

#include <gtest/gtest.h>

#include "apiserver/custom/custom_registry.h"
#include "apiserver/testing/foos.h"
#include "apiserver/testing/test_hub.h"

namespace berth::apiserver {
namespace {

using testing::HubAnswer;
using testing::TestHub;

class ServedPathsTest : public ::testing::Test {
 protected:
  HubAnswer get(std::string target, std::string accept = {}, std::string etag = {}) {
    return ask(http::Method::Get, std::move(target), std::move(accept), std::move(etag));
  }
  HubAnswer ask(http::Method method, std::string target, std::string accept, std::string etag) {
    ApiRequest request;
    request.info = read_request_info(method, target).value();
    request.query = http::parse_query(http::split_target(target).query).value();
    if (!accept.empty()) request.headers.add("accept", accept);
    if (!etag.empty()) request.headers.add("if-none-match", etag);
    const View view = hub.view();
    std::optional<json::Value> schema;
    Response response =
        paths.answer(request, {.registry = view.registry,
                               .ready = {{"store", [this] { return ready; }}},
                               .metrics = [] { return std::string("requests 1\n"); },
                               .schema_of =
                                   [&](const Resource& resource) {
                                     schema = raw_schema(resource, *view.snapshot);
                                     return schema ? &*schema : nullptr;
                                   },
                               .definitions = view.snapshot->table(kDefinitionTable).revision(),
                               .now = view.now});
    HubAnswer answer{.status = response.status, .headers = response.headers};
    std::string room(4'000'000, '\0');
    answer.body = room.substr(0, response.body.pull(room).bytes);
    return answer;
  }

  TestHub hub;
  ServedPaths paths{"127.0.0.1:6443"};
  Status ready = {};
};

constexpr const char* kAggregated =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";

TEST_F(ServedPathsTest, HealthIsTold) {
  for (const char* path : {"/healthz", "/livez", "/readyz"}) {
    const HubAnswer answer = get(path);
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, "ok");
    EXPECT_EQ(answer.headers.find("content-type"), "text/plain; charset=utf-8");
    EXPECT_EQ(answer.headers.find("x-content-type-options"), "nosniff");
  }
  EXPECT_TRUE(get("/readyz?verbose").body.contains("[+]store ok"));
  EXPECT_EQ(get("/healthz/ping").body, "ok");
  EXPECT_EQ(get("/healthz/nothing").status, 404);
}

TEST_F(ServedPathsTest, WhoIsNotReadyLivesAllTheSame) {
  ready = failure(Code::ServiceUnavailable, "starting");
  EXPECT_EQ(get("/readyz").status, 500);
  EXPECT_TRUE(get("/readyz").body.contains("[-]store failed: reason withheld"));
  EXPECT_EQ(get("/readyz?exclude=store").status, 200);
  EXPECT_EQ(get("/livez").status, 200);
}

TEST_F(ServedPathsTest, TheVersionIsOneThatClientsCanRead) {
  const HubAnswer answer = get("/version?timeout=5s");
  EXPECT_EQ(answer.at("/major"), "1");
  EXPECT_TRUE(answer.at("/gitVersion").starts_with("v1.35."));
}

TEST_F(ServedPathsTest, MetricsAreText) { EXPECT_EQ(get("/metrics").body, "requests 1\n"); }

TEST_F(ServedPathsTest, DiscoveryHasTwoForms) {
  EXPECT_EQ(get("/api").at("/kind"), "APIVersions");
  EXPECT_EQ(get("/apis").at("/kind"), "APIGroupList");
  const HubAnswer groups = get("/apis", kAggregated);
  EXPECT_EQ(groups.at("/kind"), "APIGroupDiscoveryList");
  EXPECT_EQ(groups.headers.find("content-type"),
            "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");
  EXPECT_EQ(groups.headers.find("cache-control"), "public");
  EXPECT_EQ(groups.headers.find("vary"), "Accept");
  const std::string etag(groups.headers.find("etag").value_or(""));
  EXPECT_TRUE(etag.starts_with('"'));
  const HubAnswer known = get("/apis", kAggregated, etag);
  EXPECT_EQ(known.status, 304);
  EXPECT_EQ(known.body, "");
  EXPECT_EQ(known.headers.find("etag"), etag);
}

TEST_F(ServedPathsTest, NewDefinitionsAreInDiscoveryAtOnce) {
  const std::string before(get("/apis", kAggregated).headers.find("etag").value_or(""));
  EXPECT_EQ(get("/apis/ex.io/v1").status, 404);
  hub.post(std::string(testing::kDefinitions), std::string(testing::kFooDefinition));
  EXPECT_NE(get("/apis", kAggregated, before).headers.find("etag"), before);
  EXPECT_EQ(get("/apis/ex.io").at("/kind"), "APIGroup");
  EXPECT_EQ(get("/apis/ex.io/v1").at("/resources/0/name"), "foos");
  EXPECT_EQ(get("/api/v1").at("/kind"), "APIResourceList");
  EXPECT_EQ(get("/apis/ex.io/v9").status, 404);
}

TEST_F(ServedPathsTest, OpenApiHasADocumentForEachVersion) {
  hub.post(std::string(testing::kDefinitions), std::string(testing::kFooDefinition));
  const HubAnswer index = get("/openapi/v3");
  const std::string url = index.at("/paths/apis~1ex.io~1v1/serverRelativeURL");
  EXPECT_TRUE(url.starts_with("/openapi/v3/apis/ex.io/v1?hash=")) << index.body.substr(0, 300);
  const HubAnswer document = get(url);
  EXPECT_EQ(document.status, 200);
  EXPECT_NE(document.at("/components/schemas/io.ex.v1.Foo/properties/spec/properties/n"), "");
  EXPECT_EQ(get("/openapi/v3/api/v1").status, 200);
  EXPECT_EQ(get("/openapi/v3/apis/nobody/v1").status, 404);
  EXPECT_EQ(get("/openapi/v3/nonsense").status, 404);
  EXPECT_EQ(get("/openapi/v2").status, 200);  // Where nothing stands.
  EXPECT_EQ(get("/openapi/v3", "text/html").status, 406);
}

TEST_F(ServedPathsTest, WhoeverAsksForAStateOfADocumentKeepsItOrIsSentToTheNewest) {
  const std::string url = get("/openapi/v3").at("/paths/apis~1apps~1v1/serverRelativeURL");
  const HubAnswer kept = get(url);
  EXPECT_EQ(kept.status, 200);
  EXPECT_EQ(kept.headers.find("cache-control"), "public, immutable");
  EXPECT_EQ(kept.headers.find("expires"), "Sat, 02 Jan 2027 03:04:05 GMT");
  const HubAnswer stale = get("/openapi/v3/apis/apps/v1?hash=0123");
  EXPECT_EQ(stale.status, 301);
  EXPECT_EQ(stale.headers.find("location"), url.substr(url.find('?')));
  // Without a hash it may change at any time.
  const HubAnswer newest = get("/openapi/v3/apis/apps/v1");
  EXPECT_EQ(newest.headers.find("cache-control"), "public");
  EXPECT_EQ(newest.headers.find("expires"), std::nullopt);
  const std::string etag(newest.headers.find("etag").value_or(""));
  EXPECT_EQ(get("/openapi/v3/apis/apps/v1", "", etag).status, 304);
  EXPECT_EQ(get("/openapi/v3/apis/nobody/v1?hash=0123").status, 404);
}

TEST_F(ServedPathsTest, ADocumentChangesWithItsDefinitionOnly) {
  hub.post(std::string(testing::kDefinitions), std::string(testing::kFooDefinition));
  const auto url = [this](const char* version) {
    return get("/openapi/v3").at(std::string("/paths/") + version + "/serverRelativeURL");
  };
  const std::string foos = url("apis~1ex.io~1v1");
  const std::string core = url("api~1v1");
  hub.patch(
      std::string(testing::kDefinitions) + "/foos.ex.io",
      R"([{"op":"add","path":"/spec/versions/0/schema/openAPIV3Schema/description","value":"x"}])",
      "application/json-patch+json");
  EXPECT_NE(url("apis~1ex.io~1v1"), foos);
  EXPECT_EQ(url("api~1v1"), core);
  EXPECT_EQ(get("/openapi/v3/apis/ex.io/v1").at("/components/schemas/io.ex.v1.Foo/description"),
            "x");
}

TEST_F(ServedPathsTest, OtherPathsAndMethodsAreNotThere) {
  EXPECT_EQ(get("/nothing").status, 404);
  EXPECT_EQ(get("/").status, 404);
  EXPECT_EQ(ask(http::Method::Post, "/healthz", "", "").status, 405);
}

}  // namespace
}  // namespace berth::apiserver
