#include "apiserver/verbs/body.h"

#include <gtest/gtest.h>

#include "apiserver/testing/foos.h"
#include "apiserver/testing/test_hub.h"
#include "base/base64.h"

namespace berth::apiserver {
namespace {

using testing::HubAnswer;
using testing::TestHub;

HubAnswer create(TestHub& hub, std::string target, std::string body, std::string content_type) {
  testing::HubCall call{
      .method = http::Method::Post, .target = std::move(target), .body = std::move(body)};
  if (!content_type.empty()) call.headers.emplace_back("content-type", std::move(content_type));
  return hub.send(call);
}

const std::string kNamespaces = "/api/v1/namespaces";

TEST(RequestBody, ThreeFormsAreRead) {
  TestHub hub;
  EXPECT_EQ(create(hub, kNamespaces, R"({"metadata":{"name":"a"}})", "").status, 201);
  EXPECT_EQ(
      create(hub, kNamespaces, R"({"metadata":{"name":"b"}})", "application/json; charset=utf-8")
          .status,
      201);
  EXPECT_EQ(create(hub, kNamespaces, "metadata:\n  name: c\n", "application/yaml").status, 201);
  // Recorded from `kubectl create namespace foo`.
  const auto bytes =
      decode_base64("azhzAAoPCgJ2MRIJTmFtZXNwYWNlEhsKEwoDZm9vEgAaACIAKgAyADgAQgASABoCCgAaACIA");
  const HubAnswer made = create(hub, kNamespaces, *bytes, "application/vnd.kubernetes.protobuf");
  EXPECT_EQ(made.status, 201);
  EXPECT_EQ(made.at("/metadata/name"), "foo");
  EXPECT_EQ(made.at("/status/phase"), "Active");
}

TEST(RequestBody, OtherFormsAreNot) {
  TestHub hub;
  hub.post(std::string(testing::kDefinitions), std::string(testing::kFooDefinition));
  for (const char* type : {"text/plain", "application/cbor", "application/xml"}) {
    const HubAnswer refused = create(hub, kNamespaces, "{}", type);
    EXPECT_EQ(refused.status, 415) << type;
    EXPECT_EQ(refused.at("/reason"), "UnsupportedMediaType");
    EXPECT_TRUE(refused.at("/message").contains("application/json")) << refused.body;
  }
  const HubAnswer custom = create(hub, std::string(testing::kFoos), std::string("k8s\0", 4),
                                  "application/vnd.kubernetes.protobuf");
  EXPECT_EQ(custom.status, 415) << custom.body;
}

TEST(RequestBody, WhatCannotBeReadIsABadRequest) {
  TestHub hub;
  const std::string deep = std::string(600, '[') + std::string(600, ']');
  struct Row {
    std::string body;
    const char* type;
  };
  for (const Row& row : {
           Row{"", "application/json"},
           Row{"{", "application/json"},
           Row{"5", "application/json"},
           Row{"[]", "application/json"},
           Row{"null", "application/json"},
           Row{R"({"metadata":{"name":"\xff"}})", "application/json"},
           Row{"{\"metadata\":{\"name\":\"\xff\"}}", "application/json"},
           Row{R"({"metadata":{"name":"a"},"spec":{"x":)" + deep + "}}", "application/json"},
           Row{"a: [", "application/yaml"},
           Row{"a: 1\n---\nb: 2\n", "application/yaml"},
           Row{"a: &a [*a]", "application/yaml"},
           Row{"x: " + deep, "application/yaml"},
           Row{"nonsense", "application/vnd.kubernetes.protobuf"},
           Row{std::string("k8s\0\x0a\xff", 6), "application/vnd.kubernetes.protobuf"},
       }) {
    const HubAnswer refused = create(hub, kNamespaces, row.body, row.type);
    EXPECT_EQ(refused.status, 400) << row.type << " " << row.body.substr(0, 60);
    EXPECT_EQ(refused.at("/reason"), "BadRequest");
    EXPECT_NE(refused.at("/message"), "");
  }
}

TEST(RequestBody, TheOptionsOfADeletionMayComeInProtobuf) {
  TestHub hub;
  using namespace std::string_literals;
  const std::string options =
      "k8s\0\x0a\x13\x0a\x02v1\x12\x0d"
      "DeleteOptions\x12\x07\x12\x05\x0a\x03"
      "abc"s;
  const HubAnswer refused =
      hub.send({.method = http::Method::Delete,
                .target = "/api/v1/namespaces/team",
                .body = options,
                .headers = {{"content-type", "application/vnd.kubernetes.protobuf"}}});
  EXPECT_EQ(refused.status, 409) << refused.body;  // Its precondition names another uid.
}

TEST(RequestBody, DuplicatesAreToldByThePlaceTheyAreAt) {
  TestHub hub;
  const ApiRequest request{.info = {}, .body = R"({"a":{"b":1,"b":2}})"};
  const View view = hub.view();
  const Call call{
      .request = request, .view = view, .resource = view.registry->find("", "v1", "namespaces")};
  const auto body = read_object_body(call, {.version = "v1", .kind = "Namespace"});
  ASSERT_TRUE(body.has_value());
  EXPECT_EQ(body->duplicate_fields, std::vector<std::string>{"a.b"});
}

}  // namespace
}  // namespace berth::apiserver
