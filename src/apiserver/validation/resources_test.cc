#include "apiserver/validation/resources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/validation/testing/findings.h"

namespace berth::apiserver {
namespace {

using ::testing::ElementsAre;
using testing::found_in;
using ::testing::IsEmpty;

TEST(Resources, RequestsStayBelowLimits) {
  EXPECT_THAT(found_in(check_resources,
                       "{requests: {cpu: 100m, memory: 1Gi}, limits: {cpu: '1', "
                       "memory: 1Gi, ephemeral-storage: 1Gi}}"),
              IsEmpty());
  EXPECT_THAT(found_in(check_resources, "{requests: {cpu: '2'}, limits: {cpu: '1'}}"),
              ElementsAre("requests: Invalid value: \"2\": must be less than or equal to cpu limit "
                          "of 1"));
}

TEST(Resources, PiecesAreWholeAndNotOvercommitted) {
  EXPECT_THAT(found_in(check_resources, "{requests: {example.com/gpu: '1'}}"),
              ElementsAre("limits: Required value: Limit must be set for non overcommitable "
                          "resources"));
  EXPECT_THAT(
      found_in(check_resources,
               "{requests: {example.com/gpu: '1'}, limits: {example.com/gpu: '2', example.com/x: "
               "500m}}"),
      ElementsAre("limits[example.com/x]: Invalid value: \"500m\": must be an integer",
                  "requests: Invalid value: \"1\": must be equal to example.com/gpu limit of 2"));
}

TEST(Resources, NamesAreKnownOrHaveAPrefix) {
  EXPECT_EQ(found_in(check_resources, "{limits: {colour: '1'}}").size(), 2);
  EXPECT_EQ(found_in(check_resources, "{limits: {pods: '1'}}").size(), 1);
  EXPECT_EQ(found_in(check_resources, "{limits: {hugepages-2Mi: 4Mi, cpu: '1'}}").size(), 0);
  EXPECT_EQ(found_in(check_resources, "{limits: {cpu: '-1'}}").size(), 1);
}

}  // namespace
}  // namespace berth::apiserver
