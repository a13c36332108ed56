#include "local/job.h"

#include <gtest/gtest.h>

#include "api/conditions.h"
#include "local/testing/workloads.h"

namespace berth::local {
namespace {

using json::Value;
using testing::kNow;
using testing::parsed;
using testing::pod;
using testing::pointers;

Value job_of(std::string_view spec) {
  Value job = parsed(R"({"apiVersion":"batch/v1","kind":"Job",
      "metadata":{"name":"sum","namespace":"ns","uid":"u1"}})");
  job["spec"] = parsed(spec);
  job["spec"]["template"] = parsed(R"({"spec":{"containers":[{"name":"c"}]}})");
  return job;
}

TEST(Jobs, RunAsManyPodsAsTheyMayAndStillNeed) {
  const Value job = job_of(R"({"parallelism":3,"completions":5})");
  EXPECT_EQ(testing::created(plan_job(job, {}, kNow), Kind::Pods).size(), 3U);
  const std::vector<Value> pods = {pod("a", "Succeeded"), pod("b", "Succeeded"),
                                   pod("c", "Succeeded"), pod("d", "Succeeded")};
  EXPECT_EQ(testing::created(plan_job(job, pointers(pods), kNow), Kind::Pods).size(), 1U);
}

TEST(Jobs, AreCompleteWhenEnoughSucceeded) {
  const std::vector<Value> pods = {pod("a", "Succeeded"), pod("b", "Failed")};
  const WorkloadPlan plan = plan_job(job_of(R"({"completions":1})"), pointers(pods), kNow);
  const Value job = testing::after(plan, Kind::Jobs);
  EXPECT_TRUE(api::is_condition_true(job, "Complete"));
  EXPECT_EQ(job.find_path({"status", "succeeded"})->as_int(), 1);
  EXPECT_EQ(job.find_path({"status", "failed"})->as_int(), 1);
  EXPECT_TRUE(plan_job(job, pointers(pods), kNow).changes.empty()) << "it has ended";
}

TEST(Jobs, FailWhenTooManyPodsDid) {
  const std::vector<Value> pods = {pod("a", "Failed"), pod("b", "Failed"), pod("c", "Running")};
  const WorkloadPlan plan =
      plan_job(job_of(R"({"completions":1,"backoffLimit":1})"), pointers(pods), kNow);
  EXPECT_TRUE(api::is_condition_true(testing::after(plan, Kind::Jobs), "Failed"));
  EXPECT_EQ(testing::removed(plan, Kind::Pods), std::vector<std::string>{"c"});
}

TEST(Jobs, WithoutCompletionsEndWithTheirLastPodAfterTheFirstSuccess) {
  const Value job = job_of(R"({"parallelism":2})");
  std::vector<Value> pods = {pod("a", "Succeeded"), pod("b", "Running")};
  const WorkloadPlan half = plan_job(job, pointers(pods), kNow);
  EXPECT_TRUE(testing::created(half, Kind::Pods).empty());
  EXPECT_FALSE(api::is_condition_true(testing::after(half, Kind::Jobs), "Complete"));
  pods[1] = pod("b", "Succeeded");
  EXPECT_TRUE(api::is_condition_true(
      testing::after(plan_job(job, pointers(pods), kNow), Kind::Jobs), "Complete"));
}

TEST(Jobs, RemoveTheirPodsWhileSuspended) {
  const std::vector<Value> pods = {pod("a", "Running")};
  const WorkloadPlan plan = plan_job(job_of(R"({"suspend":true})"), pointers(pods), kNow);
  EXPECT_EQ(testing::removed(plan, Kind::Pods), std::vector<std::string>{"a"});
}

TEST(Jobs, OfAKindThatIsNotKnownAreLeftAlone) {
  EXPECT_TRUE(plan_job(job_of(R"({"completionMode":"Indexed","completions":2})"), {}, kNow)
                  .changes.empty());
}

}  // namespace
}  // namespace berth::local
