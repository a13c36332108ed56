#include "fleet/addons/addon_deployment.h"

#include <gtest/gtest.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "json/parse.h"

namespace berth::fleet {
namespace {

json::Value parsed(std::string_view text) { return json::parse(text).value(); }

constexpr const char* kTemplate = R"({"metadata":{"name":"t"},"spec":{"addonName":"score",
    "registration":[{"type":"KubeClient","kubeClient":{"hubPermissions":[
      {"type":"CurrentCluster","currentCluster":{"clusterRoleName":"role"}}]}}],
    "agentSpec":{"workload":{"manifests":[{"apiVersion":"apps/v1","kind":"Deployment",
      "metadata":{"name":"agent","namespace":"agents"},
      "spec":{"template":{"spec":{"containers":[{"name":"c"}]}}}}]}}}})";

constexpr const char* kHook = R"({"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"cleanup",
    "namespace":"agents","annotations":{"addon.open-cluster-management.io/addon-pre-delete":""}}})";

// A copy that is configured with the template at hand.
class Deploying : public ::testing::Test {
 protected:
  AddOnDeploymentPlan plan() {
    return plan_add_on({.add_on = add_on_,
                        .managed = managed_,
                        .cluster = has_cluster_ ? &cluster_ : nullptr,
                        .add_on_template = has_template_ ? &template_ : nullptr,
                        .template_hash = template_hash_,
                        .refusals = refusals_,
                        .now = Time::from_unix(9)});
  }

  std::string condition(const AddOnDeploymentPlan& made, std::string_view type) {
    const json::Value& conditions = api::field(api::field(made.managed, "status"), "conditions");
    const json::Value* found = api::find_condition(conditions, type);
    if (!found) return "none";
    return api::text_field(*found, "status") + " " + api::text_field(*found, "reason") + ": " +
           api::text_field(*found, "message");
  }

  void add_hook() {
    template_["spec"]["agentSpec"]["workload"]["manifests"].push_back(parsed(kHook));
  }

  AddOn add_on_{.facts = {.name = "score", .uid = "u"}, .has_template = true};
  json::Value managed_ = parsed(R"({"metadata":{"name":"score","namespace":"c1","uid":"m"},
      "status":{"conditions":[{"type":"Configured","status":"True"}],
        "configReferences":[{"group":"addon.open-cluster-management.io",
          "resource":"addontemplates","desiredConfig":{"name":"t","specHash":"1"}}]}})");
  json::Value cluster_ = parsed(R"({"metadata":{"name":"c1"}})");
  json::Value template_ = parsed(kTemplate);
  std::string template_hash_ = "1";
  bool has_cluster_ = true;
  bool has_template_ = true;
  AddOnRefusals refusals_;
};

TEST_F(Deploying, SaysNothingOfACopyThatWaitsForItsConfiguration) {
  managed_["status"] = parsed(R"({"conditions":[{"type":"Configured","status":"False"}]})");
  const AddOnDeploymentPlan made = plan();
  EXPECT_TRUE(made.works.empty());
  EXPECT_EQ(made.managed.find_path({"status", "healthCheck"}), nullptr);
}

TEST_F(Deploying, BindsRightsMakesWorksAndTells) {
  const AddOnDeploymentPlan made = plan();
  EXPECT_EQ(made.bindings.size(), 1u);
  EXPECT_EQ(made.works.size(), 1u);
  EXPECT_TRUE(is_owned_by_add_on(made.managed));
  EXPECT_EQ(condition(made, "RegistrationApplied"),
            "True SetPermissionApplied: Registration of the addon agent is configured");
  EXPECT_EQ(made.managed.find_path({"status", "healthCheck", "mode"})->string_or_empty(),
            "Customized");
}

TEST_F(Deploying, WaitsForTheConfiguration) {
  managed_["status"] = json::Value::object();
  const AddOnDeploymentPlan made = plan();
  EXPECT_TRUE(made.bindings.empty());
  EXPECT_TRUE(made.works.empty());
  EXPECT_EQ(condition(made, "RegistrationApplied"), "none");
}

TEST_F(Deploying, DoesNotTouchWorksBeforeTheRolloutGetsToTheCluster) {
  managed_["status"]["conditions"].elements()[0]["status"] = "False";
  EXPECT_TRUE(plan().works.empty());
}

TEST_F(Deploying, DoesNotRenderATemplateThatTheRolloutHasNotHandedOut) {
  template_hash_ = "2";
  EXPECT_TRUE(plan().works.empty());
}

TEST_F(Deploying, SaysThatTheTemplateIsMissing) {
  has_template_ = false;
  const AddOnDeploymentPlan made = plan();
  EXPECT_EQ(condition(made, "RegistrationApplied"),
            "False SetPermissionFailed: Failed to set permission for hub agent: addon c1/score "
            "template t not found");
  EXPECT_EQ(condition(made, "ManifestApplied"),
            "False ManifestWorkApplyFailed: failed to get manifest from agent interface: addon "
            "c1/score template t not found");
}

TEST_F(Deploying, TellsWhatTheServerRefused) {
  refusals_ = {.bindings = "you may not bind that", .works = "too large"};
  const AddOnDeploymentPlan made = plan();
  EXPECT_EQ(condition(made, "RegistrationApplied"),
            "False SetPermissionFailed: Failed to set permission for hub agent: you may not bind "
            "that");
  EXPECT_EQ(condition(made, "ManifestApplied"),
            "False ManifestWorkApplyFailed: failed to apply manifestWork: too large");
}

TEST_F(Deploying, HoldsACopyForWhatRunsBeforeItGoes) {
  add_hook();
  const AddOnDeploymentPlan held = plan();
  EXPECT_TRUE(api::Metadata(held.managed).has_finalizer(kPreDeleteHook));
  managed_ = held.managed;
  managed_["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  const AddOnDeploymentPlan going = plan();
  ASSERT_EQ(going.works.size(), 1u);
  EXPECT_EQ(api::Metadata(*going.works[0].after).name(), "addon-score-pre-delete");
  EXPECT_TRUE(api::Metadata(going.managed).has_finalizer(kPreDeleteHook));
  EXPECT_EQ(condition(going, "HookManifestCompleted"),
            "False HookManifestIsNotCompleted: hook manifestWork addon-score-pre-delete is not "
            "completed.");
}

TEST_F(Deploying, LetsACopyGoWhoseLastWorkCannotRunAnyMore) {
  add_hook();
  managed_ = plan().managed;
  managed_["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  has_template_ = false;
  EXPECT_FALSE(api::Metadata(plan().managed).has_finalizer(kPreDeleteHook));
  has_template_ = true;
  has_cluster_ = false;
  EXPECT_FALSE(api::Metadata(plan().managed).has_finalizer(kPreDeleteHook));
}

TEST_F(Deploying, OnlyTellsTheProgressOfAnAddOnThatDeploysItself) {
  add_on_.has_template = false;
  const AddOnDeploymentPlan made = plan();
  EXPECT_TRUE(made.works.empty());
  EXPECT_TRUE(is_owned_by_add_on(made.managed));
  EXPECT_EQ(condition(made, "Progressing").substr(0, 31), "False WaitingForManifestApplied");
  add_on_.is_ours = false;
  EXPECT_EQ(plan().managed, managed_);
}

}  // namespace
}  // namespace berth::fleet
