#include "apiserver/verbs/call.h"

#include <gtest/gtest.h>

#include "apiserver/testing/test_hub.h"

namespace berth::apiserver {
namespace {

using testing::TestHub;

class CallTest : public ::testing::Test {
 protected:
  Call call(std::string_view target, std::string_view resource) {
    request.info = read_request_info(http::Method::Get, target).value();
    request.query = http::parse_query(http::split_target(target).query).value();
    return {.request = request,
            .view = view,
            .resource = view.registry->find("", "v1", std::string(resource))};
  }
  Selection selection(std::string_view target, std::string_view resource) {
    const Call asked = call(target, resource);
    return asked.selection(read_list_options(request.query, ListUse::List).value()).value();
  }

  TestHub hub;
  View view = hub.view();
  ApiRequest request;
};

TEST_F(CallTest, KeysAreOfTheNamespaceWhereThereIsOne) {
  EXPECT_EQ(call("/api/v1/namespaces/team/pods/p", "pods").key_of("q"),
            (store::Key{.table = "pods", .name = "team/q"}));
  EXPECT_EQ(call("/api/v1/nodes/n", "nodes").key_of("n"),
            (store::Key{.table = "nodes", .name = "n"}));
  EXPECT_EQ(call("/api/v1/namespaces/team", "namespaces").ns(), "");
  EXPECT_NE(call("/api/v1/namespaces/team", "namespaces").find(), nullptr);
  EXPECT_EQ(call("/api/v1/namespaces/none", "namespaces").find(), nullptr);
}

TEST_F(CallTest, ASelectionIsAsNarrowAsThePathAndTheSelectorAllow) {
  EXPECT_EQ(selection("/api/v1/pods", "pods").prefix, "");
  EXPECT_EQ(selection("/api/v1/namespaces/team/pods", "pods").prefix, "team/");
  const std::string_view one = "?fieldSelector=metadata.name%3Da";
  EXPECT_EQ(selection(std::string("/api/v1/namespaces/team/pods").append(one), "pods").name,
            "team/a");
  EXPECT_EQ(selection(std::string("/api/v1/nodes").append(one), "nodes").name, "a");
  // That name may be in every namespace.
  EXPECT_EQ(selection(std::string("/api/v1/pods").append(one), "pods").name, "");
  EXPECT_EQ(selection("/api/v1/namespaces/team/pods/a?watch=1", "pods").name, "team/a");
}

TEST_F(CallTest, FieldsThatCannotBeSelectedAreRefused) {
  const Call asked = call("/api/v1/pods?fieldSelector=spec.color%3Dred", "pods");
  const auto options = read_list_options(request.query, ListUse::List);
  EXPECT_EQ(asked.selection(*options).error().error.code, Code::BadRequest);
}

TEST_F(CallTest, TheRenderingIsWhatTheClientAccepts) {
  const Call asked = call("/api/v1/pods", "pods");
  EXPECT_TRUE(asked.rendering()->is_verbatim());
  request.headers.add("accept", "application/json;as=Table;v=v1;g=meta.k8s.io,application/json");
  EXPECT_FALSE(asked.rendering()->is_verbatim());
  ApiRequest picky = request;
  picky.headers.clear();
  picky.headers.add("accept", "image/png");
  const Call refused{.request = picky, .view = view, .resource = asked.resource};
  EXPECT_EQ(refused.rendering().error().error.code, Code::NotAcceptable);
}

}  // namespace
}  // namespace berth::apiserver
