#include "apiserver/apply/scale_fields.h"

#include <gtest/gtest.h>

#include "apiserver/apply/testing/sets.h"

namespace berth::apiserver {
namespace {

using testing::json_of;

const ReplicasPlace kPlace{.api_version = "ex.io/v1", .path = path_of({"spec", "replicas"})};

json::Value applied_replicas_and_n() {
  return json_of(
      R"([{"manager":"m1","operation":"Apply","apiVersion":"ex.io/v1","time":"2026-11-16T05:10:23Z",)"
      R"("fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:n":{},"f:replicas":{}}}}])");
}

TEST(ScaleFields, OwnersOfReplicasOwnThemInTheScale) {
  const json::Value object = applied_replicas_and_n();
  EXPECT_EQ(*managed_fields_of_scale(&object, kPlace),
            json_of(R"([{"manager":"m1","operation":"Apply","apiVersion":"autoscaling/v1",
              "time":"2026-11-16T05:10:23Z","fieldsType":"FieldsV1",
              "fieldsV1":{"f:spec":{"f:replicas":{}}}}])"));
  EXPECT_TRUE(managed_fields_of_scale(nullptr, kPlace)->is_null());
}

// As seen on a real server after a patch of the scale by "sc".
TEST(ScaleFields, AWriteToTheScaleTakesTheReplicas) {
  const json::Value object = applied_replicas_and_n();
  const json::Value scale = json_of(
      R"([{"manager":"sc","operation":"Update","apiVersion":"autoscaling/v1","subresource":"scale",
        "time":"2026-11-16T05:11:00Z","fieldsType":"FieldsV1",
        "fieldsV1":{"f:spec":{"f:replicas":{}}}}])");
  const auto after = managed_fields_after_scale(&object, &scale, kPlace);
  EXPECT_EQ(
      *after,
      json_of(
          R"([{"manager":"m1","operation":"Apply","apiVersion":"ex.io/v1","time":"2026-11-16T05:10:23Z",
        "fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:n":{}}}},
        {"manager":"sc","operation":"Update","apiVersion":"ex.io/v1","fieldsType":"FieldsV1",
        "fieldsV1":{"f:spec":{"f:replicas":{}}},"subresource":"scale"}])"));
  const auto again = managed_fields_after_scale(&*after, &scale, kPlace);
  EXPECT_EQ(*again, *after);
}

TEST(ScaleFields, AScaleThatChangedNothingLeavesTheOwners) {
  const json::Value object = applied_replicas_and_n();
  const auto scale = managed_fields_of_scale(&object, kPlace);
  EXPECT_EQ(*managed_fields_after_scale(&object, &*scale, kPlace), object);
}

}  // namespace
}  // namespace berth::apiserver
