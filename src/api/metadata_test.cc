#include "api/metadata.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::api {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

json::Value example() {
  return json::parse(R"({"metadata": {
    "name": "web", "namespace": "shop", "uid": "u1", "resourceVersion": "42", "generation": 7,
    "labels": {"app": "web"}, "annotations": {"note": "x"}, "finalizers": ["a/b", "c/d"],
    "creationTimestamp": "2026-11-15T22:00:00Z", "deletionTimestamp": "2026-11-15T22:00:01Z",
    "ownerReferences": [
      {"apiVersion": "v1", "kind": "ConfigMap", "name": "other", "uid": "u2"},
      {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web-1", "uid": "u3",
       "controller": true, "blockOwnerDeletion": true}]}})")
      .value();
}

TEST(Metadata, ReadsEveryField) {
  const json::Value object = example();
  const Metadata metadata(object);
  EXPECT_EQ(metadata.key(), (ObjectKey{.ns = "shop", .name = "web"}));
  EXPECT_EQ(metadata.uid(), "u1");
  EXPECT_EQ(metadata.resource_version(), "42");
  EXPECT_EQ(metadata.generation(), 7);
  EXPECT_EQ(metadata.labels().find("app"), "web");
  EXPECT_EQ(metadata.annotations().find("note"), "x");
  EXPECT_THAT(metadata.finalizers(), ElementsAre("a/b", "c/d"));
  EXPECT_TRUE(metadata.has_finalizer("c/d"));
  EXPECT_FALSE(metadata.has_finalizer("c"));
  EXPECT_EQ(metadata.creation_time(), Time::from_unix(1794780000));
  EXPECT_EQ(metadata.deletion_time(), Time::from_unix(1794780001));
  EXPECT_TRUE(metadata.is_being_deleted());
}

TEST(Metadata, FindsTheControllerAmongTheOwners) {
  const json::Value object = example();
  const Metadata metadata(object);
  ASSERT_EQ(metadata.owner_references().size(), 2U);
  EXPECT_EQ(metadata.owner_references()[0].kind, "ConfigMap");
  ASSERT_TRUE(metadata.controller().has_value());
  EXPECT_EQ(metadata.controller()->uid, "u3");
  EXPECT_EQ(OwnerReference::from_json(metadata.controller()->to_json()), *metadata.controller());
}

TEST(Metadata, ReadsWhatIsMissingAsEmpty) {
  for (const char* text : {"null", "{}", R"({"metadata": null})", R"({"metadata": {"labels": 1}})",
                           R"({"metadata": {"deletionTimestamp": null, "generation": "x"}})"}) {
    SCOPED_TRACE(text);
    const json::Value object = json::parse(text).value();
    const Metadata metadata(object);
    EXPECT_EQ(metadata.name(), "");
    EXPECT_EQ(metadata.generation(), 0);
    EXPECT_FALSE(metadata.labels().has("app"));
    EXPECT_THAT(metadata.finalizers(), IsEmpty());
    EXPECT_EQ(metadata.creation_time(), std::nullopt);
    EXPECT_FALSE(metadata.is_being_deleted());
    EXPECT_EQ(metadata.controller(), std::nullopt);
  }
}

}  // namespace
}  // namespace berth::api
