#include "fleet/addons/addon_health.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::fleet {
namespace {

using namespace std::chrono_literals;

json::Value parsed(std::string_view text) { return json::parse(text).value(); }

std::string text(const std::optional<api::Condition>& condition) {
  if (!condition) return "none";
  return std::string(api::condition_status_name(condition->status)) + " " + condition->reason +
         ": " + condition->message;
}

class ProbingWorks : public ::testing::Test {
 protected:
  std::string probe() {
    std::vector<const json::Value*> works;
    for (const json::Value& work : works_) works.push_back(&work);
    return text(
        probe_works({.key = key_, .cluster = cluster_, .manifests = manifests_, .works = works}));
  }

  static json::Value workload(std::string_view kind) {
    return parsed(R"({"apiVersion":"apps/v1","kind":")" + std::string(kind) +
                  R"(","metadata":{"name":"w","namespace":"n"},"spec":{}})");
  }

  static json::Value work(std::string_view feedback) {
    return parsed(R"({"metadata":{"name":"addon-score-deploy-0"},"status":{
        "conditions":[{"type":"Available","status":"True"}],
        "resourceStatus":{"manifests":[)" +
                  std::string(feedback) + "]}}}");
  }

  static std::string deployment_feedback(int ready, int replicas) {
    return R"({"resourceMeta":{"group":"apps","resource":"deployments","name":"w",
        "namespace":"n"},"statusFeedback":{"values":[
        {"name":"ReadyReplicas","fieldValue":{"type":"Integer","integer":)" +
           std::to_string(ready) + R"(}},
        {"name":"Replicas","fieldValue":{"type":"Integer","integer":)" +
           std::to_string(replicas) + "}}]}}";
  }

  AddOnKey key_{.cluster = "c1", .name = "score"};
  json::Value cluster_ = parsed(R"({"metadata":{"name":"c1"}})");
  std::vector<json::Value> manifests_ = {workload("Deployment")};
  std::vector<json::Value> works_;
};

TEST_F(ProbingWorks, TellsWhyNothingIsKnownYet) {
  EXPECT_EQ(probe(), "Unknown WorkNotFound: Addon manifestWork is not found");
  works_ = {parsed(R"({"metadata":{"name":"addon-score-deploy-0"}})")};
  EXPECT_EQ(probe(), "Unknown WorkNotApplied: Addon manifestWork is not applied yet");
  works_ = {parsed(R"({"metadata":{"name":"addon-score-deploy-0"},"status":{
      "conditions":[{"type":"Available","status":"False","message":"1 of 2 is missing"}]}})")};
  EXPECT_EQ(probe(), "False WorkNotApplied: 1 of 2 is missing");
  works_ = {work("")};
  EXPECT_EQ(probe(), "Unknown NoProbeResult: Probe results are not returned");
}

TEST_F(ProbingWorks, AsksForOneReadyReplicaOfADeployment) {
  works_ = {work(deployment_feedback(1, 3))};
  EXPECT_EQ(probe(), "True ProbeAvailable: score add-on is available.");
  works_ = {work(deployment_feedback(0, 0))};
  EXPECT_EQ(probe(), "True ProbeAvailable: score add-on is available.");
  works_ = {work(deployment_feedback(0, 2))};
  EXPECT_EQ(probe(),
            "False ProbeUnavailable: Probe addon unavailable with err desiredNumberReplicas is 2 "
            "but readyReplica is 0 for deployments n/w");
}

TEST_F(ProbingWorks, AsksForAllReplicasOfADaemonSet) {
  manifests_ = {workload("DaemonSet")};
  const auto feedback = [](int ready) {
    return R"({"resourceMeta":{"group":"apps","resource":"daemonsets","name":"w","namespace":"n"},
        "statusFeedback":{"values":[
        {"name":"NumberReady","fieldValue":{"type":"Integer","integer":)" +
           std::to_string(ready) + R"(}},
        {"name":"DesiredNumberScheduled","fieldValue":{"type":"Integer","integer":2}}]}})";
  };
  works_ = {work(feedback(2))};
  EXPECT_EQ(probe(), "True ProbeAvailable: score add-on is available.");
  works_ = {work(feedback(1))};
  EXPECT_EQ(probe().substr(0, 22), "False ProbeUnavailable");
}

TEST_F(ProbingWorks, TakesAnAddOnWithoutWorkloadsForAvailableOnceItIsApplied) {
  manifests_ = {parsed(R"({"apiVersion":"v1","kind":"ConfigMap"})")};
  works_ = {work("")};
  EXPECT_EQ(probe(), "True ProbeAvailable: score add-on is available.");
  manifests_ = {workload("Deployment")};
  manifests_[0]["spec"]["replicas"] = 0;
  EXPECT_EQ(probe(), "True ProbeAvailable: score add-on is available.");
}

TEST_F(ProbingWorks, SaysNothingWhileTheClusterIsUnknown) {
  cluster_["status"] =
      parsed(R"({"conditions":[{"type":"ManagedClusterConditionAvailable","status":"Unknown"}]})");
  EXPECT_EQ(probe(), "none");
}

TEST(ProbingALease, BelievesItForFiveMinutes) {
  const json::Value lease = parsed(R"({"spec":{"renewTime":"2026-01-01T00:00:00.000000Z"}})");
  const Time renewed = Time::from_unix(1'767'225'600);
  EXPECT_EQ(text(probe_lease("score", &lease, renewed + 299s)),
            "True ManagedClusterAddOnLeaseUpdated: score add-on is available.");
  EXPECT_EQ(text(probe_lease("score", &lease, renewed + 300s)),
            "False ManagedClusterAddOnLeaseUpdateStopped: score add-on is not available.");
  EXPECT_EQ(text(probe_lease("score", nullptr, renewed)),
            "Unknown ManagedClusterAddOnLeaseNotFound: The status of score add-on is unknown.");
}

}  // namespace
}  // namespace berth::fleet
