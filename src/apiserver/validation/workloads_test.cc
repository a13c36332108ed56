#include "apiserver/validation/workloads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/validation/testing/findings.h"

namespace berth::apiserver {
namespace {

using ::testing::ElementsAre;
using testing::fields_of;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::lines_of;
using testing::yaml_object;

// A spec that is right, and what is said besides.
json::Value workload(std::string_view more) {
  return yaml_object(
      "spec: {selector: {matchLabels: {app: x}}, template: {metadata: {labels: {app: x}}, spec: "
      "{restartPolicy: Always, dnsPolicy: Default, containers: [{name: c, image: i, "
      "terminationMessagePolicy: File, imagePullPolicy: Always}]}}, " +
      std::string(more) + "}");
}

constexpr std::string_view kRolling =
    "strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}";
constexpr std::string_view kOrdered =
    "podManagementPolicy: OrderedReady, updateStrategy: {type: RollingUpdate}";
constexpr std::string_view kDaemons =
    "updateStrategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}";

TEST(Workloads, GoodOnesPass) {
  EXPECT_THAT(validate_deployment(workload(kRolling), nullptr), IsEmpty());
  EXPECT_THAT(validate_replica_set(workload("replicas: 0"), nullptr), IsEmpty());
  EXPECT_THAT(validate_stateful_set(workload(kOrdered), nullptr), IsEmpty());
  EXPECT_THAT(validate_daemon_set(workload(kDaemons), nullptr), IsEmpty());
}

TEST(Workloads, SelectThePodsThatTheyMake) {
  json::Value other = workload(kRolling);
  other["spec"]["selector"]["matchLabels"]["app"] = "y";
  for (const auto validate : {validate_deployment, validate_replica_set}) {
    EXPECT_THAT(lines_of(validate(other, nullptr)),
                ElementsAre("spec.template.metadata.labels: Invalid value: {\"app\":\"x\"}: "
                            "`selector` does not match template `labels`"));
  }
  other["spec"].erase("selector");
  EXPECT_THAT(fields_of(validate_deployment(other, nullptr)),
              ElementsAre("spec.selector", "spec.template.metadata.labels"));
}

TEST(Workloads, KeepTheirSelector) {
  const json::Value before = workload(kRolling);
  json::Value after = before;
  after["spec"]["selector"]["matchLabels"]["tier"] = "y";
  after["spec"]["template"]["metadata"]["labels"]["tier"] = "y";
  EXPECT_THAT(lines_of(validate_deployment(after, &before)),
              ElementsAre(HasSubstr("field is immutable")));
  EXPECT_THAT(validate_deployment(before, &before), IsEmpty());
}

TEST(Workloads, PodsRunForever) {
  json::Value ending = workload(kDaemons);
  ending["spec"]["template"]["spec"]["restartPolicy"] = "Never";
  ending["spec"]["template"]["spec"]["activeDeadlineSeconds"] = 5;
  EXPECT_THAT(
      fields_of(validate_daemon_set(ending, nullptr)),
      ElementsAre("spec.template.spec.restartPolicy", "spec.template.spec.activeDeadlineSeconds"));
}

TEST(Workloads, StrategiesCanMakeProgress) {
  const auto found = [](std::string_view strategy) {
    return fields_of(validate_deployment(workload(strategy), nullptr));
  };
  EXPECT_THAT(found("strategy: {type: Slowly}"), ElementsAre("spec.strategy"));
  EXPECT_THAT(found("strategy: {type: Recreate, rollingUpdate: {}}"),
              ElementsAre("spec.strategy.rollingUpdate"));
  EXPECT_THAT(found("strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 0, "
                    "maxUnavailable: 0%}}"),
              ElementsAre("spec.strategy.rollingUpdate.maxUnavailable"));
  EXPECT_THAT(fields_of(validate_daemon_set(
                  workload("updateStrategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1, "
                           "maxUnavailable: 1}}"),
                  nullptr)),
              ElementsAre("spec.updateStrategy.rollingUpdate.maxSurge"));
}

TEST(Workloads, MostOfAStatefulSetStaysAsItIs) {
  const json::Value before = workload(kOrdered);
  json::Value after = before;
  after["spec"]["replicas"] = 7;
  EXPECT_THAT(validate_stateful_set(after, &before), IsEmpty());
  after["spec"]["serviceName"] = "other";
  EXPECT_THAT(fields_of(validate_stateful_set(after, &before)), ElementsAre("spec"));
}

TEST(Workloads, PodsOfAStatefulSetMountItsClaims) {
  json::Value set =
      workload(std::string(kOrdered) +
               ", volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: "
               "[ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]");
  json::Value& container = set["spec"]["template"]["spec"]["containers"].elements()[0];
  container["volumeMounts"] = yaml_object("[{name: data, mountPath: /data}]");
  EXPECT_THAT(validate_stateful_set(set, nullptr), IsEmpty());
}

}  // namespace
}  // namespace berth::apiserver
