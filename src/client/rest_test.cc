#include "client/rest.h"

#include <gtest/gtest.h>

#include "client/errors.h"
#include "client/testing/protobuf_writer.h"
#include "json/parse.h"

namespace berth::client {
namespace {

using namespace std::chrono_literals;

const ResourcePath kPods{.resource = {.version = "v1", .resource = "pods"}, .ns = "default"};
const ResourcePath kPod{
    .resource = {.version = "v1", .resource = "pods"}, .ns = "default", .name = "web"};

TEST(Rest, ReadsNameTheirTarget) {
  EXPECT_EQ(get_request(kPod)->target, "/api/v1/namespaces/default/pods/web");
  const auto list =
      list_request(kPods, {.selection = {.labels = "app in (a,b)"}, .resource_version = "0"});
  EXPECT_EQ(
      list->target,
      "/api/v1/namespaces/default/pods?labelSelector=app%20in%20%28a%2Cb%29&resourceVersion=0");
  EXPECT_EQ(list->method, http::Method::Get);
  EXPECT_EQ(watch_request(kPods, {.resource_version = "5", .timeout = 300s})->target,
            "/api/v1/namespaces/default/pods?watch=true&allowWatchBookmarks=true&resourceVersion=5"
            "&timeoutSeconds=300");
}

TEST(Rest, WritesCarryTheirBodyAndItsType) {
  const json::Value object = json::parse(R"({"kind":"Pod","unknown":{"x":1.0}})").value();
  const auto create = create_request(kPods, object, {.dry_run = DryRun::Yes});
  EXPECT_EQ(create->method, http::Method::Post);
  EXPECT_EQ(create->target, "/api/v1/namespaces/default/pods?dryRun=All");
  EXPECT_EQ(create->content_type, "application/json");
  EXPECT_EQ(create->body, R"({"kind":"Pod","unknown":{"x":1.0}})");
  EXPECT_EQ(update_request(kPod, object, {})->method, http::Method::Put);

  const auto apply = patch_request(kPod, object,
                                   {.type = PatchType::Apply,
                                    .write = {.field_manager = "berth"},
                                    .conflicts = ApplyConflicts::TakeOver});
  EXPECT_EQ(apply->method, http::Method::Patch);
  EXPECT_EQ(apply->target, "/api/v1/namespaces/default/pods/web?fieldManager=berth&force=true");
  EXPECT_EQ(apply->content_type, "application/apply-patch+yaml");

  EXPECT_EQ(delete_request(kPod, {})->method, http::Method::Delete);
  const auto sweep = delete_collection_request(kPods, {.labels = "a=b"}, {});
  EXPECT_EQ(sweep->target, "/api/v1/namespaces/default/pods?labelSelector=a%3Db");
}

TEST(Rest, ARequestThatWouldHitTheWrongThingIsNotBuilt) {
  EXPECT_FALSE(get_request(kPods).ok());
  EXPECT_FALSE(delete_request(kPods, {}).ok()) << "would delete the collection";
  EXPECT_FALSE(delete_collection_request(kPod, {}, {}).ok());
  EXPECT_FALSE(list_request(kPod, {}).ok());
  EXPECT_FALSE(create_request(kPod, {}, {}).ok());
  EXPECT_FALSE(patch_request(kPod, {}, {.type = PatchType::Apply}).ok()) << "no manager";
  ResourcePath binding = kPod;
  binding.subresource = "binding";
  EXPECT_TRUE(create_request(binding, {}, {}).ok());
}

TEST(Rest, AQueryCanBeExtended) {
  RestRequest request = plain_request("/version");
  add_to_query(request, "timeout", "5s");
  add_to_query(request, "a", "b c");
  EXPECT_EQ(request.target, "/version?timeout=5s&a=b%20c");
}

Error error_of(RestAnswer answer, http::Method method = http::Method::Get) {
  return read_answer(answer, method).error();
}

TEST(Rest, ASuccessIsItsDocument) {
  EXPECT_EQ(read_answer({.status = 200, .body = R"({"a":1})"}, http::Method::Get).value(),
            json::parse(R"({"a":1})").value());
  EXPECT_TRUE(read_answer({.status = 204}, http::Method::Get)->is_null());
  EXPECT_TRUE(read_answer({.status = 200, .body = R"({"kind":"Status","apiVersion":"v1",
    "status":"Success"})"},
                          http::Method::Delete)
                  .ok());
}

TEST(Rest, AFailureIsTheStatusOfItsBodyOrElseItsCode) {
  const Error status =
      error_of({.status = 404, .retry_after = 2s, .body = R"({"kind":"Status","apiVersion":"v1",
    "status":"Failure","reason":"NotFound","message":"pods \"web\" not found","code":404})"});
  EXPECT_TRUE(is_not_found(status));
  EXPECT_EQ(status.message, "pods \"web\" not found");
  EXPECT_EQ(status.retry_after, Duration(2s));
  EXPECT_EQ(error_of({.status = 409, .body = "<html>"}, http::Method::Post).code,
            Code::AlreadyExists);
  EXPECT_EQ(error_of({.status = 409}, http::Method::Put).code, Code::Conflict);
  EXPECT_EQ(error_of({.status = 200, .body = "<html>"}).code, Code::InternalError);
  EXPECT_EQ(error_of({.status = 200, .body = R"({"kind":"Status","apiVersion":"v1",
    "status":"Failure","reason":"Expired"})"})
                .code,
            Code::Expired);
}

TEST(Rest, AFailureInProtobufIsReadAsWell) {
  const testing::Proto status =
      testing::Proto().text(2, "Failure").text(3, "too old").text(4, "Expired").number(6, 410);
  const Error error = error_of({.status = 410,
                                .content_type = "application/vnd.kubernetes.protobuf",
                                .body = testing::envelope("Status", status)});
  EXPECT_TRUE(is_expired(error));
  EXPECT_EQ(error.message, "too old");
  EXPECT_TRUE(is_expired(error_of(
      {.status = 410, .content_type = "application/vnd.kubernetes.protobuf", .body = "{"})));
}

TEST(Rest, RedirectsAreRefused) {
  EXPECT_EQ(error_of({.status = 302}).message,
            "the server answered with a redirect (302), which an API server does not do");
}

}  // namespace
}  // namespace berth::client
