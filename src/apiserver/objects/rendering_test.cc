#include "apiserver/objects/rendering.h"

#include <gtest/gtest.h>

#include "apiserver/testing/foos.h"
#include "apiserver/testing/test_hub.h"

namespace berth::apiserver {
namespace {

using testing::HubAnswer;
using testing::TestHub;

constexpr const char* kTable = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
constexpr const char* kPartial = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
constexpr const char* kPartialList =
    "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";

class RenderingTest : public ::testing::Test {
 protected:
  RenderingTest() {
    hub.post(std::string(testing::kDefinitions), std::string(testing::kFooDefinition));
    hub.post(foos, R"({"metadata":{"name":"a"},"spec":{"n":5}})");
    hub.post(foos, R"({"metadata":{"name":"b"}})");
  }

  TestHub hub;
  std::string foos{testing::kFoos};
};

TEST_F(RenderingTest, ATableHasTheColumnsOfItsDefinition) {
  const HubAnswer table = hub.get(foos, kTable);
  EXPECT_EQ(table.headers.find("content-type"), "application/json");
  EXPECT_EQ(table.at("/kind"), "Table");
  EXPECT_EQ(table.at("/apiVersion"), "meta.k8s.io/v1");
  EXPECT_EQ(table.at("/metadata/resourceVersion"), std::to_string(hub.revision()));
  EXPECT_EQ(table.at("/columnDefinitions/0/name"), "Name");
  EXPECT_EQ(table.at("/columnDefinitions/1/name"), "N");
  EXPECT_EQ(table.at("/rows/0/cells"), R"(["a",5])");
  EXPECT_EQ(table.at("/rows/1/cells"), R"(["b",null])");
  EXPECT_EQ(table.at("/rows/0/object/kind"), "PartialObjectMetadata");
}

TEST_F(RenderingTest, TheRowsHaveAsMuchOfTheObjectAsIsAskedFor) {
  EXPECT_EQ(hub.get(foos + "?includeObject=None", kTable).at("/rows/0/object"), "null");
  EXPECT_EQ(hub.get(foos + "?includeObject=Object", kTable).at("/rows/0/object/kind"), "Foo");
  EXPECT_EQ(hub.get(foos + "?includeObject=Some", kTable).status, 400);
  EXPECT_EQ(hub.get(foos + "/a", kTable).at("/rows/0/cells/0"), "a");
}

TEST_F(RenderingTest, PagesOfATableContinue) {
  const HubAnswer page = hub.get(foos + "?limit=1", kTable);
  EXPECT_NE(page.at("/metadata/continue"), "");
  EXPECT_EQ(page.at("/metadata/remainingItemCount"), "1");
}

TEST_F(RenderingTest, PartsAreMetadataOnly) {
  const HubAnswer one = hub.get(foos + "/a", kPartial);
  EXPECT_EQ(one.at("/kind"), "PartialObjectMetadata");
  EXPECT_EQ(one.at("/apiVersion"), "meta.k8s.io/v1");
  EXPECT_EQ(one.at("/metadata/name"), "a");
  EXPECT_EQ(one.at("/spec"), "");
  const HubAnswer all = hub.get(foos, kPartialList);
  EXPECT_EQ(all.at("/kind"), "PartialObjectMetadataList");
  EXPECT_EQ(all.at("/items/1/kind"), "PartialObjectMetadata");
  EXPECT_EQ(all.at("/items/1/spec"), "");
  const HubAnswer patched = hub.send(
      {.method = http::Method::Patch,
       .target = foos + "/a",
       .body = R"({"metadata":{"labels":{"x":"y"}}})",
       .headers = {{"content-type", "application/merge-patch+json"}, {"accept", kPartial}}});
  EXPECT_EQ(patched.at("/kind"), "PartialObjectMetadata");
}

TEST_F(RenderingTest, WhatNobodyCanGiveIsNotAcceptable) {
  for (const char* accept :
       {"application/vnd.kubernetes.protobuf", "text/html", "application/cbor"}) {
    const HubAnswer refused = hub.get(foos, accept);
    EXPECT_EQ(refused.status, 406) << accept;
    EXPECT_EQ(refused.at("/reason"), "NotAcceptable");
  }
  EXPECT_EQ(hub.get(foos, "application/vnd.kubernetes.protobuf,application/json").status, 200);
  EXPECT_EQ(hub.get(foos, "application/vnd.kubernetes.protobuf,*/*").status, 200);
}

TEST_F(RenderingTest, EventsOfATableSayTheirColumnsOnce) {
  const auto stream = hub.watch(foos, kTable);
  const std::string events = testing::drained(*stream);
  const std::size_t end = events.find('\n');
  const HubAnswer first{.body = events.substr(0, end)};
  const HubAnswer second{.body = events.substr(end + 1)};
  EXPECT_EQ(first.at("/object/kind"), "Table");
  EXPECT_EQ(first.at("/object/columnDefinitions/1/name"), "N");
  EXPECT_EQ(second.at("/object/columnDefinitions/1/name"), "");
  EXPECT_EQ(second.at("/object/rows/0/cells/0"), "b");
}

TEST_F(RenderingTest, BookmarksFollowTheForm) {
  const View view = hub.view();
  const auto resource = view.registry->find("ex.io", "v1", "foos");
  const auto bookmark = [&](AnswerForm form) {
    std::string text;
    Rendering(resource, form, IncludeObject::Metadata, Time())
        .event_form()
        ->append_bookmark(text, 7, true);
    return HubAnswer{.body = text};
  };
  EXPECT_EQ(bookmark(AnswerForm::Json).at("/kind"), "Foo");
  EXPECT_EQ(bookmark(AnswerForm::Json).at("/metadata/resourceVersion"), "7");
  EXPECT_EQ(bookmark(AnswerForm::PartialMetadata).at("/kind"), "PartialObjectMetadata");
  const HubAnswer table = bookmark(AnswerForm::Table);
  EXPECT_EQ(table.at("/kind"), "Table");
  EXPECT_EQ(table.at("/rows/0/object/metadata/resourceVersion"), "7");
  EXPECT_EQ(table.at("/rows/0/object/metadata/annotations/k8s.io~1initial-events-end"), "true");
}

TEST_F(RenderingTest, TextsOfTheStoredVersionAreNotTouched) {
  const View view = hub.view();
  const Rendering stored(view.registry->find("ex.io", "v1", "foos"), AnswerForm::Json,
                         IncludeObject::Object, Time());
  EXPECT_TRUE(stored.is_verbatim());
  const Rendering other(view.registry->find("ex.io", "v1alpha1", "foos"), AnswerForm::Json,
                        IncludeObject::Object, Time());
  EXPECT_FALSE(other.is_verbatim());
  EXPECT_EQ(other.object(R"({"apiVersion":"ex.io/v1","kind":"Foo","metadata":{}})"),
            R"({"apiVersion":"ex.io/v1alpha1","kind":"Foo","metadata":{}})");
}

}  // namespace
}  // namespace berth::apiserver
