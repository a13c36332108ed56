#include "apiserver/tables/pod_summary.h"

#include <gtest/gtest.h>

#include "apiserver/tables/testing/rows.h"
#include "base/rfc3339.h"

namespace berth::apiserver {
namespace {

PodSummary summary_of(std::string_view yaml) { return summarize_pod(testing::object_of(yaml)); }

TEST(PodSummary, SaysWhatThePodIsDoing) {
  struct Case {
    std::string_view status;
    std::string_view pod;
  };
  const Case cases[] = {
      {"Pending", "status: {phase: Pending}"},
      {"Evicted", "status: {phase: Failed, reason: Evicted}"},
      {"SchedulingGated",
       "status: {phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: "
       "SchedulingGated}]}"},
      {"CrashLoopBackOff",
       "status: {phase: Running, containerStatuses: [{state: {waiting: {reason: "
       "CrashLoopBackOff}}}, {ready: true, state: {running: {}}}]}"},
      {"OOMKilled",
       "status: {phase: Running, containerStatuses: [{state: {terminated: {reason: OOMKilled, "
       "exitCode: 137}}}]}"},
      {"Signal:9",
       "status: {phase: Failed, containerStatuses: [{state: {terminated: {signal: 9, exitCode: "
       "137}}}]}"},
      {"ExitCode:3",
       "status: {phase: Failed, containerStatuses: [{state: {terminated: {exitCode: 3}}}]}"},
      {"Completed",
       "status: {phase: Succeeded, containerStatuses: [{state: {terminated: {reason: Completed, "
       "exitCode: 0}}}]}"},
      {"Running",
       "status: {phase: Running, conditions: [{type: Ready, status: 'True'}], containerStatuses: "
       "[{state: {terminated: {reason: Completed}}}, {ready: true, state: {running: {}}}]}"},
      {"NotReady",
       "status: {phase: Running, containerStatuses: [{state: {terminated: {reason: Completed}}}, "
       "{ready: true, state: {running: {}}}]}"},
      {"Error",
       "status: {phase: Running, containerStatuses: [{state: {terminated: {reason: Completed}}}, "
       "{state: {terminated: {reason: Error, exitCode: 1}}}]}"},
      {"Terminating",
       "{metadata: {deletionTimestamp: '2026-01-01T00:00:00Z'}, status: {phase: Running}}"},
      {"Succeeded",
       "{metadata: {deletionTimestamp: '2026-01-01T00:00:00Z'}, status: {phase: Succeeded}}"},
      {"Unknown",
       "{metadata: {deletionTimestamp: '2026-01-01T00:00:00Z'}, status: {phase: Running, reason: "
       "NodeLost}}"},
  };
  for (const Case& c : cases) EXPECT_EQ(summary_of(c.pod).status, c.status) << c.pod;
}

TEST(PodSummary, SaysHowFarInitializationGot) {
  struct Case {
    std::string_view status;
    std::string_view init;  // Of the second of two init containers; the first is done.
  };
  const Case cases[] = {
      {"Init:1/2", "{state: {waiting: {reason: PodInitializing}}}"},
      {"Init:1/2", "{state: {running: {}}}"},
      {"Init:ImagePullBackOff", "{state: {waiting: {reason: ImagePullBackOff}}}"},
      {"Init:Error", "{state: {terminated: {reason: Error, exitCode: 1}}}"},
      {"Init:Signal:15", "{state: {terminated: {signal: 15, exitCode: 1}}}"},
      {"Init:ExitCode:2", "{state: {terminated: {exitCode: 2}}}"},
      {"Pending", "{state: {terminated: {exitCode: 0}}}"},
  };
  for (const Case& c : cases) {
    const std::string pod =
        "{spec: {initContainers: [{name: a}, {name: b}], containers: [{}]}, "
        "status: {phase: Pending, initContainerStatuses: [{name: a, state: "
        "{terminated: {exitCode: 0}}}, " +
        std::string(c.init) + "]}}";
    EXPECT_EQ(summary_of(pod).status, c.status) << pod;
  }
}

TEST(PodSummary, CountsRunningSidecarsAsContainers) {
  const PodSummary summary = summary_of(R"(
spec:
  initContainers: [{name: side, restartPolicy: Always}, {name: once}]
  containers: [{name: app}]
status:
  phase: Running
  initContainerStatuses:
  - {name: side, started: true, ready: true, restartCount: 2, state: {running: {}},
     lastState: {terminated: {finishedAt: "2026-01-01T23:00:00Z"}}}
  - {name: once, restartCount: 5, state: {terminated: {exitCode: 0}}}
  containerStatuses:
  - {name: app, ready: true, restartCount: 1, state: {running: {}},
     lastState: {terminated: {finishedAt: "2026-01-01T22:00:00Z"}}})");
  EXPECT_EQ(summary.ready, 2);
  EXPECT_EQ(summary.containers, 2);
  EXPECT_EQ(summary.restarts, 3) << "init containers that are over do not count any more";
  EXPECT_EQ(summary.last_restart, parse_rfc3339("2026-01-01T23:00:00Z").value());
}

TEST(PodSummary, CountsAllInitContainersWhileTheyRun) {
  const PodSummary summary = summary_of(R"(
spec: {initContainers: [{name: a}], containers: [{name: app}]}
status:
  phase: Pending
  initContainerStatuses: [{name: a, restartCount: 5, state: {waiting: {reason: CrashLoopBackOff}}}]
  containerStatuses: [{name: app, restartCount: 7, state: {waiting: {reason: PodInitializing}}}])");
  EXPECT_EQ(summary.restarts, 5);
  EXPECT_EQ(summary.status, "Init:CrashLoopBackOff");
}

}  // namespace
}  // namespace berth::apiserver
