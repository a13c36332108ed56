#include "fleet/addons/configuration.h"

#include <gtest/gtest.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "base/strings.h"
#include "fleet/addons/config_references.h"
#include "json/parse.h"

namespace berth::fleet {
namespace {

using namespace std::chrono_literals;

const Time kStart = Time::from_unix(1'000'000);

AddOnConfig template_config(std::string name) {
  return {.kind = kAddOnTemplates, .object = {.name = std::move(name)}};
}

// An add-on on clusters a, b and c, chosen by one placement, and its template with a hash.
class Configuring : public ::testing::Test {
 protected:
  Configuring() {
    object_["metadata"]["name"] = "score";
    add_on_.facts.name = "score";
    add_on_.install = AddOnInstall::Placements;
    add_on_.defaults = {template_config("t")};
    add_on_.placements = {{.placement = {"ns", "p"}}};
    placements_[{"ns", "p"}] = {
        .exists = true, .is_settled = true, .groups = {{.clusters = {"a", "b", "c"}}}};
    hashes_["t"] = "1";
    for (const char* cluster : {"a", "b", "c"}) managed_[cluster] = json::Value::object();
  }

  void pass(Time now = kStart) {
    ConfigurationView view{
        .add_on = add_on_,
        .object = object_,
        .placement = [this](const ObjectName& name) { return placements_[name]; },
        .lookup = [this](const ConfigKind&, const ObjectName& name) -> std::optional<ConfigState> {
          return ConfigState{.hash = hashes_[name.name], .generation = 1};
        },
        .now = now};
    for (const auto& [cluster, managed] : managed_) view.managed[cluster] = &managed;
    last_ = plan_configuration(view);
    object_ = last_.object;
    for (const auto& [cluster, object] : last_.managed) managed_[cluster] = object;
  }

  // What each cluster has, as "a:t=1" with "!" when that is not configured.
  std::string text() const {
    std::vector<std::string> parts;
    for (const auto& [cluster, managed] : managed_) {
      const json::Value& status = api::field(managed, "status");
      std::string part = cluster + ":";
      for (const auto& config : desired_in(api::elements_field(status, "configReferences"))) {
        part += config.object.name + "=" + config.hash;
      }
      if (!api::is_condition_true(managed, "Configured")) part += "!";
      parts.push_back(part);
    }
    return join(parts, " ");
  }

  std::string progress() const {
    const json::Value& status = api::field(object_, "status");
    const json::Value& progression = api::elements_field(status, "installProgressions")[0];
    const json::Value* condition =
        api::find_condition(api::field(progression, "conditions"), "Progressing");
    return api::text_field(*condition, "status") + " " + api::text_field(*condition, "reason") +
           " " + api::text_field(*condition, "message");
  }

  // The cluster's works are in place.
  void complete(const std::string& cluster, Time now = kStart) {
    json::Value status = with_all_applied(api::field(managed_[cluster], "status"));
    status["conditions"] = api::with_condition(
        api::field(status, "conditions"),
        {.type = "Progressing", .status = api::ConditionStatus::False, .reason = "Completed"}, now);
    managed_[cluster]["status"] = status;
  }

  AddOn add_on_;
  json::Value object_;
  std::map<ObjectName, PlacementView> placements_;
  std::map<std::string, std::string> hashes_;
  std::map<std::string, json::Value> managed_;
  ConfigurationPlan last_;
};

TEST_F(Configuring, GivesEveryClusterTheDefault) {
  pass();
  EXPECT_EQ(text(), "a:t=1 b:t=1 c:t=1");
  EXPECT_EQ(progress(), "True Progressing 3/3 progressing..., 0 failed 0 timeout.");
  for (const char* cluster : {"a", "b", "c"}) complete(cluster);
  pass();
  EXPECT_EQ(progress(), "False Completed 3/3 completed with no errors, 0 failed 0 timeout.");
  pass();
  EXPECT_TRUE(last_.managed.empty()) << "writes without a cause";
}

TEST_F(Configuring, HandsAChangeToSomeAtATime) {
  add_on_.placements[0].rollout =
      RolloutStrategy{.type = RolloutType::Progressive, .concurrency = std::int64_t{1}};
  pass();
  EXPECT_EQ(text(), "a:t=1 b:! c:!");
  EXPECT_EQ(progress(), "True Progressing 1/3 progressing..., 0 failed 0 timeout.");
  complete("a");
  pass();
  EXPECT_EQ(text(), "a:t=1 b:t=1 c:!");
  complete("b");
  pass();
  complete("c");
  pass();
  EXPECT_EQ(text(), "a:t=1 b:t=1 c:t=1");
  hashes_["t"] = "2";
  pass();
  EXPECT_EQ(text(), "a:t=2 b:t=1! c:t=1!");
}

TEST_F(Configuring, TakesTheGroupSizeOfThePlacementForTheNumberAtATime) {
  add_on_.placements[0].rollout = RolloutStrategy{.type = RolloutType::Progressive};
  placements_[{"ns", "p"}].group_size = std::int64_t{2};
  pass();
  EXPECT_EQ(text(), "a:t=1 b:t=1 c:!");
}

TEST_F(Configuring, LetsThePlacementReplaceTheDefaultAndTheClusterReplaceBoth) {
  hashes_["u"] = "5";
  hashes_["v"] = "6";
  add_on_.placements[0].configs = {template_config("u")};
  managed_["b"]["spec"] = json::parse(R"({"configs":[{"group":"addon.open-cluster-management.io",
      "resource":"addontemplates","name":"v"}]})")
                              .value();
  pass();
  EXPECT_EQ(text(), "a:u=5 b:v=6 c:u=5");
  hashes_["v"] = "7";
  pass();
  EXPECT_EQ(text(), "a:u=5 b:v=7 c:u=5");
}

TEST_F(Configuring, LetsTheLastOfSeveralPlacementsSpeakForACluster) {
  hashes_["u"] = "5";
  add_on_.placements.push_back({.placement = {"ns", "q"}, .configs = {template_config("u")}});
  placements_[{"ns", "q"}] = {.exists = true, .is_settled = true, .groups = {{.clusters = {"b"}}}};
  pass();
  EXPECT_EQ(text(), "a:t=1 b:u=5 c:t=1");
  for (const char* cluster : {"a", "b", "c"}) complete(cluster);
  pass();
  EXPECT_EQ(progress(), "False Completed 2/2 completed with no errors, 0 failed 0 timeout.");
}

TEST_F(Configuring, LeavesClustersAsTheyAreWhileTheirPlacementIsMissing) {
  add_on_.placements[0].configs = {template_config("u")};
  hashes_["u"] = "5";
  pass();
  placements_.clear();
  hashes_["u"] = "6";
  pass();
  EXPECT_EQ(text(), "a:u=5 b:u=5 c:u=5");
}

TEST_F(Configuring, LeavesClustersAsTheyAreWhileAPlacementDoesNotShowAllThatItChose) {
  add_on_.placements[0].configs = {template_config("u")};
  hashes_["u"] = "5";
  pass();
  placements_[{"ns", "p"}] = {.exists = true, .groups = {{.clusters = {"a"}}}};
  hashes_["u"] = "6";
  pass();
  EXPECT_EQ(text(), "a:u=5 b:u=5 c:u=5");
}

TEST_F(Configuring, SaysWhyAStrategyCannotBeFollowedAndChangesNothing) {
  add_on_.placements[0].rollout = failure(Code::Invalid, "no such type");
  pass();
  EXPECT_EQ(text(), "a:! b:! c:!");
  ASSERT_EQ(last_.problems.size(), 1u);
  EXPECT_EQ(last_.problems[0], "ns/p: no such type");
}

TEST_F(Configuring, LooksAgainWhenASoakingClusterIsThrough) {
  add_on_.placements[0].rollout = RolloutStrategy{
      .type = RolloutType::Progressive, .concurrency = std::int64_t{1}, .success_time_min = 5min};
  pass();
  complete("a");
  pass(kStart + 1min);
  EXPECT_EQ(text(), "a:t=1 b:! c:!");
  EXPECT_EQ(last_.recheck, kStart + 5min);
  pass(kStart + 5min);
  EXPECT_EQ(text(), "a:t=1 b:t=1 c:!");
}

TEST_F(Configuring, ConfiguresWhatWasMadeByHandAtOnce) {
  add_on_.install = AddOnInstall::Manual;
  add_on_.placements.clear();
  pass();
  EXPECT_EQ(text(), "a:t=1 b:t=1 c:t=1");
  EXPECT_FALSE(api::field(object_, "status").find("installProgressions"));
}

}  // namespace
}  // namespace berth::fleet
