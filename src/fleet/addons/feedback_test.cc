#include "fleet/addons/feedback.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::fleet {
namespace {

TEST(Feedback, IsFoundByTheObjectThatItIsAbout) {
  const json::Value work = json::parse(R"({"status":{"resourceStatus":{"manifests":[
      {"resourceMeta":{"group":"apps","resource":"deployments","name":"d","namespace":"n"}},
      {"resourceMeta":{"group":"batch","resource":"jobs","name":"j","namespace":"n"},
       "statusFeedback":{"values":[{"name":"JobComplete",
         "fieldValue":{"type":"String","string":"True"}}]}}]}}})")
                               .value();
  const json::Value job =
      json::parse(R"({"group":"batch","resource":"jobs","name":"j","namespace":"n"})").value();
  ASSERT_TRUE(find_feedback(work, job, "JobComplete"));
  EXPECT_EQ(find_feedback(work, job, "JobComplete")->find("string")->string_or_empty(), "True");
  EXPECT_FALSE(find_feedback(work, job, "JobSucceeded"));
  const json::Value other =
      json::parse(R"({"group":"batch","resource":"jobs","name":"k","namespace":"n"})").value();
  EXPECT_FALSE(find_manifest_status(work, other));
  EXPECT_FALSE(find_feedback(json::Value::object(), job, "JobComplete"));
}

}  // namespace
}  // namespace berth::fleet
