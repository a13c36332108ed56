#include "nodes/scheduler_config.h"

#include <gtest/gtest.h>

#include "nodes/registry.h"

namespace berth::nodes {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kHead =
    "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";

std::string error_of(std::string_view rest) {
  const auto config = parse_scheduler_config(std::string(kHead) + std::string(rest));
  return config.ok() ? "" : config.error().message;
}

TEST(SchedulerConfig, ReadsTheForerunnersFile) {
  const auto config = parse_scheduler_config(R"(
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
leaderElection:
  leaderElect: false
clientConnection:
  kubeconfig: /etc/kubernetes/scheduler.conf
profiles:
  - schedulerName: test-scheduler
    plugins:
      preFilter:
        enabled:
          - name: noderesourcematch-plugin
      filter:
        enabled:
          - name: noderesourcematch-plugin
)");
  ASSERT_TRUE(config.ok()) << config.error().message;
  EXPECT_EQ(config->election.leader_elect, false);
  EXPECT_EQ(config->kubeconfig, "/etc/kubernetes/scheduler.conf");
  ASSERT_EQ(config->profiles.size(), 1u);
  EXPECT_EQ(config->profiles[0].scheduler_name, "test-scheduler");
  EXPECT_EQ(config->profiles[0].filters.size(), filter_registry().size());
  EXPECT_TRUE(config->warnings.empty());
}

TEST(SchedulerConfig, ReadsTheBetas) {
  for (const char* version : {"v1beta2", "v1beta3"}) {
    EXPECT_TRUE(parse_scheduler_config("apiVersion: kubescheduler.config.k8s.io/" +
                                       std::string(version) +
                                       "\nkind: KubeSchedulerConfiguration\n")
                    .ok());
  }
}

TEST(SchedulerConfig, ReadsEverythingElse) {
  const auto config = parse_scheduler_config(std::string(kHead) + R"(
leaderElection: {leaderElect: true, leaseDuration: 15s, renewDeadline: 1m30s, retryPeriod: 500ms,
  resourceLock: leases, resourceName: lock, resourceNamespace: here}
clientConnection: {qps: 200, burst: 300}
podInitialBackoffSeconds: 2
podMaxBackoffSeconds: 20
percentageOfNodesToScore: 30
parallelism: 4
profiles: [{schedulerName: a}, {schedulerName: b, percentageOfNodesToScore: 70}]
)");
  ASSERT_TRUE(config.ok()) << config.error().message;
  EXPECT_EQ(config->election.lease_duration, 15s);
  EXPECT_EQ(config->election.renew_deadline, 90s);
  EXPECT_EQ(config->election.retry_period, 500ms);
  EXPECT_EQ(config->election.resource_name, "lock");
  EXPECT_EQ(config->election.resource_namespace, "here");
  EXPECT_EQ(config->qps, 200);
  EXPECT_EQ(config->burst, 300);
  EXPECT_EQ(config->queue.backoff_first, 2s);
  EXPECT_EQ(config->queue.backoff_max, 20s);
  EXPECT_EQ(config->profiles[0].percentage_of_nodes_to_score, 30);
  EXPECT_EQ(config->profiles[1].percentage_of_nodes_to_score, 70);
  EXPECT_EQ(config->warnings.size(), 1u);  // parallelism.
}

TEST(SchedulerConfig, RefusesWhatItDoesNotUnderstand) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"nonsense: 1", "KubeSchedulerConfiguration: unknown field \"nonsense\""},
      {"leaderElection: {leas: 1}", "leaderElection: unknown field \"leas\""},
      {"leaderElection: {leaseDuration: soon}",
       "leaderElection.leaseDuration: \"soon\" is no length of time such as \"15s\""},
      {"leaderElection: {leaseDuration: -5s}",
       "leaderElection.leaseDuration: \"-5s\" is no length of time such as \"15s\""},
      {"leaderElection: {resourceLock: endpoints}",
       "leaderElection.resourceLock: only leases are supported"},
      {"extenders: [{urlPrefix: x}]", "extenders: Berth's scheduler asks no extenders"},
      {"podInitialBackoffSeconds: 0", "podInitialBackoffSeconds: must be from 1 to 3600"},
      {"podMaxBackoffSeconds: x", "podMaxBackoffSeconds: must be from 1 to 3600"},
      {"podInitialBackoffSeconds: 60",
       "podMaxBackoffSeconds: must not be below podInitialBackoffSeconds"},
      {"profiles: [{schedulerName: a}, {schedulerName: a}]",
       "profiles[1]: schedulerName \"a\" is there twice"},
      {"percentageOfNodesToScore: 101", "percentageOfNodesToScore: is from 0 to 100"},
      {"leaderElection: 5", "leaderElection: must be an object"},
  };
  for (const auto& [rest, message] : cases) EXPECT_EQ(error_of(rest), message);
}

TEST(SchedulerConfig, RefusesOtherDocuments) {
  EXPECT_EQ(parse_scheduler_config("apiVersion: v1\nkind: Pod\n").error().message,
            "expected a KubeSchedulerConfiguration of kubescheduler.config.k8s.io/v1, v1beta3 or "
            "v1beta2, not \"Pod\" of \"v1\"");
  EXPECT_FALSE(parse_scheduler_config("").ok());
  EXPECT_FALSE(parse_scheduler_config(": :").ok());
}

}  // namespace
}  // namespace berth::nodes
