#include "apiserver/validation/probes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/validation/testing/findings.h"

namespace berth::apiserver {
namespace {

using ::testing::ElementsAre;
using testing::found_in;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

void check(const Place& container, Complaints& complaints) {
  check_probes(container, 30, complaints);
}

TEST(Probes, AskInExactlyOneWay) {
  EXPECT_THAT(found_in(check, "livenessProbe: {tcpSocket: {port: 80}, successThreshold: 1}"),
              IsEmpty());
  EXPECT_THAT(
      found_in(check, "readinessProbe: {exec: {command: [x]}, tcpSocket: {port: 80}}"),
      ElementsAre("readinessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type"));
  EXPECT_THAT(found_in(check, "lifecycle: {preStop: {}}"),
              ElementsAre("lifecycle.preStop: Required value: must specify a handler type"));
}

TEST(Probes, ActionsHaveWhatTheyNeed) {
  EXPECT_THAT(
      found_in(check,
               "readinessProbe: {httpGet: {port: 0, scheme: FTP, httpHeaders: [{name: 'a b'}]}}"),
      ElementsAre("readinessProbe.httpGet.path: Required value",
                  HasSubstr("readinessProbe.httpGet.port: Invalid value: 0"),
                  HasSubstr("readinessProbe.httpGet.scheme: Unsupported value: \"FTP\""),
                  HasSubstr("a valid HTTP header")));
  EXPECT_THAT(found_in(check, "lifecycle: {preStop: {sleep: {seconds: 31}}}"),
              ElementsAre(HasSubstr("less than terminationGracePeriodSeconds (30)")));
}

TEST(Probes, ALivenessProbeSucceedsAtOnce) {
  EXPECT_THAT(found_in(check, "startupProbe: {exec: {command: [x]}, successThreshold: 2}"),
              ElementsAre("startupProbe.successThreshold: Invalid value: 2: must be 1"));
  EXPECT_THAT(found_in(check,
                       "readinessProbe: {exec: {command: [x]}, periodSeconds: -1, "
                       "terminationGracePeriodSeconds: 5}"),
              ElementsAre(HasSubstr("periodSeconds"), HasSubstr("must not be set for")));
}

}  // namespace
}  // namespace berth::apiserver
