#include "apiserver/strategies/pod_qos.h"

#include <string>

#include <gtest/gtest.h>

#include "json/yaml_read.h"

namespace berth::apiserver {
namespace {

TEST(PodQos, FollowsFromWhatContainersAskFor) {
  struct Case {
    std::string_view spec;
    std::string_view qos;
  };
  const Case cases[] = {
      {"{containers: [{}]}", "BestEffort"},
      {"{containers: [{resources: {requests: {cpu: 0, ephemeral-storage: 1}}}]}", "BestEffort"},
      {"{containers: [{resources: {requests: {cpu: 1}}}]}", "Burstable"},
      {"{containers: [{resources: {limits: {cpu: 1, memory: 1}, requests: {cpu: 1000m, memory: "
       "1}}}]}",
       "Guaranteed"},
      {"{containers: [{resources: {limits: {cpu: 1, memory: 2}, requests: {cpu: 1, memory: 1}}}]}",
       "Burstable"},
      {"{containers: [{resources: {limits: {cpu: 1}, requests: {cpu: 1}}}]}", "Burstable"},
      {"{containers: [{resources: {limits: {cpu: 1, memory: 1}, requests: {cpu: 1, memory: 1}}}], "
       "initContainers: [{}]}",
       "Burstable"},
      {"{resources: {limits: {cpu: 1, memory: 1}, requests: {cpu: 1, memory: 1}}, containers: "
       "[{}]}",
       "Guaranteed"},
  };
  for (const Case& c : cases) {
    const auto pod = json::read_one_yaml("spec: " + std::string(c.spec)).value();
    EXPECT_EQ(pod_qos_class(pod).value(), c.qos) << c.spec;
  }
}

TEST(PodQos, RefusesWhatIsNoQuantity) {
  const auto pod =
      json::read_one_yaml("spec: {containers: [{resources: {limits: {cpu: much}}}]}").value();
  EXPECT_FALSE(pod_qos_class(pod).ok());
}

}  // namespace
}  // namespace berth::apiserver
