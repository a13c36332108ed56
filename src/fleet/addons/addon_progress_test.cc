#include "fleet/addons/addon_progress.h"

#include <gtest/gtest.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "json/parse.h"

namespace berth::fleet {
namespace {

json::Value parsed(std::string_view text) { return json::parse(text).value(); }

class Progress : public ::testing::Test {
 protected:
  std::string text() {
    std::vector<const json::Value*> works;
    for (const json::Value& work : works_) works.push_back(&work);
    status_ = with_add_on_progress(
        status_, {.key = key_, .spec = spec_, .works = works, .now = Time::from_unix(9)});
    const json::Value* found =
        api::find_condition(api::field(status_, "conditions"), "Progressing");
    return api::text_field(*found, "status") + " " + api::text_field(*found, "reason") + ": " +
           api::text_field(*found, "message");
  }

  static json::Value work(std::string_view hash, int observed = 2) {
    json::Value made = parsed(R"({"metadata":{"name":"addon-score-deploy-0","generation":2}})");
    made["metadata"]["annotations"]["open-cluster-management.io/config-spec-hash"] =
        R"({"addontemplates.addon.open-cluster-management.io//t":")" + std::string(hash) + R"("})";
    for (const char* type : {"Available", "Applied"}) {
      made["status"]["conditions"].push_back(json::Value::object(
          {{"type", type}, {"status", "True"}, {"observedGeneration", observed}}));
    }
    return made;
  }

  AddOnKey key_{.cluster = "c1", .name = "score"};
  json::Value spec_ = json::Value::object();
  std::vector<json::Value> works_;
  json::Value status_ = parsed(R"({"conditions":[{"type":"ManifestApplied","status":"True"}],
      "configReferences":[{"group":"addon.open-cluster-management.io","resource":"addontemplates",
        "desiredConfig":{"name":"t","specHash":"1"}}]})");
};

TEST_F(Progress, GoesFromWaitingToCompleted) {
  json::Value fresh = status_;
  fresh.erase("conditions");
  std::swap(fresh, status_);
  EXPECT_EQ(text(),
            "False WaitingForManifestApplied: Waiting for ManagedClusterAddOn ManifestApplied "
            "condition");
  std::swap(fresh, status_);
  EXPECT_EQ(text(), "True Progressing: progressing... no addon works");
  works_ = {work("0")};
  EXPECT_EQ(text(), "True Progressing: progressing... mca and work configs mismatch");
  works_ = {work("1", 1)};
  EXPECT_EQ(text(), "True Progressing: progressing... work is not ready");
  works_ = {work("1")};
  EXPECT_EQ(text(), "False Completed: completed with no errors.");
  const json::Value& reference = api::elements_field(status_, "configReferences")[0];
  EXPECT_EQ(*reference.find("lastAppliedConfig"), *reference.find("desiredConfig"));
}

TEST_F(Progress, DoesNotEndWithAConfigurationThatIsMissing) {
  status_["configReferences"].elements()[0]["desiredConfig"]["specHash"] = "";
  works_ = {work("")};
  EXPECT_EQ(text(), "True Progressing: progressing... mca and work configs mismatch");
}

TEST_F(Progress, LooksPastTheWorkThatRunsBeforeTheAddOnGoes) {
  works_ = {work("1"), work("0")};
  works_[1]["metadata"]["name"] = "addon-score-pre-delete";
  EXPECT_EQ(text(), "False Completed: completed with no errors.");
}

TEST_F(Progress, NamesAConfigurationThatTheAddOnDoesNotKnow) {
  spec_ = parsed(R"({"configs":[{"group":"g","resource":"things","name":"x"}]})");
  EXPECT_EQ(text(),
            "False ConfigurationUnsupported: Configuration with gvr g/things is not supported for "
            "this addon");
}

}  // namespace
}  // namespace berth::fleet
