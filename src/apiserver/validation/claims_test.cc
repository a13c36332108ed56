#include "apiserver/validation/claims.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/validation/testing/findings.h"

namespace berth::apiserver {
namespace {

using ::testing::ElementsAre;
using testing::fields_of;
using testing::found_in;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::yaml_object;

TEST(Claims, AskForStorageInSomeWay) {
  EXPECT_THAT(found_in(check_claim,
                       "{accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}"),
              IsEmpty());
  EXPECT_THAT(found_in(check_claim, "{}"),
              ElementsAre("accessModes: Required value: at least 1 access mode is required",
                          "resources[storage]: Required value"));
  EXPECT_THAT(found_in(check_claim,
                       "{accessModes: [Wild, ReadWriteOncePod, ReadOnlyMany], "
                       "resources: {requests: {storage: '0'}}, volumeMode: Liquid}"),
              ElementsAre(HasSubstr("accessModes: Unsupported value: \"Wild\""),
                          HasSubstr("may not use ReadWriteOncePod"),
                          HasSubstr("resources[storage]: Invalid value: \"0\""),
                          HasSubstr("volumeMode: Unsupported value")));
}

TEST(Claims, GrowOnlyWhenTheyAreBound) {
  json::Value before = yaml_object(
      "{spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}, status: "
      "{phase: Pending}}");
  json::Value after = before;
  after["spec"]["resources"]["requests"]["storage"] = "2Gi";
  EXPECT_THAT(fields_of(validate_claim(after, &before)), ElementsAre("spec"));
  before["status"]["phase"] = "Bound";
  EXPECT_THAT(validate_claim(after, &before), IsEmpty());
  after["spec"]["storageClassName"] = "fast";
  EXPECT_THAT(validate_claim(after, &before), IsEmpty()) << "which was not said before";
  after["spec"]["accessModes"] = yaml_object("[ReadOnlyMany]");
  EXPECT_THAT(fields_of(validate_claim(after, &before)), ElementsAre("spec"));
}

}  // namespace
}  // namespace berth::apiserver
